// The verb `fit`: runs all starts together, then evaluates and checks the best of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

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
    result.run.step_errors = model_.step_errors(solution.point, evaluation);
    model_.runner().remark_on(result.run.step_errors);
    result.sum_of_squares = solution.sums.sum;
    result.gradient_norm = solution.start_gradient_norm > 0.0
                               ? solution.gradient_norm / solution.start_gradient_norm
                               : 0.0;
    add_statistics(evaluation.jacobian, result);
    add_residuals(evaluation.computed, result);
    const bool is_small = solution.sums.sum < kSmallSum * solution.history.front().sum_of_squares;
    result.check_deviation = gradient_deviation(
        problem_, is_small ? solution.start : solution.point,
        [&](const std::vector<double>& point) { return model_.sums({point}).front(); },
        [&](const std::vector<std::vector<double>>& all) { return model_.sums_of_motion(all); });
    if (!(result.check_deviation <= largest_fit_deviation))
      result.warnings.push_back("the gradient of the sum differs from central differences by " +
                                to_text(result.check_deviation) +
                                " of what it may be: the result is not to be trusted");
    result.succeeded = solution.converged && result.check_deviation <= largest_fit_deviation;
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
    result.check_deviation = result.residual_deviation = kNaN;
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

constexpr std::array kSteps{1e-3, 1e-4, 1e-5, 1e-6};  // relative to the size of a variable
constexpr double kWeakEffect = 1e-6;                  // effect of a variable, relative to others

class Differences {
 public:
  Differences(const LeastSquaresProblem& problem, std::vector<double> point)
      : point_(std::move(point)) {
    const std::vector<double> scales = variable_scales(problem);
    for (std::size_t i = 0; i < point_.size(); ++i) {
      const double size = size_at(point_[i], scales[i]);
      const double room = 0.5 * (problem.upper[i] - problem.lower[i]);
      sizes_.push_back(std::min(size, room / kSteps[0]));
      const double step = kSteps[0] * sizes_[i];
      point_[i] = std::clamp(point_[i], problem.lower[i] + step, problem.upper[i] - step);
    }
  }

  double deviation(const Ask& ask, const SumsOfSquares& sums_of_squares) const {
    LeastSquaresSums sums;
    if (!unpack(ask(point_), point_.size(), sums)) return std::numeric_limits<double>::infinity();
    const std::vector<double> values = sums_of_squares(points());
    // Variables with hardly any effect are measured against the effect of the others.
    double least_bound = 0.0;
    for (std::size_t i = 0; i < point_.size(); ++i)
      least_bound = std::max(least_bound, kWeakEffect * sizes_[i] * bound(i, sums));
    double largest = 0.0;
    for (std::size_t i = 0; i < point_.size(); ++i)
      largest = std::max(largest, deviation(i, least_bound, sums, values));
    return largest;
  }

 private:
  // Both sides of the point, for each step of each variable.
  std::vector<std::vector<double>> points() const {
    std::vector<std::vector<double>> all;
    for (std::size_t i = 0; i < point_.size(); ++i)
      for (const double step : kSteps)
        for (const double side : {-1.0, 1.0}) {
          all.push_back(point_);
          all.back()[i] += side * step * sizes_[i];
        }
    return all;
  }

  // Cauchy-Schwarz: an entry of |2 J^T r| is at most twice the norm of its column times that of r.
  double bound(std::size_t i, const LeastSquaresSums& sums) const {
    return 2.0 * std::sqrt(sums.sum * sums.normal[i * point_.size() + i]);
  }

  double deviation(std::size_t i, double least_bound, const LeastSquaresSums& sums,
                   const std::vector<double>& values) const {
    if (!(sizes_[i] > 0.0)) return 0.0;  // its bounds leave it no room
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < kSteps.size(); ++k) {
      const std::size_t at = 2 * (i * kSteps.size() + k);
      const double width = 2.0 * kSteps[k] * sizes_[i];
      const double error = std::abs((values[at + 1] - values[at]) / width - 2.0 * sums.gradient[i]);
      const double scale = std::max(bound(i, sums), least_bound / sizes_[i]);
      const double relative = error == 0.0 ? 0.0 : error / scale;
      if (relative < best) best = relative;
    }
    return best;
  }

  std::vector<double> point_;
  std::vector<double> sizes_;
};

}  // namespace

FitResult fit(const Study& study, const StudySettings& settings) {
  return FitRun(study, settings).result();
}

double gradient_deviation(const LeastSquaresProblem& problem, const std::vector<double>& point,
                          const Ask& ask, const SumsOfSquares& sums) {
  return Differences(problem, point).deviation(ask, sums);
}

}  // namespace gradus
