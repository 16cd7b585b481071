// The verb `fit`: runs all starts together, then evaluates and checks the best of them.
#include <algorithm>
#include <cmath>

#include "src/model/message.hpp"
#include "src/results/study_folders.hpp"
#include "src/study/fit/fit_model.hpp"
#include "src/study/sampling/distribution.hpp"
#include "src/study/starts.hpp"
#include "src/study/study_reader.hpp"

namespace gradus {
namespace {

// Below this part of the sum at the start, the sum at the result is too small to be differenced.
constexpr double kSmallSum = 1e-4;

class FitRun {
 public:
  FitRun(const Study& study, const StudySettings& settings)
      : model_(with_settings(study, settings), study.fit ? study.fit->starts : 1),
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
        run_.run(
            {solve, [&](const auto& points) { return evaluate(points); },
             [&] { return std::isnan(least_) ? "" : "sum of squares " + rounded_text(least_, 8); },
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
      result.starts.push_back(solutions_[k]);
      for (FitHistoryRow row : solutions_[k].history) {
        row.start = k;
        result.history.push_back(row);
      }
    }
  }

  void add_best(const LeastSquaresSolution& solution, FitResult& result) const {
    const std::vector<NamedUnit> variables = model_.variables();
    for (std::size_t i = 0; i < variables.size(); ++i)
      result.parameters.push_back(
          {variables[i], solution.start[i], solution.point[i], kNaN, kNaN, kNaN,
           solution.point[i] <= problem_.lower[i] || solution.point[i] >= problem_.upper[i]});
    FitEvaluation evaluation;
    if (solution.sums.gradient.empty() || !model_.evaluate(solution.point, evaluation)) {
      add_nothing(result);
      return;
    }
    result.constraint_violation = evaluation.constraint_violation;
    result.singular_passage = evaluation.singular_passage;
    result.splines_extrapolated = evaluation.splines_extrapolated;
    result.run.stiff_designs =
        static_cast<std::size_t>(std::ranges::count(evaluation.switched, 1.0));
    result.run.step_errors = model_.step_errors(solution.point, evaluation);
    model_.runner().remark_on(result.run.step_errors);
    result.sum_of_squares = solution.sums.sum;
    result.gradient_norm = solution.start_gradient_norm > 0.0
                               ? solution.gradient_norm / solution.start_gradient_norm
                               : 0.0;
    add_statistics(evaluation.jacobian, result);
    add_residuals(evaluation.computed, result);
    const bool is_small = solution.sums.sum < kSmallSum * solution.history.front().sum_of_squares;
    const GradientDeviation found = gradient_deviation(
        problem_, is_small ? solution.start : solution.point,
        [&](const std::vector<double>& point) { return model_.sums({point}).front(); },
        [&](const std::vector<double>& centre, const std::vector<std::vector<double>>& points) {
          return model_.sums_of_motion(centre, points);
        });
    result.check_deviation = found.deviation;
    result.check_error = found.error;
    if (!found.agrees()) result.warnings.push_back(warning_of(found));
    result.succeeded = solution.converged && found.agrees();
  }

  static std::string warning_of(const GradientDeviation& found) {
    if (!found.proves())
      return "the gradient of the sum is not proved: central differences, of which the best may be "
             "wrong by " +
             rounded_text(found.error, 2) +
             " of what the gradient may be, are too inexact; choose smaller steps or tolerances";
    return "the gradient of the sum differs from central differences by " +
           rounded_text(found.deviation, 2) +
           " of what it may be, though these are wrong by no more than " +
           rounded_text(found.error, 2) + ": the result is not to be trusted";
  }

  // The motion failed at every start.
  static void add_nothing(FitResult& result) {
    for (FittedParameter& parameter : result.parameters) {
      parameter.value = kNaN;
      parameter.at_bound = false;
    }
    const std::size_t n = result.parameters.size();
    result.covariance.assign(n * n, kNaN);
    result.correlation.assign(n * n, kNaN);
    result.sum_of_squares = result.gradient_norm = kNaN;
    result.check_deviation = result.check_error = result.residual_deviation = kNaN;
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
