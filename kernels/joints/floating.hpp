// Floating joint: displacements of the child's joint point along the parent's joint axes, then the
// four Euler parameters of a spherical joint. docs/theory.md, section 2. It closes nothing.
#pragma once

#include "kernels/joints/spherical.hpp"

GRADUS_KERNELS_BEGIN

struct Floating {
  static constexpr int kFirstEulerParameter = 3;

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Matrix3<Real> place(const Matrix3<Real>& frame, const Coordinates& z,
                                             Vector3<Real>& displacement) {
    displacement = frame * Vector3<Real>{z[0], z[1], z[2]};
    return frame * rotation_matrix(load_euler(z.from(3)));
  }

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Motion<Real> axis(int k, const JointPose<Real>& pose,
                                           const Coordinates& z) {
    return k < 3 ? translation_along(column(pose.parent, k))
                 : Spherical::axis(k - 3, pose, z.from(3));
  }
};

GRADUS_KERNELS_END
