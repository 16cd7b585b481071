// The motion between two steps: the polynomial of degree five that has positions, velocities and
// accelerations of both ends. docs/theory.md, section 13.
#pragma once

#include "kernels/integrators/step_state.hpp"

GRADUS_KERNELS_BEGIN

// Coordinate c at the fraction x of the last step, which is h long.
template <class D>
GRADUS_FUNCTION void interpolate_coordinate(const D& d, int c, double x, double h) {
  using Real = typename D::Real;
  const IntegratorLayout& s = d.layout.integrator;
  const Real z0 = d.at(s.last_position)[c];
  const Real v0 = Real(h) * d.at(s.last_velocity)[c];
  const Real a0 = Real(h * h) * d.at(s.last_acceleration)[c];
  const Real v1 = Real(h) * d.at(s.velocity)[c];
  const Real a1 = Real(h * h) * d.at(s.acceleration)[c];
  // z0 + v0 x + a0 x^2/2 + x^3 (p + q x + r x^2)
  const Real dz = d.at(s.position)[c] - z0 - v0 - Real(0.5) * a0;
  const Real dv = v1 - v0 - a0;
  const Real da = a1 - a0;
  const Real p = Real(10) * dz - Real(4) * dv + Real(0.5) * da;
  const Real q = Real(-15) * dz + Real(7) * dv - da;
  const Real r = Real(6) * dz - Real(3) * dv + Real(0.5) * da;
  const Real y(x);
  d.at(d.layout.position)[c] = z0 + y * (v0 + y * (Real(0.5) * a0 + y * (p + y * (q + y * r))));
  d.at(d.layout.velocity)[c] =
      Real(1.0 / h) * (v0 + y * (a0 + y * (Real(3) * p + y * (Real(4) * q + y * (Real(5) * r)))));
}

// Position and velocity at a time within the last step.
template <class D>
GRADUS_FUNCTION void interpolate_state(const D& d, double time) {
  const IntegratorLayout& s = d.layout.integrator;
  const int n = d.plan.coordinate_count;
  const double start = value_of(d.at(s.last_time)[0]);
  const double h = value_of(d.at(s.time)[0]) - start;
  const bool at_end = !(h > 0.0) || (time - start) / h > 1.0 - 1e-12;
  if (at_end) {
    copy_array(d, s.position, d.layout.position, n);
    copy_array(d, s.velocity, d.layout.velocity, n);
    return;
  }
  for (int c = 0; c < n; ++c) interpolate_coordinate(d, c, (time - start) / h, h);
}

GRADUS_KERNELS_END
