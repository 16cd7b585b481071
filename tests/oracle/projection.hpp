// Brings a state onto the constraints by the shortest corrections, positions first, then
// velocities.
#pragma once

#include <stdexcept>
#include <string>

#include "tests/oracle/constraints.hpp"
#include "tests/oracle/linear.hpp"

namespace oracle {

constexpr double kConstraintTolerance = 1e-12;
constexpr int kIterationLimit = 50;

// Newton on the positions. The iteration in which the real parts have converged is still carried
// out: it brings the derivatives, which lag one iteration behind, to the same accuracy.
template <typename S>
void project_positions(const Model<S>& model, State<S>& state, const std::vector<int>& rows,
                       double time = 0.0) {
  for (int iteration = 0; iteration < kIterationLimit; ++iteration) {
    const Constraints<S> constraints = evaluate_constraints(model, state, time);
    const bool converged =
        largest_real(selected_rows<S>(constraints.value, rows)) < kConstraintTolerance;
    displace<S>(state, minimum_norm<S>(constraints.jacobian, -constraints.value, rows));
    if (!converged) continue;
    const double violation = largest_real(evaluate_constraints(model, state, time).value);
    if (violation < 1e3 * kConstraintTolerance) return;
    throw std::runtime_error("the constraints that were taken as redundant are violated by " +
                             std::to_string(violation));
  }
  throw std::runtime_error("projection of the positions did not converge");
}

template <typename S>
void project_velocities(const Model<S>& model, State<S>& state, const std::vector<int>& rows,
                        double time = 0.0) {
  const Constraints<S> constraints = evaluate_constraints(model, state, time);
  state.velocity += minimum_norm<S>(
      constraints.jacobian, constraints.velocity - constraints.jacobian * state.velocity, rows);
}

}  // namespace oracle
