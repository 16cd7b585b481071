// Cardan (universal) joint: an angle about the axis of the parent, then one about the axis of the
// child, which stays perpendicular to it. At zero the child's axis lies on the parent's zero
// direction and the child's zero direction on the parent's axis. docs/theory.md, section 2. Its
// closure, when cut: the joint points coincide and the axes are perpendicular (section 6; 4
// equations).
#pragma once

#include "kernels/joints/turn.hpp"

GRADUS_KERNELS_BEGIN

struct Cardan {
  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Matrix3<Real> place(const Matrix3<Real>& frame, const Coordinates& z,
                                             Vector3<Real>& displacement) {
    displacement = zero3<Real>();
    // (axis, zero, side) becomes (zero, axis, -side): the frame of the child before its own turn.
    const Matrix3<Real> turned = turn_about_axis(frame, z[0]);
    Matrix3<Real> crossed;
    for (int row = 0; row < 3; ++row) {
      crossed.m[3 * row] = turned.m[3 * row + 1];
      crossed.m[3 * row + 1] = turned.m[3 * row];
      crossed.m[3 * row + 2] = -turned.m[3 * row + 2];
    }
    return turn_about_axis(crossed, z[1]);
  }

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Motion<Real> axis(int k, const JointPose<Real>& pose, const Coordinates&) {
    return rotation_about(column(k == 0 ? pose.parent : pose.child, 0), pose.arm);
  }
};

GRADUS_KERNELS_END
