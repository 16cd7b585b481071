// The verb `fit`: all starts together, then what the best of them says.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/results/fit_document.hpp"
#include "src/study/fit/fit_check.hpp"
#include "src/study/fit/fit_model.hpp"
#include "src/study/fit/fit_statistics.hpp"
#include "src/study/journal.hpp"
#include "src/study/meter.hpp"
#include "src/study/processes.hpp"
#include "src/study/run_folder.hpp"
#include "src/study/run_record.hpp"
#include "src/study/variables.hpp"

namespace gradus {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
// Below this part of the sum at the start, that at the result is too small to be differenced.
constexpr double kSmallSum = 1e-4;

struct Interrupted {};

class FitRun {
 public:
  FitRun(const Study& study, const StudySettings& settings)
      : settings_(settings),
        model_(logging(study, settings), study.fit ? study.fit->starts : 1),
        problem_(model_.problem()),
        folder_(study, settings, "fit", model_.runner().backend_kind()),
        starts_(start_points(model_.fit().variables, model_.fit().starts, model_.fit().seed)),
        meter_(settings, "evaluations", 0) {
    if (settings.processes.count > 1 && !folder_.exists())
      throw InputError("processes: they share a study by its folder of results, but none is named");
  }

  FitResult result() {
    FitResult result;
    result.run = model_.runner().info();
    result.fit = model_.fit();
    result.complete = folder_.complete();
    if (result.complete) return result;
    if (!run_own()) return result;
    result.complete = !stops([&] {
      if (is_first(settings_.processes)) finish(result);
    });
    return result;
  }

 private:
  static Study logging(Study study, const StudySettings& settings) {
    if (settings.log) study.options.log = settings.log;
    return study;
  }

  // Whether any process was interrupted in this part.
  bool stops(const std::function<void()>& part) const {
    bool interrupted = false;
    agree(settings_.processes, [&] {
      try {
        part();
      } catch (const Interrupted&) {
        interrupted = true;
      }
    });
    return any_of(settings_.processes, interrupted);
  }

  // Every process takes its own starts. Whether all went to their ends.
  bool run_own() {
    return !stops([&] {
      const auto rank = static_cast<std::size_t>(settings_.processes.rank);
      const auto count = static_cast<std::size_t>(settings_.processes.count);
      std::vector<std::size_t> own;
      for (std::size_t k = rank; k < starts_.size(); k += count) own.push_back(k);
      solutions_ = solve(own, settings_.processes.rank);
    });
  }

  std::vector<LeastSquaresSolution> solve(const std::vector<std::size_t>& starts, int rank) {
    Journal journal(folder_.work(), rank);
    const Evaluate remembered = journal.remembering(
        [this](const std::vector<Request>& requests) { return evaluate(requests); });
    const Evaluate of_starts = [&](std::vector<Request> requests) {
      for (Request& request : requests) request.task = starts[request.task];
      return remembered(requests);
    };
    std::vector<LeastSquaresSolution> solutions(starts.size());
    const auto body = [&](std::size_t task, const Ask& ask) {
      LeastSquaresProblem problem = problem_;
      problem.start = starts_[starts[task]];
      solutions[task] = levenberg_marquardt(problem, ask);
    };
    run_together(starts.size(), body, of_starts);
    return solutions;
  }

  std::vector<Answer> evaluate(const std::vector<Request>& requests) {
    if (settings_.interrupted && settings_.interrupted()) throw Interrupted();
    std::vector<std::vector<double>> points;
    for (const Request& request : requests) points.push_back(request.point);
    std::vector<Answer> answers = model_.sums(points);
    evaluations_ += requests.size();
    for (const Answer& answer : answers)
      if (!answer.empty() && !(answer[0] >= least_)) least_ = answer[0];
    meter_.show(static_cast<double>(evaluations_),
                std::isnan(least_) ? "" : "sum of squares " + to_text(least_));
    return answers;
  }

  // Of one process. Where others ran starts, theirs are asked for once more, which all journals
  // together answer.
  void finish(FitResult& result) {
    if (settings_.processes.count > 1) {
      std::vector<std::size_t> all;
      for (std::size_t k = 0; k < starts_.size(); ++k) all.push_back(k);
      solutions_ = solve(all, 0);
    }
    add_starts(result);
    result.best = best_fit_start(result.starts, problem_.round_off);
    add_best(solutions_[result.best], result);
    if (!folder_.exists()) return;
    write_run_record(folder_.path(), {"evaluations", evaluations_, meter_.seconds(),
                                      model_.runner().backend(), settings_.processes.count});
    results::write_fit(folder_.path(), result);
    folder_.finish();
  }

  void add_starts(FitResult& result) const {
    for (std::size_t k = 0; k < solutions_.size(); ++k) {
      const LeastSquaresSolution& solution = solutions_[k];
      const bool evaluated = !solution.sums.gradient.empty();
      result.starts.push_back({starts_[k], solution.point, evaluated ? solution.sums.sum : kNaN,
                               solution.iterations, solution.converged, solution.reason});
      for (const LeastSquaresRow& row : solution.history)
        result.history.push_back({k, row.iteration, row.sum, row.gradient_norm, row.damping});
    }
  }

  void add_best(const LeastSquaresSolution& solution, FitResult& result) const {
    const std::vector<double>& start = starts_[result.best];
    FittedPoint fitted{model_.variables(), start, solution.point, {}, kNaN, {}};
    for (std::size_t i = 0; i < start.size(); ++i)
      fitted.at_bound.push_back(solution.point[i] <= problem_.lower[i] ||
                                solution.point[i] >= problem_.upper[i]);
    FitEvaluation evaluation;
    if (solution.sums.gradient.empty() || !model_.evaluate(solution.point, evaluation)) {
      add_nothing(fitted, result);
      return;
    }
    fitted.sum_of_squares = solution.sums.sum;
    fitted.jacobian = std::move(evaluation.jacobian);
    result.sum_of_squares = solution.sums.sum;
    result.gradient_norm = solution.start_gradient_norm > 0.0
                               ? solution.gradient_norm / solution.start_gradient_norm
                               : 0.0;
    add_statistics(fitted, result);
    add_residuals(evaluation.computed, result);
    const bool is_small = solution.sums.sum < kSmallSum * solution.history.front().sum;
    result.check_deviation = gradient_deviation(
        problem_, is_small ? start : solution.point,
        [&](const std::vector<double>& point) { return model_.sums({point}).front(); },
        [&](const std::vector<std::vector<double>>& all) { return model_.sums_of_motion(all); });
    if (!(result.check_deviation <= largest_fit_deviation))
      result.warnings.push_back("the gradient of the sum differs from central differences by " +
                                to_text(result.check_deviation) +
                                " of what it may be: the result is not to be trusted");
    result.succeeded = solution.converged && result.check_deviation <= largest_fit_deviation;
  }

  // No start had a motion.
  static void add_nothing(const FittedPoint& fitted, FitResult& result) {
    for (std::size_t i = 0; i < fitted.point.size(); ++i)
      result.parameters.push_back(
          {fitted.variables[i], fitted.start[i], kNaN, kNaN, kNaN, kNaN, false});
    const std::size_t n = fitted.point.size();
    result.covariance.assign(n * n, kNaN);
    result.correlation.assign(n * n, kNaN);
    result.sum_of_squares = kNaN;
    result.gradient_norm = kNaN;
    result.check_deviation = kNaN;
    result.residual_deviation = kNaN;
    result.warnings.push_back("nothing was fitted: the motion fails at every start");
  }

  void add_residuals(const std::vector<double>& computed, FitResult& result) const {
    for (const Measurement& measurement : model_.fit().measurements)
      for (std::size_t k = 0; k < measurement.time.size(); ++k)
        result.residuals.push_back({measurement.sensor, measurement.time[k], measurement.value[k],
                                    computed[result.residuals.size()]});
  }

  const StudySettings& settings_;
  FitModel model_;
  LeastSquaresProblem problem_;
  RunFolder folder_;
  std::vector<std::vector<double>> starts_;
  Meter meter_;
  std::vector<LeastSquaresSolution> solutions_;  // of the own starts, then of all
  std::size_t evaluations_ = 0;
  double least_ = kNaN;
};

}  // namespace

FitResult fit(const Study& study, const StudySettings& settings) {
  return FitRun(study, settings).result();
}

}  // namespace gradus
