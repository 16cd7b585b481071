// Spherical joint: four Euler parameters of the child's frame in the parent's. They act together,
// not one after another; docs/theory.md, section 2, says how. Their normalisation is a constraint
// of its own. Its closure, when cut: the joint points coincide (section 6; 3 equations).
#pragma once

#include "kernels/joints/turn.hpp"
#include "kernels/math/euler_parameters.hpp"

GRADUS_KERNELS_BEGIN

struct Spherical {
  static constexpr int kFirstEulerParameter = 0;

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Matrix3<Real> place(const Matrix3<Real>& frame, const Coordinates& z,
                                             Vector3<Real>& displacement) {
    displacement = zero3<Real>();
    return frame * rotation_matrix(load_euler(z));
  }

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Motion<Real> axis(int k, const JointPose<Real>& pose,
                                           const Coordinates& z) {
    return rotation_about(pose.parent * euler_axis(load_euler(z), k), pose.arm);
  }
};

GRADUS_KERNELS_END
