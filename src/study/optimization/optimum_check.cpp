// The optimum of an optimisation once more, by another method for sensitivities.
#include "src/study/optimization/optimum_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gradus/error.hpp"

namespace gradus {
namespace {

// What is allowed. Methods that are exact agree to round-off of the motion, which adaptive
// integrators amplify; the two others have errors of their own.
constexpr double exact_agreement = 1e-6;
constexpr double inexact_agreement = 1e-3;
constexpr double least_stationarity = 1e-4;

// In order; one that the model, its formulation or the backend does not allow is passed over.
std::vector<std::string> other_methods(const std::string& method) {
  if (method == "direct") return {"adjoint", "dual"};
  if (method == "dual") return {"direct", "adjoint"};
  return {"direct", "adjoint", "dual"};
}

bool is_exact(const std::string& method) {
  return method != "continuous-adjoint" && method != "finite-difference";
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b,
                          std::size_t first, std::size_t count) {
  double scale = 1.0;  // gradients at the start: those at an optimum may vanish
  double difference = 0.0;
  for (std::size_t k = first; k < first + count; ++k) {
    scale = std::max(scale, std::abs(a[k]));
    difference = std::max(difference, std::abs(a[k] - b[k]));
  }
  return difference / scale;
}

double gradient_deviation(const ScaledProblem& problem, const ScaledEvaluation& found,
                          const ScaledEvaluation& again) {
  const std::size_t n = problem.variables();
  double largest = largest_difference(found.gradient, again.gradient, 0, n);
  for (std::size_t row = 0; row < problem.constraints(); ++row)
    largest = std::max(largest, largest_difference(found.constraint_gradient,
                                                   again.constraint_gradient, row * n, n));
  return largest;
}

std::vector<std::string> active_names(const FirstOrder& order, const OptimizationTerms& terms,
                                      const OptimizationResult& result) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < terms.variables.size(); ++k)
    if (order.bound_active[k] != 0)
      names.push_back(result.optimization.variables[k].name +
                      (order.bound_active[k] < 0 ? " at its lower bound" : " at its upper bound"));
  for (std::size_t i = 0; terms.worst_case && i < terms.minimised.size(); ++i)
    if (order.active[terms.constraints.size() + i] != 0)
      names.push_back(result.objectives[terms.minimised[i].objective].name +
                      (result.optimization.maximize ? " as the smallest" : " as the largest"));
  for (std::size_t row = 0; row < terms.constraints.size(); ++row)
    if (order.active[row] != 0)
      names.push_back(result.constraints[row].name + (order.active[row] < 0 ? " at its minimum"
                                                      : order.active[row] == 1
                                                          ? " at its maximum"
                                                          : " as an equation"));
  return names;
}

std::string beyond(const char* what, double found, double allowed) {
  char text[160];
  std::snprintf(text, sizeof text, "%s by %.1e (allowed: %.1e)", what, found, allowed);
  return text;
}

void judge(OptimumCheck& check, double tolerance, double violation, double agreement) {
  const double stationary = std::max(least_stationarity, std::sqrt(tolerance));
  if (!(check.objective_deviation <= agreement))
    check.remark = beyond("the objective deviates", check.objective_deviation, agreement);
  else if (!(check.gradient_deviation <= agreement))
    check.remark = beyond("gradients deviate", check.gradient_deviation, agreement);
  else if (!(violation <= 1.0))
    check.remark = "constraints are violated beyond their tolerance";
  else if (!(check.stationarity <= stationary))
    check.remark = beyond("first-order conditions are missed", check.stationarity, stationary);
  check.passed = check.remark.empty();
}

}  // namespace

std::vector<Answer> answers_of(const Result& result, const std::vector<std::size_t>& variables) {
  const std::size_t objectives = result.objectives.size();
  const std::size_t parameters = result.parameters.size();
  std::vector<Answer> answers(result.n_design);
  for (std::size_t design = 0; design < result.n_design; ++design) {
    if (!result.status[design].ok) continue;
    for (std::size_t i = 0; i < objectives; ++i)
      answers[design].push_back(result.objective_values[design * objectives + i]);
    for (std::size_t i = 0; i < objectives; ++i)
      for (const std::size_t k : variables)
        answers[design].push_back(result.gradient[(design * objectives + i) * parameters + k]);
  }
  return answers;
}

std::optional<Recomputed> recompute(const DesignRunner& runner, const std::vector<double>& point,
                                    const std::vector<std::size_t>& variables) {
  for (const std::string& method : other_methods(runner.info().method)) {
    if (method == runner.info().method) continue;
    Options options = runner.options();
    options.method = method;
    options.log = {};
    try {
      const Result result = runner.run(point, true, options);
      Recomputed found{method,
                       answers_of(result, variables).at(0),
                       "",
                       result.constraint_violation,
                       result.singular_passage,
                       result.splines_extrapolated(),
                       result.switched};
      if (found.answer.empty()) found.failure = result.status.at(0).message;
      return found;
    } catch (const InputError&) {
    } catch (const BackendError&) {
    }
  }
  return std::nullopt;
}

OptimumCheck check_optimum(const std::optional<Recomputed>& again, const DesignRunner& runner,
                           const OptimizationTerms& terms, const Search& best,
                           const OptimizationResult& result) {
  OptimumCheck check;
  if (!again) {
    check.remark = "no other method for sensitivities serves this model";
    return check;
  }
  check.method = again->method;
  if (again->answer.empty()) {
    check.remark = "the motion fails: " + again->failure;
    return check;
  }
  const ScaledProblem& problem = best.problem();
  const ScaledEvaluation found = problem.evaluation(best.best_answer());
  const ScaledEvaluation recomputed = problem.evaluation(again->answer);
  const double sign = result.optimization.maximize ? -1.0 : 1.0;
  check.objective = sign * objective_of(terms, again->answer);
  check.objective_deviation =
      std::abs(found.objective - recomputed.objective) / std::max(1.0, std::abs(found.objective));
  check.gradient_deviation = gradient_deviation(problem, found, recomputed);
  check.constraint_violation = violation_of(terms, again->answer);
  const FirstOrder order =
      first_order(problem, best.best_x(), recomputed, enough_for(problem.tolerance()));
  check.stationarity = order.stationarity;
  for (std::size_t row = 0; row < terms.constraints.size(); ++row) {
    check.constraint_multipliers.push_back(order.multipliers[row] * problem.objective_scale /
                                           problem.constraint_scale[row]);
    check.constraint_active.push_back(order.active[row] != 0);
  }
  check.active = active_names(order, terms, result);
  const bool exact = is_exact(runner.info().method) && is_exact(again->method);
  judge(check, problem.tolerance(), problem.violation(recomputed),
        exact ? exact_agreement : inexact_agreement);
  return check;
}

}  // namespace gradus
