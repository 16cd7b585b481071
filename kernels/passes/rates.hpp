// Walks from the ground outwards: positions, velocities and accelerations of bodies, axes, features
// and lines. docs/theory.md, section 2, with accelerations as Pluecker rates: a coordinate
// with axis S adds S z' to the velocity, S z'' + S' z' to the acceleration, S' = v x S, S'' = a x S
// + v x S', v and a taken before the coordinate acts.
#pragma once

#include "kernels/bodies/lines.hpp"
#include "kernels/bodies/poses.hpp"
#include "kernels/passes/euler_group.hpp"

GRADUS_KERNELS_BEGIN

// As far as forces need them. A call on the host too: inlined into its callers, bodies would be
// placed by calls of their own.
template <class D>
GRADUS_CALL void place(const D& d) {
  for (int i = 0; i < d.plan.body_count; ++i) place_body(d, i);
  place_features(d);
  measure_lines(d);
  for (int k = 0; k < d.plan.pose_count; ++k) measure_pose(d, k);
}

template <class D>
GRADUS_FUNCTION void positions(const D& d) {
  place(d);
  line_columns(d);
  pose_columns(d);
}

// Motion of a body carried over from its parent to its own reference point.
template <class D>
GRADUS_INLINE MotionOf<D> from_parent(const D& d, int array, int i, const MotionOf<D>& ground) {
  const int parent = d.plan.bodies[i].parent;
  if (parent < 0) return ground;
  return shift(load_motion(d.at(array), parent), reference_of(d, i) - reference_of(d, parent));
}

// Motions R x of all bodies for rates x, or for an acceleration-like vector x without velocity
// terms, and the axes carried by them: what M x and its derivatives are made of.
template <class D, class Vector>
GRADUS_ROUTINE void carry(const D& d, int motions, int axis_motions, const Vector& x) {
  for (int i = 0; i < d.plan.body_count; ++i) {
    const BodyEntry& body = d.plan.bodies[i];
    MotionOf<D> a = from_parent(d, motions, i, zero_motion<RealOf<D>>());
    for (int k = 0; k < body.coordinate_count; ++k) {
      const int c = body.first_coordinate + k;
      if (c == body.euler) {
        a += euler_velocity(d, axis_motions, c, a, x);
        break;
      }
      const MotionOf<D> axis = load_motion(d.at(d.layout.axis), c);
      store_motion(d.at(axis_motions), c, cross(a, axis));
      a += x[c] * axis;
    }
    store_motion(d.at(motions), i, a);
  }
}

template <class D, class Rates>
GRADUS_ROUTINE void velocities(const D& d, const MotionLayout& m, const Rates& rate) {
  carry(d, m.velocity, m.axis_rate, rate);
  for (int f = 0; f < d.plan.feature_count; ++f) {
    const int body = d.plan.features[f].body;
    store3(d.at(m.feature_velocity), f,
           body < 0
               ? zero3<RealOf<D>>()
               : feature_rate(d, f, load_motion(d.at(m.velocity), body), reference_of(d, body)));
  }
}

// Acceleration of the ground that makes weight part of inertia.
template <class D>
GRADUS_FUNCTION MotionOf<D> weight(const D& d) {
  return {-slot3(d, d.plan.gravity_slot), zero3<RealOf<D>>()};
}

// `ground` is the acceleration of the ground, see `weight`.
template <class D, class Rates, class Accelerations>
GRADUS_ROUTINE void accelerations(const D& d, const MotionLayout& m, const Rates& rate,
                                  const Accelerations& acceleration, const MotionOf<D>& ground) {
  for (int i = 0; i < d.plan.body_count; ++i) {
    const BodyEntry& body = d.plan.bodies[i];
    MotionOf<D> v = from_parent(d, m.velocity, i, zero_motion<RealOf<D>>());
    MotionOf<D> a = from_parent(d, m.acceleration, i, ground);
    for (int k = 0; k < body.coordinate_count; ++k) {
      const int c = body.first_coordinate + k;
      if (c == body.euler) {
        a += euler_acceleration(d, m, c, v, a, rate, acceleration);
        break;
      }
      const MotionOf<D> axis = load_motion(d.at(d.layout.axis), c);
      const MotionOf<D> axis_rate = load_motion(d.at(m.axis_rate), c);
      store_motion(d.at(m.axis_acceleration), c, cross(a, axis) + cross(v, axis_rate));
      v += rate[c] * axis;
      a += acceleration[c] * axis + rate[c] * axis_rate;
    }
    store_motion(d.at(m.acceleration), i, a);
  }
}

// After `velocities` and `accelerations` with the ground at rest.
template <class D>
GRADUS_ROUTINE void feature_accelerations(const D& d, const MotionLayout& m) {
  for (int f = 0; f < d.plan.feature_count; ++f) {
    const int body = d.plan.features[f].body;
    auto acceleration = zero3<RealOf<D>>();
    if (body >= 0)
      acceleration =
          feature_rate(d, f, load_motion(d.at(m.acceleration), body), reference_of(d, body)) +
          cross(load_motion(d.at(m.velocity), body).w, load3(d.at(m.feature_velocity), f));
    store3(d.at(m.feature_acceleration), f, acceleration);
  }
}

GRADUS_KERNELS_END
