// Velocity projection of ALI3-P: the smallest change of the free velocity, measured by M, that
// satisfies the velocity constraints: M (z' - z'_free) + Phi_z^T sigma = 0, dPhi/dt = 0, or with
// penalty dPhi/dt = sigma / penalty.
// Acceleration projection of ALI3-P: M (z'' - z''_free) + Phi_z^T kappa = 0, d2Phi/dt2 = 0 at the
// projected velocity, or with penalty d2Phi/dt2 = kappa / penalty. docs/theory.md, section 9.
#pragma once

#include "kernels/stages/constrained_solve.hpp"
#include "kernels/stages/evaluate_motion.hpp"
#include "kernels/stages/slips.hpp"
#include "kernels/stages/watch_rates.hpp"
#include "kernels/stages/watch_splines.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_FUNCTION ProjectionKind projection_kind(const D& d) {
  return static_cast<ProjectionKind>(d.settings.projection_kind);
}

// Leading matrix of the projections.
template <class D>
GRADUS_FUNCTION LeadingMatrix projection_leading(const D& d) {
  return projection_kind(d) == ProjectionKind::penalty ? mass_saddle(d.layout)
                                                       : mass_leading(d.layout);
}

// Where there is anything to project: `rows` are what the constraints lack, all [m].
template <class D>
GRADUS_FUNCTION typename D::Mask asks_for_projection(const D& d, int rows, int stage) {
  using Value = typename D::Value;
  const Value largest = largest_value(d, rows, d.plan.constraint_rows);
  const bool never = projection_kind(d) == ProjectionKind::none;
  const auto skips = largest < Value(d.settings.projection_tolerance) || typename D::Mask(never);
  d.at(d.layout.skipped + stage)[0] = RealOf<D>(select(skips, Value(1.0), Value(0.0)));
  return !skips;
}

// Solves for the change, the constraints lacking `rows` [m].
template <class D>
GRADUS_ROUTINE void project(const D& d, int rows, int change, int multiplier, int stage) {
  const auto asks = asks_for_projection(d, rows, stage);
  if (!any(asks)) return;
  const LeadingMatrix leading = projection_leading(d);
  const RowOrder order = row_order(d, leading);
  const SolveArrays arrays = motion_arrays(d, change, multiplier);
  set_zero(d.at(arrays.top), d.plan.coordinate_count);
  set_zero(d.at(arrays.bottom), order.count);
  add_rows(d, order, rows, 1, -1.0, arrays.bottom);
  constrained_solve(d, leading, arrays, 1);
  if (!any(!asks)) return;
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(change)[c] = select(asks, d.at(change)[c], RealOf<D>(0));
  for (int i = 0; i < d.plan.constraint_rows; ++i)
    d.at(multiplier)[i] = select(asks, d.at(multiplier)[i], RealOf<D>(0));
}

template <class D>
GRADUS_FUNCTION void factorise_projection(const D& d, double time) {
  const Layout& l = d.layout;
  if (projection_kind(d) == ProjectionKind::penalty)
    factorise_saddle(d, l.mass_matrix, time);
  else
    factorise_reduced(d, mass_leading(l), time);
}

template <class D>
GRADUS_FUNCTION void project_velocity(const D& d, const LaunchArguments& arguments) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int m = d.plan.constraint_rows;
  set_zero(d.at(l.velocity_change), n);
  set_zero(d.at(l.velocity_multiplier), m);
  if (d.plan.constraint_rank > 0) {
    for (int i = 0; i < m; ++i) d.at(l.constraint_rate)[i] = d.at(l.constraint_time)[i];
    add_product(d.at(l.jacobian), m, n, d.at(l.free_velocity), 1, 1.0, d.at(l.constraint_rate));
    factorise_projection(d, time_of(arguments));
    project(d, l.constraint_rate, l.velocity_change, l.velocity_multiplier, 0);
  }
  for (int c = 0; c < n; ++c)
    d.at(l.velocity)[c] = d.at(l.free_velocity)[c] + d.at(l.velocity_change)[c];
  velocities(d, l.motion, d.at(l.velocity));
  constraint_rates(d, l.motion, d.at(l.velocity));
  record_violation(d, 1, l.constraint_rate);
  record_slips(d, time_of(arguments));
}

// The algorithmic acceleration at the end of the step.
template <class D>
GRADUS_FUNCTION void update_algorithmic(const D& d) {
  const Layout& l = d.layout;
  const double* share = d.settings.algorithmic;
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(l.algorithmic)[c] = RealOf<D>(share[0]) * d.at(l.algorithmic)[c] +
                             RealOf<D>(share[1]) * d.at(l.predicted_acceleration)[c] +
                             RealOf<D>(share[2]) * d.at(l.acceleration)[c];
}

template <class D>
GRADUS_FUNCTION void project_acceleration(const D& d, const LaunchArguments& arguments) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  set_zero(d.at(l.acceleration_change), n);
  set_zero(d.at(l.acceleration_multiplier), d.plan.constraint_rows);
  if (d.plan.constraint_rank > 0) {
    evaluate_motion(d, l.free_acceleration);
    project(d, l.constraint_acceleration, l.acceleration_change, l.acceleration_multiplier, 1);
  }
  for (int c = 0; c < n; ++c)
    d.at(l.acceleration)[c] = d.at(l.free_acceleration)[c] + d.at(l.acceleration_change)[c];
  update_algorithmic(d);
  evaluate_motion(d, l.acceleration);
  record_violation(d, 2, l.constraint_acceleration);
  watch_splines(d, time_of(arguments));
  watch_rates(d, time_of(arguments));
}

GRADUS_KERNELS_END
