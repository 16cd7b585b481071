// Revolute joint: one angle about the axis that parent and child share. docs/theory.md, section 2.
// Its closure, when cut: the joint points coincide and the axes coincide (section 6; 6 equations,
// 5 independent).
#pragma once

#include "kernels/math/spatial.hpp"

GRADUS_KERNELS_BEGIN

struct Revolute {
  // `frame`: joint frame of the parent in global axes (columns axis, zero, axis x zero).
  // Returns the joint frame of the child; the joint points coincide.
  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Matrix3<Real> place(const Matrix3<Real>& frame, const Coordinates& z,
                                             Vector3<Real>& displacement) {
    displacement = zero3<Real>();
    const Real c = cos(z[0]);
    const Real s = sin(z[0]);
    Matrix3<Real> child;
    for (int row = 0; row < 3; ++row) {
      const Real& zero = frame.m[3 * row + 1];
      const Real& side = frame.m[3 * row + 2];
      child.m[3 * row] = frame.m[3 * row];
      child.m[3 * row + 1] = c * zero + s * side;
      child.m[3 * row + 2] = c * side - s * zero;
    }
    return child;
  }

  // Axis of coordinate k as a motion of the child at the point `arm` away from the joint point.
  template <class Real>
  static GRADUS_FUNCTION Motion<Real> axis(int, const Matrix3<Real>& frame,
                                           const Vector3<Real>& arm) {
    const Vector3<Real> w = column(frame, 0);
    return {cross(w, arm), w};
  }
};

GRADUS_KERNELS_END
