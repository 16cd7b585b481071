// Errors by comparison of two runs (L. F. Richardson, 1911): what halving the steps changes is all
// of the error but a share that the order of the method tells.
#include "src/sensitivity/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/motion/time_loop.hpp"
#include "src/sensitivity/gradient.hpp"

namespace gradus {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kUseless = 1.0;
// A row of this share of the objective is small; what changes by the second, by round-off.
constexpr double kSmallRow = 1e-9;
constexpr double kRoundOff = 1e-13;
constexpr double kLeastValue = 1e-12;  // in SI units: below that everything is zero

// Changes of a design from one run to another, relative.
struct Change {
  std::vector<double> values;     // [n_objective]
  std::vector<double> gradients;  // [n_objective] rows, the parameters in units of their values
  std::vector<double> weights;    // [n_objective] the change of a row, relative to the objective
  double state = kUnknown;        // of the final state

  double largest() const {
    double most = 0.0;
    for (const auto* numbers : {&values, &gradients})
      for (const double x : *numbers) most = std::isnan(x) ? x : std::max(most, x);
    return most;
  }
};

double ratio(double change, double size) {
  return change == 0.0 ? 0.0 : change / size;
}

double relative_change(std::span<const double> a, std::span<const double> b) {
  double change = 0.0, size = kLeastValue;
  for (std::size_t k = 0; k < a.size(); ++k) {
    change = std::max(change, std::abs(a[k] - b[k]));
    size = std::max(size, std::abs(a[k]));
  }
  return change / size;
}

std::span<const double> row_of(const std::vector<double>& numbers, std::size_t row,
                               std::size_t width) {
  return std::span(numbers).subspan(row * width, width);
}

// Design `d` of a run and design `e` of another of the same mechanism, but for their final states.
Change change_between(const Result& one, std::size_t d, const Result& other, std::size_t e) {
  const std::size_t objectives = one.objectives.size();
  const std::size_t parameters = one.parameters.size();
  const auto scales = row_of(one.parameter_values, d, parameters);
  Change found;
  for (std::size_t o = 0; o < objectives; ++o) {
    const double value = one.objective_values[d * objectives + o];
    const double change = std::abs(value - other.objective_values[e * objectives + o]);
    const double size = std::max(std::abs(value), kLeastValue);
    found.values.push_back(ratio(change, size));
    if (one.gradient.empty()) continue;
    const auto row = row_of(one.gradient, d * objectives + o, parameters);
    const auto again = row_of(other.gradient, e * objectives + o, parameters);
    double row_change = 0.0, row_size = std::max(kLeastValue, kSmallRow * size);
    for (std::size_t p = 0; p < parameters; ++p) {
      const double scale = scales[p] == 0.0 ? 1.0 : std::abs(scales[p]);
      row_change = std::max(row_change, scale * std::abs(row[p] - again[p]));
      row_size = std::max(row_size, scale * std::abs(row[p]));
    }
    if (row_change <= kRoundOff * size) row_change = 0.0;
    found.gradients.push_back(ratio(row_change, row_size));
    found.weights.push_back(row_change / size);
  }
  return found;
}

// Of final states, coordinates and rates apart.
double change_of_state(std::span<const double> one, std::span<const double> other) {
  const std::size_t half = one.size() / 2;
  return std::max(relative_change(one.first(half), other.first(half)),
                  relative_change(one.subspan(half), other.subspan(half)));
}

void scale_by(double factor, Change& change) {
  for (auto* numbers : {&change.values, &change.gradients, &change.weights})
    for (double& x : *numbers) x *= factor;
  change.state *= factor;
}

int order_of(const MotionRequest& request) {
  const std::string& integrator = request.analysis.integrator;
  if (integrator == "implicit-euler") return 1;
  if (integrator == "rk4") return 4;
  return integrator == "radau5" ? 5 : 2;
}

// Some designs of a run by another step; nothing if values are due where such a step does not end.
std::optional<Solution> solve_by_step(const CompiledMechanism& mechanism, const Options& options,
                                      const std::vector<double>& designs, double step,
                                      bool with_gradient) {
  Options other = options;
  other.step = step;
  other.designs = {};
  other.designs.values = designs;
  other.record = other.columns = false;
  other.log = nullptr;
  other.progress = nullptr;
  try {
    return solve(std::make_shared<const CompiledMechanism>(mechanism.model(), other), other,
                 with_gradient, true);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::vector<double> designs_of(const Result& result, const std::vector<std::size_t>& which) {
  std::vector<double> rows;
  const std::size_t width = result.parameters.size();
  for (const std::size_t d : which) {
    const auto row = row_of(result.parameter_values, d, width);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

// Designs of which a number is the difference of much larger ones have errors of their own size,
// though their motion is accurate: that is for the user to know, but no failure.
bool is_useless(const Change& error, std::size_t o) {
  const bool cancels = error.values[o] > 10.0 * kRemarkableError && error.state < kRemarkableError;
  if (cancels) return false;
  if (error.values[o] > kUseless) return true;
  return !error.gradients.empty() && error.gradients[o] > kUseless &&
         (!(error.state < kRemarkableError) || error.weights[o] > 1e-3);
}

std::string percent(double error) {
  return rounded_text(100.0 * error, 2) + " %";
}

// The objective with the largest error, and which.
struct Worst {
  double error = 0.0;
  std::size_t objective = 0;
  bool of_gradient = false;
};

Worst worst_of(const Change& error) {
  Worst worst;
  const auto look = [&](const std::vector<double>& numbers, bool of_gradient) {
    for (std::size_t o = 0; o < numbers.size(); ++o)
      if (!(numbers[o] <= worst.error)) worst = {numbers[o], o, of_gradient};
  };
  look(error.values, false);
  look(error.gradients, true);
  return worst;
}

std::string subject(const Result& result, const Worst& worst) {
  return (worst.of_gradient ? "the gradient of " : "") +
         in_quotes(result.objectives[worst.objective].name);
}

// NaN in all numbers of a design, as of others that failed.
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

// Estimates of a run, by design.
class ErrorEstimates {
 public:
  ErrorEstimates(const CompiledMechanism& mechanism, const Options& options, bool with_gradient,
                 Solution& solution)
      : mechanism_(mechanism),
        options_(options),
        with_gradient_(with_gradient),
        solution_(solution),
        order_(order_of(mechanism.request())) {}

  void run() {
    const double step = mechanism_.request().step;
    std::vector<std::size_t> designs;
    find_states();
    for (std::size_t d = 0; d < solution_.result.n_design; d += options_.estimate_every)
      if (solution_.result.status[d].ok) designs.push_back(d);
    const std::size_t half = mechanism_.request().steps / 2;
    if (half > 0)
      designs = compare(designs, step * static_cast<double>(mechanism_.request().steps) /
                                     static_cast<double>(half));
    compare(designs, 0.5 * step);
    remark();
  }

 private:
  // Where the motions of the designs that are looked at end: a batch does not record that.
  void find_states() {
    if (!solution_.final_states.empty()) {
      states_ = solution_.final_states;
      return;
    }
    std::vector<std::size_t> all;
    for (std::size_t d = 0; d < solution_.result.n_design; d += options_.estimate_every)
      all.push_back(d);
    const auto again = solve_by_step(mechanism_, options_, designs_of(solution_.result, all),
                                     mechanism_.request().step, false);
    if (again) states_ = again->final_states;
  }
  std::span<const double> state_of(std::size_t design) const {
    return row_of(states_, design / options_.estimate_every,
                  2 * solution_.result.coordinates.size());
  }

  // Errors from runs by another step, of those designs that this one says enough about; returns
  // the others.
  std::vector<std::size_t> compare(const std::vector<std::size_t>& designs, double step) {
    if (designs.empty()) return {};
    const Result& result = solution_.result;
    const auto other =
        solve_by_step(mechanism_, options_, designs_of(result, designs), step, with_gradient_);
    if (!other) return designs;
    const double steps_ratio = std::pow(step / mechanism_.request().step, order_);
    const bool is_coarser = steps_ratio > 1.0;
    std::vector<std::size_t> left;
    for (std::size_t k = 0; k < designs.size(); ++k) {
      if (!other->result.status[k].ok) {
        left.push_back(designs[k]);
        continue;
      }
      Change change = change_between(result, designs[k], other->result, k);
      if (!states_.empty())
        change.state = change_of_state(
            state_of(designs[k]), row_of(other->final_states, k, 2 * result.coordinates.size()));
      // A change as large as this says little about steps as short as these.
      if (is_coarser && !(change.largest() <= kRemarkableError)) {
        left.push_back(designs[k]);
        continue;
      }
      scale_by(1.0 / std::abs(steps_ratio - 1.0), change);
      keep(designs[k], change);
    }
    if (!is_coarser) unknown_ = left;
    return left;
  }

  void keep(std::size_t design, const Change& error) {
    Result& result = solution_.result;
    const std::size_t objectives = result.objectives.size();
    std::copy(error.values.begin(), error.values.end(),
              result.objective_errors.begin() + static_cast<std::ptrdiff_t>(design * objectives));
    std::copy(error.gradients.begin(), error.gradients.end(),
              result.gradient_errors.begin() + static_cast<std::ptrdiff_t>(design * objectives));
    ++estimated_;
    const Worst worst = worst_of(error);
    if (!(worst.error <= kRemarkableError)) {
      ++remarkable_;
      if (!(worst.error <= worst_.error)) worst_ = worst, worst_design_ = design;
    }
    for (std::size_t o = 0; o < objectives; ++o)
      if (is_useless(error, o)) return fail(design, error);
  }

  void fail(std::size_t design, const Change& error) {
    const Worst worst = worst_of(error);
    fail_design(solution_.result, design,
                "the estimated error of " + subject(solution_.result, worst) + " is " +
                    percent(worst.error) + " (the step of " +
                    rounded_text(mechanism_.request().step, 3) +
                    " s is too long for this motion, or no step is short enough for one that "
                    "forgets where it began); reduce the step, or ask for an accuracy");
  }

  void remark() const {
    if (!options_.log) return;
    const Result& result = solution_.result;
    const std::string of_designs =
        result.n_design == 1 ? "" : " of design " + std::to_string(worst_design_);
    if (remarkable_ > 0)
      options_.log("errors: " + subject(result, worst_) + of_designs +
                   " is estimated to be wrong by " + percent(worst_.error) +
                   (result.n_design == 1
                        ? ""
                        : ", and " + std::to_string(remarkable_) + " of " +
                              std::to_string(estimated_) + " designs looked at by more than 1 %") +
                   "; reduce the step, or ask for an accuracy");
    if (!unknown_.empty())
      options_.log("errors: those of " + std::to_string(unknown_.size()) +
                   (unknown_.size() == 1 ? " design are" : " designs are") +
                   " not known, since motions by half the step fail; look for what they meet");
  }

  const CompiledMechanism& mechanism_;
  const Options& options_;
  bool with_gradient_;
  Solution& solution_;
  int order_;
  std::vector<double> states_;  // [design looked at, 2 n_coordinate]
  std::size_t estimated_ = 0, remarkable_ = 0;
  Worst worst_;
  std::size_t worst_design_ = 0;
  std::vector<std::size_t> unknown_;
};

void make_room_for_errors(Result& result, bool with_gradient) {
  const std::size_t rows = result.n_design * result.objectives.size();
  result.objective_errors.assign(rows, kUnknown);
  result.gradient_errors.assign(with_gradient ? rows : 0, kUnknown);
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

// Rounds of --accuracy: each run is compared with the one before, which was less fine.
constexpr int kMostRounds = 8;
constexpr double kTightest = 1e-14;  // rtol: round-off
constexpr double kMostAccurateSteps = 1e7;

// How fine a run is: the tolerance of adaptive integrators, or the step.
struct Fineness {
  bool is_adaptive = false;
  int order = 0;
  double size = 0.0;

  // The share of what changed from a coarser run that is the error of this one. Errors of adaptive
  // integrators are not always in proportion to tolerances.
  double share_of_change(double coarser) const {
    if (is_adaptive) return 1.0;
    return 1.0 / (std::pow(coarser / size, order) - 1.0);
  }
  Fineness finer(double error, double accuracy) const {
    Fineness next = *this;
    const double wanted = std::isfinite(error) ? 0.3 * accuracy / error : 0.0;
    next.size *= is_adaptive ? std::clamp(wanted, 1e-3, 0.1)
                             : std::clamp(std::pow(wanted, 1.0 / order), 1.0 / 32.0, 0.5);
    return next;
  }
};

class AccuracyRun {
 public:
  AccuracyRun(const CompiledMechanism& mechanism, const Options& options, bool with_gradient)
      : mechanism_(mechanism),
        options_(options),
        with_gradient_(with_gradient),
        accuracy_(*options.accuracy) {
    choose_integrator();
  }

  Result run() {
    const auto first = compile(chosen_, Fineness{});
    Fineness fineness = first_fineness(first->request());
    Solution before = solve_with(fineness);
    double error = std::numeric_limits<double>::infinity();
    Solution best;
    Fineness of_best;
    for (int round = 0; round < kMostRounds; ++round) {
      const Fineness finer = round == 0 ? next_of(fineness) : fineness.finer(error, accuracy_);
      if (is_beyond_reach(finer, first->request())) break;
      Solution now = solve_with(finer);
      const double found = note_errors(before, now, finer.share_of_change(fineness.size));
      const bool improves = !(found >= error);
      before = now;
      fineness = finer;
      if (improves || best.result.status.empty()) best = std::move(now), of_best = finer;
      if (found <= accuracy_) break;
      if (!improves && round > 2) break;  // round-off
      error = std::min(error, found);
    }
    if (best.result.status.empty()) best = std::move(before), of_best = fineness;
    conclude(best.result, of_best);
    return std::move(best.result);
  }

 private:
  using Compiled = std::shared_ptr<const CompiledMechanism>;

  // An adaptive method of high order with sensitivities that control the steps, where the user
  // names neither formulation nor integrator and the method of the gradient allows it.
  void choose_integrator() {
    chosen_ = options_;
    chosen_.log = nullptr;
    chosen_.accuracy.reset();
    chosen_.estimate_every = 0;
    const MotionRequest& request = mechanism_.request();
    if (request.is_adaptive() || options_.integrator || options_.formulation) return;
    if (with_gradient_ && options_.method == "continuous-adjoint") return;
    const auto& possible = request.formulation->integrators;
    if (possible.empty()) return;  // kinematic
    if (request.formulation->has_stages)
      chosen_.formulation = ties(mechanism_.plan()).empty() ? "semi-recursive" : "index1";
    chosen_.integrator = "dop853";
    chosen_.columns_in_error = true;
  }

  Fineness first_fineness(const MotionRequest& request) const {
    if (!request.is_adaptive()) return {false, order_of(request), request.step};
    return {true, 0, std::clamp(0.1 * accuracy_, 1e-12, 1e-5)};
  }
  static Fineness next_of(const Fineness& first) {
    return {first.is_adaptive, first.order, first.size * (first.is_adaptive ? 0.1 : 0.5)};
  }
  static bool is_beyond_reach(const Fineness& finer, const MotionRequest& request) {
    const double duration = request.step * static_cast<double>(request.steps);
    return finer.is_adaptive ? finer.size < kTightest : duration / finer.size > kMostAccurateSteps;
  }

  Compiled compile(Options options, const Fineness& fineness) const {
    if (fineness.size > 0.0 && fineness.is_adaptive) {
      options.rtol = fineness.size;
      options.atol = 1e-2 * fineness.size;
    } else if (fineness.size > 0.0) {
      options.step = fineness.size;
    }
    return std::make_shared<const CompiledMechanism>(mechanism_.model(), options);
  }

  Solution solve_with(const Fineness& fineness) {
    const Compiled mechanism = compile(chosen_, fineness);
    remarks_.clear();
    Options logged = chosen_;
    if (options_.log) logged.log = [this](const std::string& line) { remarks_.push_back(line); };
    Solution solution = solve(mechanism, logged, with_gradient_, false);
    ++runs_;
    double most = 0.0;
    for (const double steps : solution.result.step_count)
      if (steps > most) most = steps;
    steps_ +=
        mechanism->request().is_adaptive() ? most : static_cast<double>(solution.result.steps);
    return solution;
  }

  // Estimated errors of the finer of two runs; returns the largest of designs that succeeded.
  double note_errors(const Solution& coarse, Solution& fine, double share) const {
    Result& result = fine.result;
    make_room_for_errors(result, with_gradient_);
    const std::size_t objectives = result.objectives.size();
    double most = 0.0;
    for (std::size_t d = 0; d < result.n_design; ++d) {
      if (!result.status[d].ok) continue;
      if (!coarse.result.status[d].ok) {
        most = std::numeric_limits<double>::infinity();
        continue;
      }
      Change change = change_between(result, d, coarse.result, d);
      scale_by(share, change);
      const auto to = static_cast<std::ptrdiff_t>(d * objectives);
      std::copy(change.values.begin(), change.values.end(), result.objective_errors.begin() + to);
      std::copy(change.gradients.begin(), change.gradients.end(),
                result.gradient_errors.begin() + to);
      const double largest = change.largest();
      most = std::isnan(largest) ? largest : std::max(most, largest);
    }
    return most;
  }

  // Designs that did not get there fail.
  void conclude(Result& result, const Fineness& fineness) const {
    const std::size_t objectives = result.objectives.size();
    double most = 0.0;
    for (std::size_t d = 0; d < result.n_design; ++d) {
      if (!result.status[d].ok) continue;
      Change error;
      if (!result.objective_errors.empty()) {
        const auto values = row_of(result.objective_errors, d, objectives);
        error.values.assign(values.begin(), values.end());
      }
      if (!result.gradient_errors.empty()) {
        const auto rows = row_of(result.gradient_errors, d, objectives);
        error.gradients.assign(rows.begin(), rows.end());
      }
      const Worst worst = worst_of(error);
      if (objectives == 0 || worst.error <= accuracy_) {
        most = std::max(most, worst.error);
        continue;
      }
      fail_design(result, d,
                  "the accuracy " + to_text(accuracy_) +
                      " is out of reach (the estimated error of " + subject(result, worst) +
                      " is " + rounded_text(worst.error, 2) +
                      " where round-off or the number of steps ends it); ask for less, or shorten "
                      "the motion");
    }
    result.accuracy = accuracy_;
    if (!options_.log) return;
    for (const std::string& line : remarks_) options_.log(line);
    if (!result.all_ok()) return;
    options_.log("accuracy: " + result.formulation +
                 (result.integrator.empty() ? "" : " by " + result.integrator) + " with " +
                 (fineness.is_adaptive ? "rtol " : "steps of ") + rounded_text(fineness.size, 3) +
                 (fineness.is_adaptive ? "" : " s") + " is estimated to be wrong by " +
                 rounded_text(most, 2) + " at most; it took " + std::to_string(runs_) +
                 " runs with " + rounded_text(steps_, 3) + " steps");
  }

  const CompiledMechanism& mechanism_;
  const Options& options_;
  bool with_gradient_;
  double accuracy_;
  Options chosen_;
  std::vector<std::string> remarks_;  // of the last run
  int runs_ = 0;
  double steps_ = 0.0;
};

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

bool estimates_errors(const CompiledMechanism& mechanism, const Options& options) {
  return options.estimate_every > 0 && !mechanism.request().is_adaptive() &&
         !mechanism.plan().objectives.empty();
}

void estimate_errors(const CompiledMechanism& mechanism, const Options& options, bool with_gradient,
                     Solution& solution) {
  Stopwatch watch;
  make_room_for_errors(solution.result, with_gradient);
  ErrorEstimates(mechanism, options, with_gradient, solution).run();
  solution.result.timing.estimate_s = watch.lap();
}

Result solve_to_accuracy(const CompiledMechanism& mechanism, const Options& options,
                         bool with_gradient) {
  const double accuracy = *options.accuracy;
  if (!(accuracy > 0.0 && accuracy < 1.0))
    throw InputError("accuracy: found " + to_text(accuracy) +
                     ", expected a number between 0 and 1");
  if (options.rtol || options.atol)
    throw InputError(
        "accuracy: found together with rtol or atol (which it chooses itself); leave one of them "
        "out");
  return AccuracyRun(mechanism, options, with_gradient).run();
}

}  // namespace gradus
