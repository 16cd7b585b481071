// Prismatic joint: one displacement of the child's joint point along the axis, no rotation.
// docs/theory.md, section 2. Its closure, when cut: axes coincide, joint points lie on the axis,
// zero directions coincide (section 6; 9 equations, 5 independent).
#pragma once

#include "kernels/joints/turn.hpp"

GRADUS_KERNELS_BEGIN

struct Prismatic {
  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Matrix3<Real> place(const Matrix3<Real>& frame, const Coordinates& z,
                                             Vector3<Real>& displacement) {
    displacement = z[0] * column(frame, 0);
    return frame;
  }

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Motion<Real> axis(int, const JointPose<Real>& pose, const Coordinates&) {
    return translation_along(column(pose.parent, 0));
  }
};

GRADUS_KERNELS_END
