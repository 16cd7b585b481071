// Revolute joint: one angle about the axis that parent and child share. docs/theory.md, section 2.
// Its closure, when cut: the joint points coincide and the axes coincide (section 6; 6 equations,
// 5 independent).
#pragma once

#include "kernels/joints/turn.hpp"
#include "kernels/math/spatial.hpp"

GRADUS_KERNELS_BEGIN

struct Revolute {
  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Matrix3<Real> place(const Matrix3<Real>& frame, const Coordinates& z,
                                             Vector3<Real>& displacement) {
    displacement = zero3<Real>();
    return turn_about_axis(frame, z[0]);
  }

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Motion<Real> axis(int, const JointPose<Real>& pose, const Coordinates&) {
    return rotation_about(column(pose.parent, 0), pose.arm);
  }
};

GRADUS_KERNELS_END
