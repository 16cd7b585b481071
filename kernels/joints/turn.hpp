// What joints share: their pose, and the two elementary axes.
#pragma once

#include "kernels/math/sine_cosine.hpp"
#include "kernels/math/spatial.hpp"

GRADUS_KERNELS_BEGIN

// A joint in global axes: its frames on both bodies (columns axis, zero, axis x zero), and the way
// from the joint point of the child to where motions are taken.
template <class Real>
struct JointPose {
  Matrix3<Real> parent, child;
  Vector3<Real> arm;
};

// The frame turned about its first column.
template <class Real>
GRADUS_FUNCTION Matrix3<Real> turn_about_axis(const Matrix3<Real>& frame, const Real& angle) {
  const auto [s, c] = sine_cosine(angle);
  Matrix3<Real> turned;
  for (int row = 0; row < 3; ++row) {
    const Real& zero = frame.m[3 * row + 1];
    const Real& side = frame.m[3 * row + 2];
    turned.m[3 * row] = frame.m[3 * row];
    turned.m[3 * row + 1] = c * zero + s * side;
    turned.m[3 * row + 2] = c * side - s * zero;
  }
  return turned;
}

// Rotation about w through the joint point.
template <class Real>
GRADUS_INLINE Motion<Real> rotation_about(const Vector3<Real>& w, const Vector3<Real>& arm) {
  return {cross(w, arm), w};
}

template <class Real>
GRADUS_INLINE Motion<Real> translation_along(const Vector3<Real>& u) {
  return {u, zero3<Real>()};
}

GRADUS_KERNELS_END
