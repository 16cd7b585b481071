// Problems of formulas for optimisers, in place of models.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "src/study/optimization/search.hpp"
#include "src/study/together.hpp"

namespace gradus::test {

// Values of all objectives and their gradients row by row, as answers have them.
struct AnalyticProblem {
  Optimization optimization;
  OptimizationTerms terms;
  std::function<Answer(const std::vector<double>&)> formula;

  void variable(double start, double lower, double upper) {
    terms.variables.push_back(optimization.variables.size());
    optimization.variables.push_back(
        {"x" + std::to_string(terms.variables.size()), start, lower, upper});
  }
  void constraint(std::size_t objective, double lower, double upper) {
    terms.constraints.push_back({objective, lower, upper});
    optimization.constraints.push_back({"g", lower, upper});
  }
  std::vector<double> start() const {
    std::vector<double> point;
    for (const Variable& v : optimization.variables) point.push_back(v.start);
    return point;
  }
};

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// Minimum of x + y on the disc of radius 1 about 0, moved and stretched: known, with an active
// nonlinear constraint and an active bound if `x` may not go below `bound`.
inline AnalyticProblem disc(const std::string& method, double bound) {
  AnalyticProblem problem;
  problem.optimization.method = method;
  problem.optimization.tolerance = 1e-14;
  problem.optimization.constraint_tolerance = 1e-9;
  problem.terms.objectives = 2;
  problem.terms.minimised = {{0, 3.0}};
  problem.variable(0.5, bound, 2.0);
  problem.variable(50.0, -300.0, 400.0);  // hundredths
  problem.constraint(1, -infinity, 10.0);
  problem.formula = [](const std::vector<double>& p) {
    const double x = p[0];
    const double y = p[1] / 100.0;
    return Answer{
        x + y + 0.1 * x * x, 10.0 * (x * x + y * y), 1.0 + 0.2 * x, 0.01, 20.0 * x, 0.2 * y};
  };
  return problem;
}

inline AnalyticProblem rosenbrock(const std::string& method) {
  AnalyticProblem problem;
  problem.optimization.method = method;
  problem.optimization.tolerance = 1e-12;
  problem.optimization.evaluations = 2000;
  problem.terms.objectives = 1;
  problem.terms.minimised = {{0, 1.0}};
  problem.variable(-1.2, -infinity, infinity);
  problem.variable(1.0, -infinity, infinity);
  problem.formula = [](const std::vector<double>& p) {
    const double a = 1.0 - p[0];
    const double b = p[1] - p[0] * p[0];
    return Answer{a * a + 100.0 * b * b, -2.0 * a - 400.0 * p[0] * b, 200.0 * b};
  };
  return problem;
}

// Minimum of (x - 0.5)^2 + (y + 2 x)^2 with x not below 0, by variables of any unit.
inline AnalyticProblem in_units(const std::string& method, double of_x, double of_y) {
  AnalyticProblem problem;
  problem.optimization.method = method;
  problem.optimization.tolerance = 1e-10;
  problem.terms.objectives = 1;
  problem.terms.minimised = {{0, 1.0}};
  problem.variable(0.8 * of_x, 0.0, infinity);
  problem.variable(1.2 * of_y, -infinity, infinity);
  problem.formula = [=](const std::vector<double>& p) {
    const double x = p[0] / of_x, y = p[1] / of_y;
    const double a = x - 0.5, b = y + 2.0 * x;
    return Answer{a * a + b * b, (2.0 * a + 4.0 * b) / of_x, 2.0 * b / of_y};
  };
  return problem;
}

struct SearchOutcome {
  OptimizationStart start;
  std::vector<HistoryRow> history;
  bool feasible = false;
};

// Runs starts together.
inline std::vector<SearchOutcome> solve(const AnalyticProblem& problem,
                                        const std::vector<std::vector<double>>& starts) {
  std::vector<SearchOutcome> outcomes(starts.size());
  run_together(
      starts.size(),
      [&](std::size_t task, const Ask& ask) {
        Search search(problem.optimization, problem.terms, task, starts[task], ask);
        search.run();
        outcomes[task] = {search.outcome(), search.history(), search.feasible()};
      },
      [&](const std::vector<Request>& requests) {
        std::vector<Answer> answers;
        for (const Request& request : requests) answers.push_back(problem.formula(request.point));
        return answers;
      });
  return outcomes;
}

inline SearchOutcome solve(const AnalyticProblem& problem) {
  return solve(problem, {problem.start()})[0];
}

}  // namespace gradus::test
