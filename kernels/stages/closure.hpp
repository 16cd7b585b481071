// Positions and velocities that the constraints determine, the held rows being kept.
// docs/theory.md, section 13.
#pragma once

#include "kernels/passes/jacobians.hpp"
#include "kernels/stages/constrained_solve.hpp"
#include "kernels/stages/watch.hpp"

GRADUS_KERNELS_BEGIN

constexpr int kClosureIterations = 30;
constexpr double kClosureIncrement = 1e-14;  // relative; chord iterations end below its root

// The constraints' factors at the current position, and those of the held rows on them.
template <class D>
GRADUS_FUNCTION void factorise_constraints(const D& d, double time) {
  constraint_jacobian(d, d.layout.motion);
  split_constraints(d, time);
  factorise_held(d, time);
}

// Corrects the position by what the constraints lack, the held rows kept, in the lanes given.
// Returns the largest relative increment.
template <class D>
GRADUS_FUNCTION typename D::Value closure_increment(const D& d, const typename D::Mask& where) {
  const Layout& l = d.layout;
  solve_closure(d);
  const auto largest = largest_change(d, l.solution, l.position);
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    RealOf<D>& position = d.at(l.position)[c];
    position = select(where, position + d.at(l.solution)[c], position);
  }
  return largest;
}

// Factors at the current position in some lanes; the others keep theirs, which are computed once
// more where they came from, to the same bits.
template <class D>
GRADUS_ROUTINE void renew_constraint_factors(const D& d, const typename D::Mask& where,
                                             double time) {
  const Layout& l = d.layout;
  if (!any(where)) return;
  const bool part = any(!where);
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const auto now = d.at(l.position)[c];
    d.at(l.closure_position)[c] = now;
    if (part) d.at(l.position)[c] = select(where, now, d.at(l.factor_position)[c]);
    d.at(l.factor_position)[c] = d.at(l.position)[c];
  }
  if (part) positions(d);
  factorise_constraints(d, time);
  if (!part) return;
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(l.position)[c] = d.at(l.closure_position)[c];
  positions(d);
  constraint_values(d);
}

// Fails designs whose loops stay open, because of the row that is open most.
template <class D>
GRADUS_FUNCTION void leave_open(const D& d, const typename D::Mask& where, double time) {
  if (!any(where)) return;
  blame_row(d, where);
  d.fail(where, Status::loop_open, time);
}

// Which designs go on after an iteration that changed coordinates by `size`, relative, as the one
// before by `last`.
template <class D>
GRADUS_FUNCTION typename D::Mask still_closing(const D& d, const typename D::Mask& going,
                                               int iteration, const typename D::Value& size,
                                               typename D::Value& last, double time) {
  using Value = typename D::Value;
  leave_open(d, going && !is_finite(size), time);
  auto closed = size < Value(kClosureIncrement);
  if (iteration > 2) closed = closed || (size < Value(1e-12) && size > Value(0.25) * last);
  last = select(going, size, last);
  return going && !closed && d.alive();
}

// Newton's method with the factors of the last position as long as they serve. Leaves everything at
// the final position but the Jacobian.
template <class D>
GRADUS_ROUTINE void close_position(const D& d, double time) {
  using Value = typename D::Value;
  if (d.plan.constraint_rank == 0) return;
  Value last(1.0);
  auto going = d.alive();
  for (int iteration = 0; iteration < kClosureIterations && any(going); ++iteration) {
    positions(d);
    constraint_values(d);
    if (iteration == 0)
      renew_constraint_factors(d, typename D::Mask(true), time);
    else
      renew_constraint_factors(d, going && last > Value(1e-4), time);
    going = still_closing(d, going, iteration, closure_increment(d, going), last, time);
  }
  leave_open(d, going, time);
  positions(d);
}

// Velocities with the held rows kept and the constraints' rates zero.
template <class D>
GRADUS_FUNCTION void close_velocity(const D& d, double time) {
  if (d.plan.constraint_rank == 0) return;
  const Layout& l = d.layout;
  factorise_constraints(d, time);
  for (int i = 0; i < d.plan.independent_count; ++i)
    times_held_row(d, i, d.at(l.velocity), 1, d.at(l.top + i));
  solve_held_velocity(d);
}

GRADUS_KERNELS_END
