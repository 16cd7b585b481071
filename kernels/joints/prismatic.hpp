// Prismatic joint: one displacement of the child's joint point along the axis, no rotation.
// docs/theory.md, section 2. Its closure, when cut: axes coincide, joint points lie on the axis,
// zero directions coincide (section 6; 9 equations, 5 independent).
#pragma once

#include "kernels/math/spatial.hpp"

GRADUS_KERNELS_BEGIN

struct Prismatic {
  // `frame`: joint frame of the parent in global axes (columns axis, zero, axis x zero).
  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Matrix3<Real> place(const Matrix3<Real>& frame, const Coordinates& z,
                                             Vector3<Real>& displacement) {
    displacement = z[0] * column(frame, 0);
    return frame;
  }

  template <class Real>
  static GRADUS_FUNCTION Motion<Real> axis(int, const Matrix3<Real>& frame, const Vector3<Real>&) {
    return {column(frame, 0), zero3<Real>()};
  }
};

GRADUS_KERNELS_END
