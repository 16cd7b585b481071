// How features (points and directions fixed in bodies) answer to a motion of what they are fixed
// in: one column of q_z, of its rate and of its second rate. docs/theory.md, section 2.
#pragma once

#include "kernels/bodies/positions.hpp"

GRADUS_KERNELS_BEGIN

// Derivatives of a feature, of its velocity and of its acceleration by one coordinate or parameter.
template <class Real>
struct FeatureColumn {
  Vector3<Real> q, q_rate, q_acceleration;
};

// An axis that moves a sub-tree, with its first and second Pluecker rates at the point `at`.
template <class Real>
struct AxisMotion {
  Motion<Real> axis, rate, acceleration;
  Vector3<Real> at;
};

template <class D>
using AxisOf = AxisMotion<RealOf<D>>;

template <class D>
GRADUS_INLINE AxisOf<D> axis_motion(const D& d, const MotionLayout& m, int c) {
  return {load_motion(d.at(d.layout.axis), c), load_motion(d.at(m.axis_rate), c),
          load_motion(d.at(m.axis_acceleration), c), reference_of(d, d.plan.coordinates[c].body)};
}

template <class D>
GRADUS_INLINE VectorOf<D> feature_position(const D& d, int f) {
  return load3(d.at(d.layout.feature), f);
}

// What a motion at the point `at` does to feature f: v + w x (r - at) for a point, w x u for a
// direction.
template <class D>
GRADUS_INLINE VectorOf<D> feature_rate(const D& d, int f, const MotionOf<D>& m,
                                       const VectorOf<D>& at) {
  const auto q = feature_position(d, f);
  return d.plan.features[f].is_point != 0 ? m.v + cross(m.w, q - at) : cross(m.w, q);
}

// dq, and those of its velocity and its acceleration.
template <class D>
GRADUS_INLINE VectorOf<D> position_column(const D& d, int f, const AxisOf<D>& s) {
  return feature_rate(d, f, s.axis, s.at);
}
template <class D>
GRADUS_INLINE VectorOf<D> velocity_column(const D& d, const MotionLayout& m, int f,
                                          const AxisOf<D>& s) {
  return feature_rate(d, f, s.rate, s.at) + cross(s.axis.w, load3(d.at(m.feature_velocity), f));
}
template <class D>
GRADUS_INLINE VectorOf<D> acceleration_column(const D& d, const MotionLayout& m, int f,
                                              const AxisOf<D>& s) {
  return feature_rate(d, f, s.acceleration, s.at) +
         (RealOf<D>(2) * cross(s.rate.w, load3(d.at(m.feature_velocity), f)) +
          cross(s.axis.w, load3(d.at(m.feature_acceleration), f)));
}

// A feature of a body whose own coordinates change by `local`.
template <class D>
GRADUS_INLINE VectorOf<D> local_position(const D& d, int f, const VectorOf<D>& local) {
  const int body = d.plan.features[f].body;
  return body < 0 ? local : load9(d.at(d.layout.rotation), body) * local;
}

// Column of a feature whose own coordinates in its body change by `local`.
template <class D>
GRADUS_INLINE FeatureColumn<RealOf<D>> local_column(const D& d, const MotionLayout& m, int f,
                                                    const VectorOf<D>& local) {
  const int body = d.plan.features[f].body;
  FeatureColumn<RealOf<D>> c{local, zero3<RealOf<D>>(), zero3<RealOf<D>>()};
  if (body < 0) return c;
  const VectorOf<D> w = load_motion(d.at(m.velocity), body).w;
  c.q = load9(d.at(d.layout.rotation), body) * local;
  c.q_rate = cross(w, c.q);
  c.q_acceleration = cross(load_motion(d.at(m.acceleration), body).w, c.q) + cross(w, c.q_rate);
  return c;
}

template <class D>
GRADUS_INLINE FeatureColumn<RealOf<D>> moved_column(const D& d, const MotionLayout& m, int f,
                                                    const AxisOf<D>& s) {
  return {position_column(d, f, s), velocity_column(d, m, f, s), acceleration_column(d, m, f, s)};
}

GRADUS_KERNELS_END
