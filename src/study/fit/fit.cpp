// The verb `fit`: runs all starts together, then evaluates the best of them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "src/model/message.hpp"
#include "src/results/study_folders.hpp"
#include "src/study/fit/fit_check.hpp"
#include "src/study/fit/fit_model.hpp"
#include "src/study/fit/fit_statistics.hpp"
#include "src/study/starts.hpp"
#include "src/study/variables.hpp"

namespace gradus {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
// Below this part of the sum at the start, the sum at the result is too small to be differenced.
constexpr double kSmallSum = 1e-4;

class FitRun {
 public:
  FitRun(const Study& study, const StudySettings& settings)
      : model_(with_log(study, settings), study.fit ? study.fit->starts : 1),
        problem_(model_.problem()),
        starts_(start_points(model_.fit().variables, model_.fit().starts, model_.fit().seed)),
        solutions_(starts_.size()),
        run_(study, settings, "fit", model_.runner(), starts_.size()) {}

  FitResult result() {
    FitResult result;
    result.run = model_.runner().info();
    result.fit = model_.fit();
    const auto solve = [&](std::size_t start, const Ask& ask) {
      LeastSquaresProblem problem = problem_;
      problem.start = starts_[start];
      solutions_[start] = levenberg_marquardt(problem, ask);
    };
    result.complete =
        run_.complete() ||
        run_.run({solve, [&](const auto& points) { return evaluate(points); },
                  [&] { return std::isnan(least_) ? "" : "sum of squares " + to_text(least_); },
                  [&] { conclude(result); },
                  [&](const auto& folder) { results::write_fit(folder, result); }});
    return result;
  }

 private:
  std::vector<Answer> evaluate(const std::vector<std::vector<double>>& points) {
    std::vector<Answer> answers = model_.sums(points);
    for (const Answer& answer : answers)
      if (!answer.empty() && !(answer[0] >= least_)) least_ = answer[0];
    return answers;
  }

  void conclude(FitResult& result) const {
    add_starts(result);
    result.best = best_fit_start(result.starts, problem_.round_off);
    add_best(solutions_[result.best], result);
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

  // The motion failed at every start.
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

  FitModel model_;
  LeastSquaresProblem problem_;
  std::vector<std::vector<double>> starts_;      // [n_start] points
  std::vector<LeastSquaresSolution> solutions_;  // [n_start], as far as they were run here
  Starts run_;
  double least_ = kNaN;
};

}  // namespace

FitResult fit(const Study& study, const StudySettings& settings) {
  return FitRun(study, settings).result();
}

}  // namespace gradus
