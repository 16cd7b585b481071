// The evaluation of the fully recursive formulation: accelerations of an open tree at a cost that
// grows with the number of bodies alone. Nothing here may touch an [n, n] array. docs/theory.md,
// section 14.
#pragma once

#include "kernels/passes/articulated.hpp"
#include "kernels/stages/acceleration.hpp"

GRADUS_KERNELS_BEGIN

// Accelerations at the current position and velocity. The multipliers of the normalisations vanish,
// because no force acts along the Euler parameters.
template <class D>
GRADUS_FUNCTION void accelerate_recursively(const D& d, double time) {
  const Layout& l = d.layout;
  for (int c = 0; c < d.plan.coordinate_count; ++c) d.at(l.free_velocity)[c] = d.at(l.velocity)[c];
  set_zero(d.at(l.multiplier), d.plan.constraint_rows);
  positions(d);
  velocities(d, l.motion, d.at(l.velocity));
  gather_loads(d, l.motion);
  d.fail(!articulate(d, l.motion), Status::mass_singular, time);
  if (d.failed()) return;
  articulated_accelerations(d, l.motion, weight(d), d.at(l.acceleration));
  evaluate_motion(d, l.acceleration);
}

// The factors that columns of accelerations need: of the constraints, and of the mass matrix, which
// `linearise_acceleration` has left.
template <class D>
GRADUS_FUNCTION void factorise_accelerations(const D& d) {
  const Layout& l = d.layout;
  const double time = common(d.at(l.time)[0]);
  constraint_jacobian(d, l.motion);
  split_constraints(d, time);
  factorise_reduced(d, mass_leading(l), time);
}

GRADUS_KERNELS_END
