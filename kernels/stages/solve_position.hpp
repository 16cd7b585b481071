// Position stage of ALI3-P: M z'' + Phi_z^T multiplier = Q and Phi = 0 at the end of the step, by Newton's method with the
// exact tangent. At convergence the augmented Lagrangian of dynamics note (3.28) has the same solution for every penalty;
// it is reached here through the null space of Phi_z, which has no penalty to choose.
#pragma once

#include "kernels/stages/constrained_solve.hpp"
#include "kernels/stages/evaluate_motion.hpp"

GRADUS_KERNELS_BEGIN

// Free rates that belong to the correction of the predicted position.
template <class D>
GRADUS_FUNCTION void correct_rates(const D& d) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const Real to_velocity(d.settings.gamma / (d.settings.beta * d.settings.step));
  const Real to_acceleration(1.0 / (d.settings.beta * d.settings.step * d.settings.step));
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const Real correction = d.at(l.correction)[c];
    d.at(l.position)[c] = d.at(l.predicted_position)[c] + correction;
    d.at(l.free_velocity)[c] = d.at(l.predicted_velocity)[c] + to_velocity * correction;
    d.at(l.free_acceleration)[c] = d.at(l.predicted_acceleration)[c] + to_acceleration * correction;
  }
}

// Leading matrix M + gamma h C + beta h^2 K, and its reduced factor. Sensitivities note, (5.75).
template <class D>
GRADUS_FUNCTION void factorise_position(const D& d, double time) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const Real gh(d.settings.gamma * d.settings.step);
  const Real bh2(d.settings.beta * d.settings.step * d.settings.step);
  tangents(d);
  constraint_jacobian(d, l.free_motion);
  split_constraints(d, time);
  for (int i = 0; i < n * n; ++i)
    d.at(l.position_matrix)[i] =
        d.at(l.mass_matrix)[i] + gh * d.at(l.damping)[i] + bh2 * d.at(l.stiffness)[i];
  factorise_reduced(d, l.position_matrix, l.position_factor, l.position_pivot, time);
}

// One Newton iteration; returns the 2-norm of the increment.
template <class D>
GRADUS_FUNCTION double newton_iteration(const D& d, double time) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const double bh2 = d.settings.beta * d.settings.step * d.settings.step;
  correct_rates(d);
  evaluate_forces(d);
  factorise_position(d, time);
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(l.top)[c] = Real(-bh2) * generalised_force(d, l.load, c);
  for (int i = 0; i < d.plan.constraint_rows; ++i) d.at(l.bottom)[i] = -d.at(l.constraint)[i];
  constrained_solve(d, {l.position_matrix, l.position_factor, l.position_pivot}, motion_arrays(d), 1);

  double norm2 = 0.0;
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const Real increment = d.at(l.solution)[c];
    d.at(l.correction)[c] += increment;
    const double size = magnitude(increment);
    norm2 += size * size;
  }
  if (d.plan.constraint_rank > 0)
    for (int i = 0; i < d.plan.constraint_rows; ++i)
      d.at(l.multiplier)[i] += Real(1.0 / bh2) * d.at(l.multiplier_change)[i];
  return sqrt(norm2);
}

template <class Real, bool kInterleaved>
struct SolvePosition {
  KernelArguments<Real, kInterleaved> arguments;

  GRADUS_FUNCTION void operator()(std::ptrdiff_t index) const {
    const Design<Real, kInterleaved> d(arguments.chunk, index);
    const double time = arguments.time;
    if (d.failed()) return;
    double norm = 0.0;
    int iteration = 0;
    do {
      norm = newton_iteration(d, time);
      ++iteration;
    } while (!(norm < d.settings.tolerance) && iteration < d.settings.iteration_limit && !d.failed());
    correct_rates(d);
    d.at(d.layout.iterations)[0] += Real(iteration);
    record_violation(d, 0, d.layout.constraint);
    if (!is_finite(norm)) d.fail(Status::not_finite, time);
    if (!(norm < d.settings.tolerance)) d.fail(Status::newton_diverged, time);
  }
};

GRADUS_KERNELS_END
