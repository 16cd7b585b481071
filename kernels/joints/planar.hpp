// Planar joint: displacements along zero and along axis x zero, then an angle about the axis.
// docs/theory.md, section 2. Its closure, when cut: axes coincide, the line between the joint
// points is perpendicular to them (section 6; 4 equations, 3 independent).
#pragma once

#include "kernels/joints/turn.hpp"

GRADUS_KERNELS_BEGIN

struct Planar {
  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Matrix3<Real> place(const Matrix3<Real>& frame, const Coordinates& z,
                                             Vector3<Real>& displacement) {
    displacement = z[0] * column(frame, 1) + z[1] * column(frame, 2);
    return turn_about_axis(frame, z[2]);
  }

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Motion<Real> axis(int k, const JointPose<Real>& pose, const Coordinates&) {
    return k == 2 ? rotation_about(column(pose.parent, 0), pose.arm)
                  : translation_along(column(pose.parent, k + 1));
  }
};

GRADUS_KERNELS_END
