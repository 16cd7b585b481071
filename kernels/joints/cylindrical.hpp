// Cylindrical joint: displacement along the axis, then angle about it. docs/theory.md, section 2.
// Its closure, when cut: axes coincide, joint points lie on the axis (section 6; 6 equations, 4
// independent).
#pragma once

#include "kernels/joints/turn.hpp"

GRADUS_KERNELS_BEGIN

struct Cylindrical {
  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Matrix3<Real> place(const Matrix3<Real>& frame, const Coordinates& z,
                                             Vector3<Real>& displacement) {
    displacement = z[0] * column(frame, 0);
    return turn_about_axis(frame, z[1]);
  }

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Motion<Real> axis(int k, const JointPose<Real>& pose, const Coordinates&) {
    const Vector3<Real> w = column(pose.parent, 0);
    return k == 0 ? translation_along(w) : rotation_about(w, pose.arm);
  }
};

GRADUS_KERNELS_END
