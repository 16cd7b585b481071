// Newton-Euler equations of all bodies with the constraints at acceleration level (index 1):
//   [ M  J^T ] [ acceleration ]   [ load ]
//   [ J   0  ] [   reaction   ] = [ rhs  ]
// M may be singular (thin bars have no inertia about their axis) and J may have redundant rows, as
// long as the accelerations are unique. Two routes solve it, for doubles and for complex numbers;
// the tests compare them.
#pragma once

#include "tests/oracle/forces.hpp"
#include "tests/oracle/linear.hpp"

namespace oracle {

template <typename S>
Matrix3<S> inertia_in_global_axes(const Model<S>& model, const State<S>& state, int body) {
  const Matrix3<S> rotation = body_motion(model, state, body).rotation;
  return rotation * model.bodies[static_cast<std::size_t>(body)].inertia * rotation.transpose();
}

template <typename S>
MatrixX<S> mass_matrix(const Model<S>& model, const State<S>& state) {
  const int n = model.body_count();
  MatrixX<S> mass = MatrixX<S>::Zero(6 * n, 6 * n);
  for (int body = 0; body < n; ++body) {
    mass.template block<3, 3>(6 * body, 6 * body) =
        Matrix3<S>::Identity() * model.bodies[static_cast<std::size_t>(body)].mass;
    mass.template block<3, 3>(6 * body + 3, 6 * body + 3) =
        inertia_in_global_axes(model, state, body);
  }
  return mass;
}

// Applied forces and torques together with the gyroscopic torque, 6 numbers per body.
template <typename S>
VectorX<S> load_vector(const Model<S>& model, const State<S>& state, double time) {
  const int n = model.body_count();
  VectorX<S> load = VectorX<S>::Zero(6 * n);
  for (int body = 0; body < n; ++body) {
    const Vector3<S> spin = body_motion(model, state, body).angular_velocity;
    const Vector3<S> moment = inertia_in_global_axes(model, state, body) * spin;
    load.template segment<3>(6 * body) +=
        model.gravity * model.bodies[static_cast<std::size_t>(body)].mass;
    load.template segment<3>(6 * body + 3) -= cross(spin, moment);
  }
  add_forces(model, state, time, load);
  if (model.extra_load) model.extra_load(model, state, time, load);
  return load;
}

// The system above on the given independent rows of the constraints, by plain elimination:
// analytic.
template <typename S>
VectorX<S> accelerations_on_rows(const Model<S>& model, const State<S>& state, double time,
                                 const std::vector<int>& rows) {
  const Constraints<S> constraints = evaluate_constraints(model, state, time);
  const Eigen::Index n = 6 * model.body_count();
  const Eigen::Index m = static_cast<Eigen::Index>(rows.size());
  const MatrixX<S> jacobian = selected_rows<S>(constraints.jacobian, rows);
  MatrixX<S> matrix = MatrixX<S>::Zero(n + m, n + m);
  matrix.topLeftCorner(n, n) = mass_matrix(model, state);
  matrix.topRightCorner(n, m) = jacobian.transpose();
  matrix.bottomLeftCorner(m, n) = jacobian;
  VectorX<S> right(n + m);
  right << load_vector(model, state, time), selected_rows<S>(constraints.acceleration, rows);
  return matrix.partialPivLu().solve(right).head(n);
}

// The same by another route, for doubles only: the least-squares solution of the constraints,
// corrected inside their null space so that the load balances there. Redundant rows need no choice.
// The state must satisfy the constraints.
Eigen::VectorXd accelerations_by_null_space(const Model<double>& model, const State<double>& state,
                                            double time);

// Accelerations of all bodies, 6 numbers each, at a state that satisfies the constraints.
template <typename S>
VectorX<S> accelerations(const Model<S>& model, const State<S>& state, double time = 0.0) {
  if constexpr (std::is_same_v<S, double>) {
    return accelerations_by_null_space(model, state, time);
  } else {
    return accelerations_on_rows(model, state, time,
                                 independent_rows<S>(evaluate_constraints(model, state).jacobian));
  }
}

}  // namespace oracle
