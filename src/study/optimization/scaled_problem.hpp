// An optimisation with its names looked up, as one scaled problem for all optimisers: variables,
// objective and constraints of size one; and the first-order conditions of its optimum.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "gradus/optimize.hpp"
#include "src/study/together.hpp"

namespace gradus {

struct OptimizationTerms {
  struct Term {
    std::size_t objective = 0;  // of the model, those at times written out
    double weight = 1.0;        // of what is minimised: turned round where the user maximises
  };
  struct Row {
    std::size_t objective = 0;
    double lower = 0.0;
    double upper = 0.0;
  };
  std::vector<Term> minimised;
  bool worst_case = false;  // the largest of the terms, instead of their sum
  std::vector<Row> constraints;
  std::size_t objectives = 0;          // of the model, those at times written out
  std::vector<std::size_t> variables;  // by index in the model
  bool has_equations() const;
  bool has_constraints() const { return worst_case || !constraints.empty(); }
};

// Throws InputError for all that is wrong with it; `where` opens messages and stands for the whole.
OptimizationTerms resolve(const Optimization& optimization, const Model& model,
                          const std::string& where);

// What was found at a point, in scaled numbers.
struct ScaledEvaluation {
  double objective = 0.0;
  std::vector<double> gradient;             // [n]
  std::vector<double> constraints;          // [m]
  std::vector<double> constraint_gradient;  // [m, n]
};

// The answer to a request for an optimisation: the values of all objectives, then their gradients
// by the variables, row by row.
//
// The largest of several terms f_i is minimised as the last variable t, under constraints
// f_i - t <= 0 behind those of the user: the problem is smooth where the largest is not.
class ScaledProblem {
 public:
  // Scaled at a start by the gradients found there; the answer is not empty. Both must outlive it.
  ScaledProblem(const Optimization& optimization, const OptimizationTerms& terms,
                std::span<const double> from, const Answer& at_start);

  // A point in scaled numbers, where this was answered.
  std::vector<double> scaled(std::span<const double> point, const Answer& answer) const;
  std::size_t variables() const { return start.size(); }
  std::size_t constraints() const { return constraint_scale.size(); }

  bool is_equation(std::size_t row) const { return constraint_lower[row] == constraint_upper[row]; }
  double tolerance() const { return optimization_.tolerance; }

  // The point that scaled variables mean, never outside the bounds.
  std::vector<double> point(std::span<const double> x) const;
  // With variables as optimisers have them.
  ScaledEvaluation evaluation(const Answer& answer, std::span<const double> x) const;
  // With t as small as it may be.
  ScaledEvaluation evaluation(const Answer& answer) const;
  std::vector<double> tightened(std::span<const double> x, const Answer& answer) const;
  // Norm of the gradient of what is minimised, of several terms that of the largest.
  double gradient_norm(const Answer& answer) const;

  // The largest violation in units of its tolerance: up to 1 is feasible.
  double violation(const ScaledEvaluation& evaluation) const;

  // All scaled.
  std::vector<double> start, lower, upper;
  std::vector<double> constraint_lower, constraint_upper, constraint_tolerance;
  double objective_scale = 1.0;  // scaled = user's / scale
  double start_objective = 0.0;
  std::vector<double> constraint_scale;

 private:
  void add_largest(const Answer& at_start);
  // Of a term by scaled parameter k.
  double slope(const OptimizationTerms::Term& term, const Answer& answer, std::size_t k) const;

  const Optimization& optimization_;
  const OptimizationTerms& terms_;
  std::vector<double> offset_, scale_;  // variable = offset + scale * x
};

// Of answers, in the user's units.
double objective_of(const OptimizationTerms& terms, const Answer& answer);  // as minimised
// The term that is the largest.
std::size_t largest_term(const OptimizationTerms& terms, const Answer& answer);
double violation_of(const OptimizationTerms& terms, const Answer& answer);  // the largest

// First-order conditions of an optimum (Karush, Kuhn and Tucker): how far the gradient of the
// objective is from being balanced by bounds and constraints that are met with equality.
struct FirstOrder {
  // Norm of what remains of the gradient of the Lagrangian where bounds do not hold it back, in
  // units of the larger of the objective's gradients, here and at the start; that at the start
  // counts no more than a hundred times the objective, here or there, which it may exceed by far
  // where small changes lead elsewhere. A bound or constraint
  // with room before it holds back only what lies beyond: what the objective would gain by this
  // room counts as the root of it, since gains go with the square of the stationarity.
  double stationarity = 0.0;
  // [m] scaled, of least squares; positive at an upper bound, negative at a lower one, 0 for those
  // that are not active.
  std::vector<double> multipliers;
  std::vector<int> active;        // [m] -1: at its lower bound, 1: at its upper one, 2: equation
  std::vector<int> bound_active;  // [n] -1: at its lower bound, 1: at its upper one
};

// How near is active, and below which stationarity an optimiser has enough: what it may still gain
// is about the square of the stationarity, and a hundredth of the root leaves room for flat
// directions.
inline double enough_for(double tolerance) {
  return 0.01 * std::sqrt(tolerance);
}

// Constraints nearer than `distance`, or their tolerances, take part; they and bounds are active if
// they are met to round-off (constraints: to their tolerances) or held on to harder than they are
// far.
FirstOrder first_order(const ScaledProblem& problem, std::span<const double> x,
                       const ScaledEvaluation& evaluation, double distance);

}  // namespace gradus
