// Evaluations the stages share: the generalised forces at the free motion, and the motion after
// projection.
#pragma once

#include "kernels/passes/tangents.hpp"

GRADUS_KERNELS_BEGIN

// Rates at (position, free velocity, free acceleration), with the bodies placed.
template <class D>
GRADUS_FUNCTION void evaluate_free_rates(const D& d) {
  const Layout& l = d.layout;
  velocities(d, l.free_motion, d.at(l.free_velocity));
  accelerations(d, l.free_motion, d.at(l.free_velocity), d.at(l.free_acceleration), weight(d));
}

// Springs and constraint forces on the single bodies at the motion m.
template <class D>
GRADUS_FUNCTION void gather_loads(const D& d, const MotionLayout& m) {
  const Layout& l = d.layout;
  clear_loads(d, l.load);
  add_action_loads(d, m, l.load);
  add_constraint_loads(d, l.load, d.at(l.multiplier));
}

// The same at the free motion, summed over the sub-trees, and the constraints.
template <class D>
GRADUS_FUNCTION void evaluate_loads(const D& d) {
  const Layout& l = d.layout;
  gather_loads(d, l.free_motion);
  accumulate_loads(d, l.load);
  constraint_values(d);
}

// The generalised forces at the free motion, as far as a residual needs them.
template <class D>
GRADUS_FUNCTION void evaluate_residual(const D& d) {
  place(d);
  evaluate_free_rates(d);
  inertial_forces(d, d.layout.free_motion, d.layout.load);
  evaluate_loads(d);
}

// The same with the composite inertias, for derivatives.
template <class D>
GRADUS_FUNCTION void evaluate_forces(const D& d) {
  positions(d);
  evaluate_free_rates(d);
  composites(d, d.layout.free_motion, d.layout.load);
  evaluate_loads(d);
}

// The motion at (position, velocity, given acceleration), gravity not in it, with constraint
// accelerations.
template <class D>
GRADUS_FUNCTION void evaluate_motion(const D& d, int acceleration) {
  const Layout& l = d.layout;
  accelerations(d, l.motion, d.at(l.velocity), d.at(acceleration), zero_motion<RealOf<D>>());
  feature_accelerations(d, l.motion);
  constraint_accelerations(d, l.motion, d.at(l.velocity), d.at(acceleration));
}

template <class D>
GRADUS_FUNCTION typename D::Mask all_finite(const D& d, int offset, int count) {
  typename D::Mask finite(true);
  for (int i = 0; i < count; ++i) finite = finite && is_finite(d.at(offset)[i]);
  return finite;
}

// Largest magnitude, or what is not finite.
template <class D>
GRADUS_FUNCTION typename D::Value largest_value(const D& d, int offset, int count) {
  typename D::Value largest(0.0);
  for (int i = 0; i < count; ++i) {
    const auto size = absolute(value_of(d.at(offset)[i]));
    largest = select(size > largest || !is_finite(size), size, largest);
  }
  return largest;
}

// Largest relative change of a coordinate, or what is not finite.
template <class D>
GRADUS_FUNCTION typename D::Value largest_change(const D& d, int change, int of) {
  typename D::Value largest(0.0);
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const auto size = relative_magnitude(d.at(change)[c], d.at(of)[c]);
    largest = select(size > largest || !is_finite(size), size, largest);
  }
  return largest;
}

// Records the largest entry of a constraint level among the violations of the run.
template <class D>
GRADUS_FUNCTION void record_violation(const D& d, int level, int values) {
  const auto violation = d.at(d.layout.violation);
  for (int i = 0; i < d.plan.constraint_rows; ++i) {
    const RealOf<D> size = RealOf<D>(absolute(value_of(d.at(values)[i])));
    violation[level] = select(size > violation[level] || !is_finite(size), size, violation[level]);
  }
}

GRADUS_KERNELS_END
