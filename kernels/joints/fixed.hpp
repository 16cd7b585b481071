// Fixed joint: the frames of parent and child coincide. Its closure, when cut: the joint points,
// axes and zero directions coincide (docs/theory.md, section 6; 9 equations, 6 independent).
#pragma once

#include "kernels/joints/turn.hpp"

GRADUS_KERNELS_BEGIN

struct Fixed {
  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Matrix3<Real> place(const Matrix3<Real>& frame, const Coordinates&,
                                             Vector3<Real>& displacement) {
    displacement = zero3<Real>();
    return frame;
  }

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Motion<Real> axis(int, const JointPose<Real>&, const Coordinates&) {
    return zero_motion<Real>();
  }
};

GRADUS_KERNELS_END
