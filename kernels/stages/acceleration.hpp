// Accelerations and multipliers of acceleration formulations, and what their columns need.
// docs/theory.md, section 13.
#pragma once

#include "kernels/stages/algebraic.hpp"
#include "kernels/stages/independents.hpp"
#include "kernels/stages/linearise.hpp"
#include "kernels/stages/tied_choice.hpp"

GRADUS_KERNELS_BEGIN

// What Baumgarte's stabilisation and penalties ask of the constraints beyond d2Phi/dt2 = 0:
// subtracts 2 xi Omega dPhi/dt + Omega^2 Phi from the rows.
template <class D>
GRADUS_FUNCTION void add_stabilisation(const D& d, const RowOrder& order) {
  const Layout& l = d.layout;
  const double omega = d.settings.frequency;
  if (omega == 0.0) return;
  constraint_values(d);
  constraint_rates(d, l.motion, d.at(l.velocity));
  add_rows(d, order, l.constraint_rate, 1, -2.0 * d.settings.damping_ratio * omega, l.bottom);
  add_rows(d, order, l.constraint, 1, -omega * omega, l.bottom);
}

// Everything at the current position and velocity, without accelerations: forces, mass matrix,
// constraints.
template <class D>
GRADUS_FUNCTION void prepare_accelerations(const D& d) {
  const Layout& l = d.layout;
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    d.at(l.free_velocity)[c] = d.at(l.velocity)[c];
    d.at(l.free_acceleration)[c] = RealOf<D>(0);
    d.at(l.acceleration)[c] = RealOf<D>(0);
  }
  set_zero(d.at(l.multiplier), d.plan.constraint_rows);
  set_zero(d.at(l.algebraic.value), d.plan.algebraic_count);
  evaluate_forces(d);
  mass_matrix(d);
  velocities(d, l.motion, d.at(l.velocity));
  evaluate_motion(d, l.acceleration);
}

// Accelerations and multipliers with a factorised leading matrix, and the motion they make.
template <class D>
GRADUS_ROUTINE void solve_accelerations(const D& d, const LeadingMatrix& leading, double time,
                                        bool stabilised = true) {
  const Layout& l = d.layout;
  const RowOrder order = row_order(d, leading);
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(l.top)[c] = -generalised_force(d, l.load, c);
  set_zero(d.at(l.bottom), order.count);
  add_rows(d, order, l.constraint_acceleration, 1, -1.0, l.bottom);
  if (stabilised) add_stabilisation(d, order);
  constrained_solve(
      d, leading, motion_arrays(d, l.acceleration, d.plan.constraint_rows > 0 ? l.multiplier : -1),
      1);
  evaluate_motion(d, l.acceleration);
  if (has_algebraic(d)) solve_algebraic(d, leading, time);
}

// M z'' + Phi_z^T multiplier = Q, d2Phi/dt2 = 0 (or what stabilisation makes of it). (D.1) in the
// source of docs/theory.md.
template <class D>
GRADUS_FUNCTION void accelerate(const D& d, double time, bool factors_ready,
                                bool stabilised = true) {
  const Layout& l = d.layout;
  prepare_accelerations(d);
  if (!factors_ready) {
    constraint_jacobian(d, l.free_motion);
    split_constraints(d, time);
  }
  factorise_reduced(d, mass_leading(l), time);
  if (!d.failed()) solve_accelerations(d, mass_leading(l), time, stabilised);
}

// The penalty formulation, (3.41)-(3.44): M z'' + Phi_z^T multiplier = Q with multiplier = penalty
// (d2Phi/dt2 + 2 xi Omega dPhi/dt + Omega^2 Phi).
template <class D>
GRADUS_FUNCTION void accelerate_by_penalty(const D& d, double time) {
  prepare_accelerations(d);
  constraint_jacobian(d, d.layout.free_motion);
  factorise_saddle(d, d.layout.mass_matrix, time);
  if (!d.failed()) solve_accelerations(d, mass_saddle(d.layout), time);
}

// The first choice, before the accelerations at the start.
template <class D>
GRADUS_FUNCTION void begin_independents(const D& d) {
  if (goes_by_ties(d)) return begin_held(d);
  if (d.plan.constraint_rank > 0) prepare_accelerations(d);  // the mass matrix
  renew_independents(d, 0.0);
}

// The next, at the end of a step.
template <class D>
GRADUS_FUNCTION void renew_choice(const D& d, double time) {
  return goes_by_ties(d) ? renew_held(d) : renew_independents(d, time);
}

// Derivatives of an evaluation: K, C and rates of the constraint Jacobian.
template <class D>
GRADUS_FUNCTION void linearise_acceleration(const D& d) {
  const Layout& l = d.layout;
  evaluate_forces_at_accelerations(d);
  tangents(d);
  if (d.plan.constraint_rank > 0)
    constraint_jacobian_rates(d, l.motion, d.at(l.velocity), d.at(l.acceleration));
}

// Loads without accelerations and multipliers, which reactions are made of, where `accelerate` has
// them from the beginning.
template <class D>
GRADUS_FUNCTION void load_at_rest(const D& d) {
  const Layout& l = d.layout;
  set_zero(d.at(l.free_acceleration), d.plan.coordinate_count);
  set_zero(d.at(l.multiplier), d.plan.constraint_rows);
  evaluate_forces(d);
  for (int i = 0; i < d.plan.constraint_rows; ++i)
    d.at(l.multiplier)[i] = d.at(l.algebraic.base_multiplier)[i];
}

// The evaluation of the fully recursive formulation: accelerations at the current position and
// velocity, at a cost that grows with the number of bodies and of what ties them. Nothing here may
// touch an [n, n] array. docs/theory.md, section 14. The multipliers of the normalisations vanish
// but for what ties do to them, because no force acts along the Euler parameters.
template <class D>
GRADUS_FUNCTION void accelerate_recursively(const D& d, double time) {
  const Layout& l = d.layout;
  for (int c = 0; c < d.plan.coordinate_count; ++c) d.at(l.free_velocity)[c] = d.at(l.velocity)[c];
  set_zero(d.at(l.multiplier), d.plan.constraint_rows);
  set_zero(d.at(l.algebraic.value), d.plan.algebraic_count);
  positions(d);
  velocities(d, l.motion, d.at(l.velocity));
  gather_loads(d, l.motion);
  if (goes_by_ties(d)) prescribe_accelerations(d, time);
  d.fail(!articulate(d, l.motion), Status::mass_singular, time);
  if (d.failed()) return;
  articulated_accelerations(d, l.motion, weight(d), d.at(l.acceleration), d.at(l.multiplier));
  evaluate_motion(d, l.acceleration);
  if (goes_by_ties(d) && d.plan.tie_rows > 0) tie_accelerations(d, time);
  if (!has_algebraic(d)) return;
  solve_algebraic_with(d, l.motion, time, [&] {
    articulated_responses(d);
    if (d.plan.uses_reactions != 0) load_at_rest(d);
  });
}

// The factors that columns of accelerations need: of the constraints, and of the mass matrix, which
// `linearise_acceleration` has left.
template <class D>
GRADUS_FUNCTION void factorise_accelerations(const D& d) {
  const Layout& l = d.layout;
  const double time = plain_time(d.at(l.time)[0]);
  constraint_jacobian(d, l.motion);
  if (goes_by_ties(d)) clear_idle_ties(d);
  split_constraints(d, time);
  factorise_reduced(d, mass_leading(l), time);
  if (goes_by_ties(d)) factorise_held(d, time);
}

GRADUS_KERNELS_END
