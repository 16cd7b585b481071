// Errors from runs by twice or half the step: what halving the steps changes is all of the error
// but a share that the order of the method tells.
#include "src/sensitivity/error_estimates.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/motion/time_loop.hpp"

namespace gradus {
namespace {

constexpr double kUseless = 1.0;
constexpr double kLeastPart = 0.1;  // of the step

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
  if (other.kernels == "specialised") other.kernels = "auto";  // for a few designs, by other steps
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
bool is_useless(const RunChange& error, std::size_t o) {
  const bool cancels = error.values[o] > 10.0 * kRemarkableError && error.state < kRemarkableError;
  if (cancels) return false;
  if (error.values[o] > kUseless) return true;
  return !error.gradients.empty() && error.gradients[o] > kUseless &&
         (!(error.state < kRemarkableError) || error.weights[o] > 1e-3);
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
        order_(order_of(mechanism.request(), options.method)) {}

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
    // Where steps are halved, those of half the length may be the same.
    for (double part = 0.5; part >= kLeastPart && !designs.empty(); part *= 0.5) {
      designs = compare(designs, part * step);
      const auto halves = [&](std::size_t d) { return solution_.result.rejected_steps[d] > 0.0; };
      std::ranges::remove_copy_if(designs, std::back_inserter(unknown_), halves);
      std::erase_if(designs, std::not_fn(halves));
    }
    unknown_.insert(unknown_.end(), designs.begin(), designs.end());
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
      if (!other->result.status[k].ok || !differ_in_steps(result, designs[k], other->result, k)) {
        left.push_back(designs[k]);
        continue;
      }
      RunChange change = change_between(result, designs[k], other->result, k);
      if (!states_.empty())
        change.state = change_of_state(
            state_of(designs[k]), row_of(other->final_states, k, 2 * result.coordinates.size()));
      // A change as large as this says little about steps as short as these.
      if (is_coarser && !(change.largest() <= kRemarkableError)) {
        left.push_back(designs[k]);
        continue;
      }
      change.scale_by(1.0 / std::abs(error_ratio(designs[k], other->result, k, steps_ratio) - 1.0));
      keep(designs[k], change);
    }
    return left;
  }

  // Errors of another run over those of this one, by the order of the method: as the lengths of
  // the steps, or as their numbers where some are halved.
  double error_ratio(std::size_t design, const Result& other, std::size_t k,
                     double steps_ratio) const {
    const Result& result = solution_.result;
    if (result.rejected_steps[design] == 0.0 && other.rejected_steps[k] == 0.0) return steps_ratio;
    return std::pow(result.step_count[design] / other.step_count[k], order_);
  }

  void keep(std::size_t design, const RunChange& error) {
    Result& result = solution_.result;
    note_error(result, design, error);
    ++estimated_;
    const LargestError worst = largest_error(error);
    if (!(worst.error <= kRemarkableError)) {
      ++remarkable_;
      if (!(worst.error <= worst_.error)) worst_ = worst, worst_design_ = design;
    }
    for (std::size_t o = 0; o < result.objectives.size(); ++o)
      if (is_useless(error, o)) return fail(design, error);
  }

  void fail(std::size_t design, const RunChange& error) {
    const LargestError worst = largest_error(error);
    fail_design(solution_.result, design,
                "the estimated error of " + subject_of(solution_.result, worst) + " is " +
                    percent_text(worst.error) + " (the step of " +
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
      options_.log("errors: " + subject_of(result, worst_) + of_designs +
                   " is estimated to be wrong by " + percent_text(worst_.error) +
                   (result.n_design == 1
                        ? ""
                        : ", and " + std::to_string(remarkable_) + " of " +
                              std::to_string(estimated_) + " designs looked at by more than 1 %") +
                   "; reduce the step, or ask for an accuracy");
    if (!unknown_.empty())
      options_.log(
          "errors: those of " + std::to_string(unknown_.size()) +
          (unknown_.size() == 1 ? " design are" : " designs are") +
          " not known, since motions by half the step fail, or come to the same steps where "
          "both are halved; look for what they meet, or reduce the step");
  }

  const CompiledMechanism& mechanism_;
  const Options& options_;
  bool with_gradient_;
  Solution& solution_;
  int order_;
  std::vector<double> states_;  // [design looked at, 2 n_coordinate]
  std::size_t estimated_ = 0, remarkable_ = 0;
  LargestError worst_;
  std::size_t worst_design_ = 0;
  std::vector<std::size_t> unknown_;
};

}  // namespace

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

}  // namespace gradus
