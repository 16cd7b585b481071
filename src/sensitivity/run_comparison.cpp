// What differs between two runs, on the scale of what is compared.
#include "src/sensitivity/run_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/sensitivity/gradient.hpp"

namespace gradus {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
// A row of this share of the objective is zero, and counts on the scale of the objective; what
// changes by the second, by round-off.
constexpr double kSmallRow = 1e-9;
constexpr double kRoundOff = 1e-13;
constexpr double kMoreSteps = 1.4;
constexpr double kLeastValue = 1e-12;  // in SI units: below that everything is zero

double ratio(double change, double size) {
  const bool is_zero = change <= kLeastValue && size <= kLeastValue;
  return is_zero || change == 0.0 ? 0.0 : change / size;
}

double relative_change(std::span<const double> a, std::span<const double> b) {
  double change = 0.0, size = kLeastValue;
  for (std::size_t k = 0; k < a.size(); ++k) {
    change = std::max(change, std::abs(a[k] - b[k]));
    size = std::max(size, std::abs(a[k]));
  }
  return change / size;
}

// [n_design, 2 n_coordinate] from recorded motions.
std::vector<double> final_states_of(const Result& result) {
  const std::size_t count = result.coordinates.size();
  std::vector<double> states(result.n_design * 2 * count, kUnknown);
  for (const Trajectory& motion : result.trajectories) {
    if (!result.status[motion.design].ok || motion.time.empty()) continue;
    const auto to = states.begin() + static_cast<std::ptrdiff_t>(motion.design * 2 * count);
    std::copy_n(motion.coordinates.end() - static_cast<std::ptrdiff_t>(count), count, to);
    std::copy_n(motion.rates.end() - static_cast<std::ptrdiff_t>(count), count,
                to + static_cast<std::ptrdiff_t>(count));
  }
  return states;
}

}  // namespace

Solution solve(const std::shared_ptr<const CompiledMechanism>& mechanism, const Options& options,
               bool with_gradient, bool with_final_states) {
  const bool records = options.record || options.columns;
  Options run_options = options;
  if (with_final_states && !records) {
    run_options.record = true;
    run_options.record_every = std::max<std::size_t>(mechanism->request().steps, 1);
  }
  Solution solution;
  solution.result =
      with_gradient ? run_gradient(mechanism, run_options) : run_motion(mechanism, run_options);
  if (!with_final_states) return solution;
  solution.final_states = final_states_of(solution.result);
  if (records) return solution;
  solution.result.trajectories.clear();
  solution.result.has_objective_history = false;
  return solution;
}

double RunChange::largest() const {
  double most = 0.0;
  for (const auto* numbers : {&values, &gradients})
    for (const double x : *numbers) most = std::isnan(x) ? x : std::max(most, x);
  return most;
}

void RunChange::scale_by(double factor) {
  for (auto* numbers : {&values, &gradients, &weights})
    for (double& x : *numbers) x *= factor;
  state *= factor;
}

double scale_of_parameter(double value) {
  return value == 0.0 ? 1.0 : std::abs(value);
}

RunChange change_between(const Result& one, std::size_t d, const Result& other, std::size_t e) {
  const std::size_t objectives = one.objectives.size();
  const std::size_t parameters = one.parameters.size();
  const auto scales = row_of(one.parameter_values, d, parameters);
  RunChange found{{}, {}, {}, kUnknown};
  for (std::size_t o = 0; o < objectives; ++o) {
    const double value = one.objective_values[d * objectives + o];
    const double change = std::abs(value - other.objective_values[e * objectives + o]);
    const double size = std::max(std::abs(value), kLeastValue);
    found.values.push_back(ratio(change, size));
    if (one.gradient.empty()) continue;
    const auto row = row_of(one.gradient, d * objectives + o, parameters);
    const auto again = row_of(other.gradient, e * objectives + o, parameters);
    double row_change = 0.0, row_size = 0.0;
    for (std::size_t p = 0; p < parameters; ++p) {
      const double scale = scale_of_parameter(scales[p]);
      row_change = std::max(row_change, scale * std::abs(row[p] - again[p]));
      row_size = std::max(row_size, scale * std::abs(row[p]));
    }
    if (row_change <= kRoundOff * size) row_change = 0.0;
    const bool is_zero = std::max(row_size, row_change) <= kSmallRow * size;
    const double least = std::max(kLeastValue, kSmallRow * size);
    found.gradients.push_back(ratio(row_change, is_zero ? size : std::max(row_size, least)));
    found.weights.push_back(row_change / size);
  }
  return found;
}

bool differ_in_steps(const Result& one, std::size_t d, const Result& other, std::size_t e) {
  const auto [few, many] = std::minmax(one.step_count[d], other.step_count[e]);
  return many >= kMoreSteps * few;
}

double change_of_state(std::span<const double> one, std::span<const double> other) {
  const std::size_t half = one.size() / 2;
  return std::max(relative_change(one.first(half), other.first(half)),
                  relative_change(one.subspan(half), other.subspan(half)));
}

LargestError largest_error(const RunChange& error) {
  LargestError worst;
  const auto look = [&](const std::vector<double>& numbers, bool of_gradient) {
    for (std::size_t o = 0; o < numbers.size(); ++o)
      if (!(numbers[o] <= worst.error)) worst = {numbers[o], o, of_gradient};
  };
  look(error.values, false);
  look(error.gradients, true);
  return worst;
}

std::string subject_of(const Result& result, const LargestError& worst) {
  return (worst.of_gradient ? "the gradient of " : "") +
         in_quotes(result.objectives[worst.objective].name);
}

std::span<const double> row_of(const std::vector<double>& numbers, std::size_t row,
                               std::size_t width) {
  return std::span(numbers).subspan(row * width, width);
}

int order_of(const MotionRequest& request, const std::string& method) {
  const std::string& integrator = request.analysis.integrator;
  if (integrator.ends_with("-euler")) return 1;
  if (integrator == keys::newmark && request.analysis.gamma != 0.5) return 1;
  if (integrator == "rk4") return method == "continuous-adjoint" ? 2 : 4;
  if (integrator.starts_with("radau")) return 1;  // of 5 and 9, what stiff motions leave at worst
  return 2;
}

void make_room_for_errors(Result& result, bool with_gradient) {
  const std::size_t rows = result.n_design * result.objectives.size();
  result.objective_errors.assign(rows, kUnknown);
  result.gradient_errors.assign(with_gradient ? rows : 0, kUnknown);
}

void note_error(Result& result, std::size_t design, const RunChange& error) {
  const auto at = static_cast<std::ptrdiff_t>(design * result.objectives.size());
  std::ranges::copy(error.values, result.objective_errors.begin() + at);
  if (!result.gradient_errors.empty())
    std::ranges::copy(error.gradients, result.gradient_errors.begin() + at);
}

void fail_design(Result& result, std::size_t d, std::string message) {
  result.status[d] = {false, result.duration, std::move(message)};
  const auto clear = [&](std::vector<double>& numbers) {
    const std::size_t width = numbers.size() / result.n_design;
    std::fill_n(numbers.begin() + static_cast<std::ptrdiff_t>(d * width), width, kUnknown);
  };
  for (auto* numbers : {&result.objective_values, &result.gradient, &result.gauss_newton,
                        &result.final_sensors, &result.constraint_violation})
    clear(*numbers);
}

}  // namespace gradus
