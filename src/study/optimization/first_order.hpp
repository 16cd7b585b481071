// First-order conditions of an optimum (Karush, Kuhn and Tucker): how far the gradient of the
// objective is from being balanced by bounds and constraints that are met with equality.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "src/study/optimization/scaled_problem.hpp"

namespace gradus {

struct FirstOrder {
  // Norm of what remains of the gradient of the Lagrangian where bounds do not hold it back, in
  // units of the larger of the objective's gradients, here and at the start. A bound or constraint
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
