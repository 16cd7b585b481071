// The module of NLopt: L-BFGS, SLSQP, the method of moving asymptotes, augmented Lagrangian.
#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "src/study/optimization/optimizer_module.hpp"

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
  std::vector<Side> inequalities, equations;
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

void constraints(const std::vector<Side>& sides, unsigned m, double* result, unsigned n,
                 const double* x, double* gradient, Caller& caller) {
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

void inequalities(unsigned m, double* result, unsigned n, const double* x, double* gradient,
                  void* data) {
  auto& caller = *static_cast<Caller*>(data);
  constraints(caller.inequalities, m, result, n, x, gradient, caller);
}

void equations(unsigned m, double* result, unsigned n, const double* x, double* gradient,
               void* data) {
  auto& caller = *static_cast<Caller*>(data);
  constraints(caller.equations, m, result, n, x, gradient, caller);
}

void add_constraints(Caller& caller) {
  const ScaledProblem& problem = caller.search.problem();
  std::vector<double> inequality_tolerance, equation_tolerance;
  for (std::size_t row = 0; row < problem.constraints(); ++row) {
    const double lower = problem.constraint_lower()[row];
    const double upper = problem.constraint_upper()[row];
    const double tolerance = problem.constraint_tolerance()[row];
    if (problem.is_equation(row)) {
      caller.equations.push_back({row, 1.0, lower});
      equation_tolerance.push_back(tolerance);
      continue;
    }
    for (const auto& [sign, bound] : {std::pair{-1.0, lower}, std::pair{1.0, upper}}) {
      if (!std::isfinite(bound)) continue;
      caller.inequalities.push_back({row, sign, bound});
      inequality_tolerance.push_back(tolerance);
    }
  }
  if (!caller.inequalities.empty())
    nlopt_add_inequality_mconstraint(caller.optimizer,
                                     static_cast<unsigned>(caller.inequalities.size()),
                                     inequalities, &caller, inequality_tolerance.data());
  if (!caller.equations.empty())
    nlopt_add_equality_mconstraint(caller.optimizer, static_cast<unsigned>(caller.equations.size()),
                                   equations, &caller, equation_tolerance.data());
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
  switch (result) {
    case NLOPT_SUCCESS:
      return "the optimiser is content";
    case NLOPT_FTOL_REACHED:
      return "the objective changes no more";
    case NLOPT_XTOL_REACHED:
      return "steps have become smaller than the tolerance";
    case NLOPT_ROUNDOFF_LIMITED:
      return "round-off allows no further progress";
    case NLOPT_FORCED_STOP:
      return "stopped";
    default:
      return "the optimiser finds no way on";
  }
}

using Optimizer = std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)>;

Optimizer make(nlopt_algorithm algorithm, std::size_t variables) {
  return {nlopt_create(algorithm, static_cast<unsigned>(variables)), &nlopt_destroy};
}

std::string minimize(const std::string& method, SearchView& search) {
  const ScaledProblem& problem = search.problem();
  const Optimizer optimizer = make(algorithm_of(method), problem.variables());
  Caller caller{search, optimizer.get(), {}, {}};
  nlopt_set_lower_bounds(optimizer.get(), problem.lower().data());
  nlopt_set_upper_bounds(optimizer.get(), problem.upper().data());
  nlopt_set_min_objective(optimizer.get(), objective, &caller);
  set_tolerances(optimizer.get(), problem.tolerance());
  add_constraints(caller);
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
