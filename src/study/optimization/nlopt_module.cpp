// The module of NLopt: L-BFGS, SLSQP, the method of moving asymptotes, augmented Lagrangian.
#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include "src/study/optimization/optimizer.hpp"

namespace gradus {
namespace {

// One side of a constraint as NLopt has them: sign * (value - bound) <= 0, or = 0.
struct Side {
  std::size_t row = 0;
  double sign = 1.0;
  double bound = 0.0;
};

struct Caller {
  SearchView& search;
  nlopt_opt optimizer;
};

// Inequalities, or equations.
struct Sides {
  Caller& caller;
  std::vector<Side> sides = {};
  std::vector<double> tolerances = {};

  void add(const Side& side, double tolerance) {
    sides.push_back(side);
    tolerances.push_back(tolerance);
  }
};

// What to answer while a stop is under way: NLopt does not look before the evaluation is over.
constexpr double stopping = std::numeric_limits<double>::infinity();

double objective(unsigned n, const double* x, double* gradient, void* data) {
  auto& caller = *static_cast<Caller*>(data);
  const SearchView::Found* found = caller.search.at(x);
  if (found == nullptr) {
    nlopt_force_stop(caller.optimizer);
    if (gradient != nullptr) std::fill_n(gradient, n, 0.0);
    return stopping;
  }
  const ScaledEvaluation& evaluation = found->evaluation;
  if (!found->failed) {
    if (gradient != nullptr) std::copy_n(evaluation.gradient.begin(), n, gradient);
    return evaluation.objective;
  }
  // A bowl around the last good design, steep enough to be refused and finite: a line search that
  // interpolates comes back by a sensible part, and none goes on with what is not a number.
  double square = 0.0;
  for (const double slope : evaluation.gradient) square += slope * slope;
  const double rise = 2.0 * std::max(std::sqrt(square), 1e-6);
  if (gradient != nullptr)
    for (unsigned k = 0; k < n; ++k) gradient[k] = 2.0 * rise * found->away[k];
  return evaluation.objective + rise * found->distance;
}

void constraints(unsigned m, double* result, unsigned n, const double* x, double* gradient,
                 void* data) {
  const auto& [caller, sides, tolerances] = *static_cast<Sides*>(data);
  const SearchView::Found* found = caller.search.at(x);
  if (gradient != nullptr) std::fill_n(gradient, std::size_t{m} * n, 0.0);
  if (found == nullptr) {
    nlopt_force_stop(caller.optimizer);
    std::fill_n(result, m, 0.0);
    return;
  }
  const ScaledEvaluation& evaluation = found->evaluation;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Side& side = sides[i];
    result[i] = side.sign * (evaluation.constraints[side.row] - side.bound);
    for (std::size_t k = 0; gradient != nullptr && !found->failed && k < n; ++k)
      gradient[i * n + k] = side.sign * evaluation.constraint_gradient[side.row * n + k];
  }
}

void add_constraints(Sides& inequalities, Sides& equations) {
  const ScaledProblem& problem = inequalities.caller.search.problem();
  const nlopt_opt optimizer = inequalities.caller.optimizer;
  for (std::size_t row = 0; row < problem.constraints(); ++row) {
    const double lower = problem.constraint_lower[row], upper = problem.constraint_upper[row];
    const double tolerance = problem.constraint_tolerance[row];
    if (problem.is_equation(row)) {
      equations.add({row, 1.0, lower}, tolerance);
      continue;
    }
    if (std::isfinite(lower)) inequalities.add({row, -1.0, lower}, tolerance);
    if (std::isfinite(upper)) inequalities.add({row, 1.0, upper}, tolerance);
  }
  const auto count = [](const Sides& some) { return static_cast<unsigned>(some.sides.size()); };
  if (count(inequalities) > 0)
    nlopt_add_inequality_mconstraint(optimizer, count(inequalities), constraints, &inequalities,
                                     inequalities.tolerances.data());
  if (count(equations) > 0)
    nlopt_add_equality_mconstraint(optimizer, count(equations), constraints, &equations,
                                   equations.tolerances.data());
}

nlopt_algorithm algorithm_of(const std::string& method) {
  if (method == "lbfgs") return NLOPT_LD_LBFGS;
  if (method == "slsqp") return NLOPT_LD_SLSQP;
  return method == "mma" ? NLOPT_LD_MMA : NLOPT_AUGLAG;
}

// The search knows from first-order conditions when it is enough; these end what goes no further.
void set_tolerances(nlopt_opt optimizer, double tolerance) {
  nlopt_set_xtol_rel(optimizer, 1e-3 * tolerance);
  nlopt_set_xtol_abs1(optimizer, 1e-3 * tolerance);
  nlopt_set_ftol_rel(optimizer, 1e-16);
}

std::string reason_of(nlopt_result result) {
  static const std::map<nlopt_result, const char*> reasons = {
      {NLOPT_SUCCESS, "the optimiser is content"},
      {NLOPT_FTOL_REACHED, "the objective changes no more"},
      {NLOPT_XTOL_REACHED, "steps have become smaller than the tolerance"},
      {NLOPT_ROUNDOFF_LIMITED, "round-off allows no further progress"},
      {NLOPT_FORCED_STOP, "stopped"},
  };
  const auto known = reasons.find(result);
  return known == reasons.end() ? "the optimiser finds no way on" : known->second;
}

using Optimizer = std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)>;

Optimizer make(nlopt_algorithm algorithm, std::size_t variables) {
  return {nlopt_create(algorithm, static_cast<unsigned>(variables)), &nlopt_destroy};
}

std::string minimize(const std::string& method, SearchView& search) {
  const ScaledProblem& problem = search.problem();
  const Optimizer optimizer = make(algorithm_of(method), problem.variables());
  Caller caller{search, optimizer.get()};
  Sides inequalities{caller}, equations{caller};
  nlopt_set_lower_bounds(optimizer.get(), problem.lower.data());
  nlopt_set_upper_bounds(optimizer.get(), problem.upper.data());
  nlopt_set_min_objective(optimizer.get(), objective, &caller);
  set_tolerances(optimizer.get(), problem.tolerance());
  add_constraints(inequalities, equations);
  if (method == "augmented-lagrangian") {
    const Optimizer inner = make(NLOPT_LD_LBFGS, problem.variables());
    set_tolerances(inner.get(), problem.tolerance());
    nlopt_set_local_optimizer(optimizer.get(), inner.get());
  }
  std::vector<double> x = search.origin();
  double value = 0.0;
  return reason_of(nlopt_optimize(optimizer.get(), x.data(), &value));
}

constexpr NloptModule functions{{minimize}};

}  // namespace
}  // namespace gradus

extern "C" gradus::ModuleEntry gradus_module() {
  return {GRADUS_VERSION, gradus::NloptModule::interface, &gradus::functions};
}
