// The verb `optimize`: all starts together, then the best of them once more, by another method for
// sensitivities.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/results/study_folders.hpp"
#include "src/study/optimization/optimizer.hpp"
#include "src/study/optimization/search.hpp"
#include "src/study/starts.hpp"
#include "src/study/study_reader.hpp"

namespace gradus {
namespace {

const Optimization& optimization_of(const Study& study) {
  if (study.optimization) return *study.optimization;
  reject(study.name, "the study has no optimisation", "it has no section of that name",
         R"(add "optimize", or use another command)");
}

OptimizationTerms terms_of(const Study& study) {
  const Optimization& optimization = optimization_of(study);
  const std::string where = study.name + ": /optimize";
  OptimizationTerms terms = resolve(optimization, study.model, where);
  require_method(optimization.method, terms.has_constraints(), terms.has_equations(),
                 where + "/method");
  return terms;
}

// Results of designs as answers: values of all objectives, then their gradients by the variables
// of the study. Empty for designs that failed.
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

// The optimum once more, by another method for sensitivities. ------------------------------------

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

struct Recomputed {
  std::string method;
  Answer answer;
  std::string failure;
  std::vector<double> violation;             // [3] of the constraints of the motion
  std::vector<double> passage;               // [1]
  std::vector<double> splines_extrapolated;  // [1]
  std::vector<double> switched;              // [1], or none
};

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

// `result` has the optimisation and the names of its constraints.
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

class OptimizationRun {
 public:
  OptimizationRun(const Study& study, const StudySettings& settings)
      : study_(with_settings(study, settings)),
        optimization_(optimization_of(study_)),
        terms_(terms_of(study_)),
        runner_(study_, terms_.variables, optimization_.starts),
        starts_(start_points(optimization_.variables, optimization_.starts, optimization_.seed)),
        searches_(starts_.size()),
        run_(study_, settings, "optimize", runner_, starts_.size()) {}

  OptimizationResult result() {
    OptimizationResult result;
    result.run = runner_.info();
    result.optimization = optimization_;
    const auto search = [&](std::size_t start, const Ask& ask) {
      searches_[start] =
          std::make_unique<Search>(optimization_, terms_, start, starts_[start], ask);
      searches_[start]->run();
    };
    result.complete =
        run_.complete() ||
        run_.run({search, [&](const auto& points) { return evaluate(points); },
                  [&] { return remark(); }, [&] { conclude(result); },
                  [&](const auto& folder) { results::write_optimization(folder, result); }});
    return result;
  }

 private:
  std::vector<Answer> evaluate(const std::vector<std::vector<double>>& points) {
    std::vector<double> rows;
    for (const std::vector<double>& point : points)
      rows.insert(rows.end(), point.begin(), point.end());
    std::vector<Answer> answers =
        answers_of(runner_.run(rows, true, runner_.options()), terms_.variables);
    for (const Answer& answer : answers)
      if (!answer.empty()) look_at(answer);
    return answers;
  }

  // For the remark only; the searches judge exactly.
  void look_at(const Answer& answer) {
    const double violation = violation_of(terms_, answer);
    if (violation < least_violation_) least_violation_ = violation;
    const double objective = objective_of(terms_, answer);
    if (violation <= optimization_.constraint_tolerance && !(objective >= least_objective_))
      least_objective_ = objective;
  }

  std::string remark() const {
    if (!std::isnan(least_objective_))
      return "objective " +
             rounded_text(optimization_.maximize ? -least_objective_ : least_objective_, 8);
    if (std::isfinite(least_violation_))
      return "constraints violated by " + rounded_text(least_violation_, 3);
    return "no design so far";
  }

  void conclude(OptimizationResult& result) const {
    for (const std::unique_ptr<Search>& one : searches_) {
      result.starts.push_back(one->outcome());
      result.history.insert(result.history.end(), one->history().begin(), one->history().end());
    }
    result.best = best_start();
    add_names(result);
    add_optimum(*searches_[result.best], result);
  }

  // As minimised; what failed or violates constraints is above all that does not.
  double rank_of(const Search& search) const {
    if (search.best_answer().empty() || !search.feasible())
      return std::numeric_limits<double>::infinity();
    return objective_of(terms_, search.best_answer());
  }

  // The lowest feasible one. Of those that are as low but for the tolerance, the first that
  // converged.
  std::size_t best_start() const {
    double lowest = std::numeric_limits<double>::infinity();
    for (const auto& search : searches_) lowest = std::min(lowest, rank_of(*search));
    if (std::isinf(lowest)) return least_infeasible();
    const double as_low = lowest + optimization_.tolerance * std::abs(lowest);
    std::size_t best = searches_.size();
    const auto better = [&](std::size_t k) {
      if (best == searches_.size()) return true;
      return searches_[k]->outcome().converged && !searches_[best]->outcome().converged;
    };
    for (std::size_t k = 0; k < searches_.size(); ++k)
      if (rank_of(*searches_[k]) <= as_low && better(k)) best = k;
    return best;
  }

  std::size_t least_infeasible() const {
    std::size_t best = 0;
    for (std::size_t k = 1; k < searches_.size(); ++k)
      // NaN, of starts that failed, is never the least.
      if (!(searches_[k]->outcome().constraint_violation >=
            searches_[best]->outcome().constraint_violation) &&
          !searches_[k]->best_answer().empty())
        best = k;
    return best;
  }

  void add_names(OptimizationResult& result) const {
    result.objectives = runner_.names().objectives;
    for (const std::size_t index : terms_.variables)
      result.variables.push_back(runner_.names().parameters[index]);
    for (const OptimizationTerms::Row& row : terms_.constraints)
      result.constraints.push_back(result.objectives[row.objective]);
  }

  void add_optimum(const Search& best, OptimizationResult& result) const {
    const Answer& answer = best.best_answer();
    const std::size_t n = terms_.variables.size();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    if (answer.empty()) {
      result.objective_values.assign(terms_.objectives, nan);
      result.constraint_values.assign(terms_.constraints.size(), nan);
      result.objective_gradient.assign(n, nan);
      result.check.remark = "every design failed";
      return;
    }
    result.objective_values.assign(answer.begin(),
                                   answer.begin() + static_cast<std::ptrdiff_t>(terms_.objectives));
    for (const OptimizationTerms::Row& row : terms_.constraints)
      result.constraint_values.push_back(answer[row.objective]);
    result.objective_gradient.assign(n, 0.0);
    const double sign = optimization_.maximize ? -1.0 : 1.0;  // as the user wrote it
    const std::size_t largest = terms_.worst_case ? largest_term(terms_, answer) : 0;
    for (std::size_t i = 0; i < terms_.minimised.size(); ++i)
      for (std::size_t k = 0; k < n && (!terms_.worst_case || i == largest); ++k)
        result.objective_gradient[k] +=
            sign * terms_.minimised[i].weight *
            answer[terms_.objectives + terms_.minimised[i].objective * n + k];
    result.run.step_errors = runner_.step_errors(best.outcome().point, true);
    const std::optional<Recomputed> again =
        recompute(runner_, best.outcome().point, terms_.variables);
    if (again) {
      result.constraint_violation = again->violation;
      result.singular_passage = again->passage;
      result.splines_extrapolated = again->splines_extrapolated;
      result.run.stiff_designs = static_cast<std::size_t>(std::ranges::count(again->switched, 1.0));
    }
    result.check = check_optimum(again, runner_, terms_, best, result);
    result.succeeded = best.outcome().converged && result.check.passed;
  }

  Study study_;
  const Optimization& optimization_;
  OptimizationTerms terms_;
  DesignRunner runner_;
  std::vector<std::vector<double>> starts_;        // [n_start] points
  std::vector<std::unique_ptr<Search>> searches_;  // [n_start], as far as they were run here
  Starts run_;
  double least_objective_ = std::numeric_limits<double>::quiet_NaN();
  double least_violation_ = std::numeric_limits<double>::infinity();
};

}  // namespace

OptimizationResult optimize(const Study& study, const StudySettings& settings) {
  return OptimizationRun(study, settings).result();
}

}  // namespace gradus
