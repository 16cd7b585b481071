// Runs that get finer until two in a row agree: errors by comparison, as of fixed steps.
#include "src/sensitivity/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/validation.hpp"
#include "src/sensitivity/run_comparison.hpp"

namespace gradus {
namespace {

// Rounds of --accuracy: each run is compared with the one before, which was less fine.
constexpr int kMostRounds = 8;
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
  // Steps are divided into whole parts, so that they go on ending where values are due.
  Fineness finer(double error, double accuracy) const {
    Fineness next = *this;
    const double wanted = std::isfinite(error) ? 0.3 * accuracy / error : 0.0;
    if (is_adaptive)
      next.size *= std::clamp(wanted, 1e-3, 0.1);
    else
      next.size /= std::ceil(1.0 / std::clamp(std::pow(wanted, 1.0 / order), 1.0 / 32.0, 0.5));
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
    if (request.analysis.integrator.starts_with("radau")) {  // it is stiff, and can be controlled
      chosen_.rtol = request.analysis.rtol;
      return;
    }
    const auto& possible = request.formulation->integrators;
    if (possible.empty()) return;  // kinematic
    if (request.formulation->has_stages) chosen_.formulation = keys::automatic;
    chosen_.integrator = keys::automatic;
    chosen_.columns_in_error = true;
  }

  Fineness first_fineness(const MotionRequest& request) const {
    if (!request.is_adaptive()) return {false, order_of(request, options_.method), request.step};
    return {true, 0, std::clamp(0.1 * accuracy_, 1e-12, 1e-5)};
  }
  static Fineness next_of(const Fineness& first) {
    return {first.is_adaptive, first.order, first.size * (first.is_adaptive ? 0.1 : 0.5)};
  }
  static bool is_beyond_reach(const Fineness& finer, const MotionRequest& request) {
    const double duration = request.step * static_cast<double>(request.steps);
    return finer.is_adaptive ? finer.size < least_rtol : duration / finer.size > kMostAccurateSteps;
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
    double most = 0.0;
    for (std::size_t d = 0; d < result.n_design; ++d) {
      if (!result.status[d].ok) continue;
      if (!coarse.result.status[d].ok ||
          (!result.adaptive && !differ_in_steps(result, d, coarse.result, d))) {
        most = std::numeric_limits<double>::infinity();
        continue;
      }
      RunChange change = change_between(result, d, coarse.result, d);
      change.scale_by(share);
      note_error(result, d, change);
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
      RunChange error{};
      if (!result.objective_errors.empty()) {
        const auto values = row_of(result.objective_errors, d, objectives);
        error.values.assign(values.begin(), values.end());
      }
      if (!result.gradient_errors.empty()) {
        const auto rows = row_of(result.gradient_errors, d, objectives);
        error.gradients.assign(rows.begin(), rows.end());
      }
      const LargestError worst = largest_error(error);
      if (objectives == 0 || worst.error <= accuracy_) {
        most = std::max(most, worst.error);
        continue;
      }
      fail_design(result, d,
                  "the accuracy " + to_text(accuracy_) +
                      " is out of reach (the estimated error of " + subject_of(result, worst) +
                      " is " + rounded_text(worst.error, 2) +
                      " where round-off or the number of steps ends it); ask for less, or shorten "
                      "the motion");
    }
    result.accuracy = accuracy_;
    if (!options_.log) return;
    for (const std::string& line : remarks_) options_.log(line);
    if (!result.all_ok()) return;
    options_.log("accuracy: " + settings_text(result.formulation, result.integrator, fineness) +
                 in_the_place_of(result) + " is estimated to be wrong by " + rounded_text(most, 2) +
                 " at most; it took " + counted(static_cast<std::size_t>(runs_), "run") + " with " +
                 rounded_text(steps_, 3) + " steps");
  }

  static std::string settings_text(const std::string& formulation, const std::string& integrator,
                                   const Fineness& fineness) {
    return formulation + (integrator.empty() ? "" : " by " + integrator) + " with " +
           (fineness.is_adaptive ? "rtol " : "steps of ") + rounded_text(fineness.size, 3) +
           (fineness.is_adaptive ? "" : " s");
  }

  // What would have run otherwise, where model or options say something of it.
  std::string in_the_place_of(const Result& result) const {
    const MotionRequest& stated = mechanism_.request();
    const std::string& integrator = stated.analysis.integrator;
    const bool is_default =
        stated.is_adaptive() && stated.formulation->name == result.formulation &&
        (integrator == result.integrator || stated.stiff_integrator == result.integrator) &&
        stated.analysis.rtol == Analysis().rtol && stated.analysis.atol == Analysis().atol;
    if (is_default) return "";
    Fineness fineness{stated.is_adaptive(), 0, stated.step};
    if (fineness.is_adaptive) fineness.size = stated.analysis.rtol;
    return ", instead of " +
           settings_text(std::string(stated.formulation->name), integrator, fineness) + ",";
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

Result solve_to_accuracy(const CompiledMechanism& mechanism, const Options& options,
                         bool with_gradient) {
  const double accuracy = *options.accuracy;
  if (!(accuracy > 0.0 && accuracy < 1.0))
    throw InputError("accuracy: found " + to_text(accuracy) +
                     ", expected a number above 0 and below 1");
  if (options.rtol || options.atol)
    throw InputError(
        "accuracy: found together with rtol or atol (which it chooses itself); leave one of them "
        "out");
  return AccuracyRun(mechanism, options, with_gradient).run();
}

}  // namespace gradus
