// The joints. A joint places its child: from the joint frame of the parent it makes the joint frame
// of the child and the displacement of the joint point (`place`), and it names the axis of each of
// its coordinates (`axis`). Coordinates act one after another, each as a single translation or
// rotation, except for Euler parameters, which turn the child together; that is all the recursions
// need to know. docs/theory.md, section 2; closures of cut joints, section 6.
#pragma once

#include "kernels/core/plan_view.hpp"
#include "kernels/math/euler_parameters.hpp"
#include "kernels/math/sine_cosine.hpp"
#include "kernels/math/spatial.hpp"

GRADUS_KERNELS_BEGIN

// A joint in global axes: its frames on both bodies (columns axis, zero, axis x zero), and the way
// from the joint point of the child to where motions are taken.
template <class Real>
struct JointPose {
  Matrix3<Real> parent, child;
  Vector3<Real> arm;
};

// The joint frame of the child, and the displacement of its joint point.
template <class Real>
struct JointStep {
  Matrix3<Real> frame;
  Vector3<Real> displacement;
};

// The frame turned about its first column.
template <class Real>
GRADUS_FUNCTION Matrix3<Real> turn_about_axis(const Matrix3<Real>& frame, const Real& angle) {
  const auto [s, c] = sine_cosine(angle);
  Matrix3<Real> turned;
  for (int row = 0; row < 3; ++row) {
    const Real& zero = frame.m[3 * row + 1];
    const Real& side = frame.m[3 * row + 2];
    turned.m[3 * row] = frame.m[3 * row];
    turned.m[3 * row + 1] = c * zero + s * side;
    turned.m[3 * row + 2] = c * side - s * zero;
  }
  return turned;
}

// Rotation about w through the joint point.
template <class Real>
GRADUS_INLINE Motion<Real> rotation_about(const Vector3<Real>& w, const Vector3<Real>& arm) {
  return {cross(w, arm), w};
}

template <class Real>
GRADUS_INLINE Motion<Real> translation_along(const Vector3<Real>& u) {
  return {u, zero3<Real>()};
}

// Revolute joint: one angle about the axis that parent and child share.
// Its closure, when cut: the joint points coincide and the axes coincide (section 6; 6 equations,
// 5 independent).
struct Revolute {
  template <class Real, class Coordinates>
  static GRADUS_FUNCTION JointStep<Real> place(const Matrix3<Real>& frame, const Coordinates& z) {
    return {turn_about_axis(frame, z[0]), zero3<Real>()};
  }

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Motion<Real> axis(int, const JointPose<Real>& pose, const Coordinates&) {
    return rotation_about(column(pose.parent, 0), pose.arm);
  }
};

// Prismatic joint: one displacement of the child's joint point along the axis, no rotation.
// Its closure, when cut: axes coincide, joint points lie on the axis,
// zero directions coincide (section 6; 9 equations, 5 independent).
struct Prismatic {
  template <class Real, class Coordinates>
  static GRADUS_FUNCTION JointStep<Real> place(const Matrix3<Real>& frame, const Coordinates& z) {
    return {frame, z[0] * column(frame, 0)};
  }

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Motion<Real> axis(int, const JointPose<Real>& pose, const Coordinates&) {
    return translation_along(column(pose.parent, 0));
  }
};

// Cardan joint: an angle about the axis of the parent, then one about the axis of the
// child, which stays perpendicular to it. At zero the child's axis lies on the parent's zero
// direction and the child's zero direction on the parent's axis. Its
// closure, when cut: the joint points coincide and the axes are perpendicular (section 6; 4
// equations).
struct Cardan {
  template <class Real, class Coordinates>
  static GRADUS_FUNCTION JointStep<Real> place(const Matrix3<Real>& frame, const Coordinates& z) {
    // (axis, zero, side) becomes (zero, axis, -side): the frame of the child before its own turn.
    const Matrix3<Real> turned = turn_about_axis(frame, z[0]);
    Matrix3<Real> crossed;
    for (int row = 0; row < 3; ++row) {
      crossed.m[3 * row] = turned.m[3 * row + 1];
      crossed.m[3 * row + 1] = turned.m[3 * row];
      crossed.m[3 * row + 2] = -turned.m[3 * row + 2];
    }
    return {turn_about_axis(crossed, z[1]), zero3<Real>()};
  }

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Motion<Real> axis(int k, const JointPose<Real>& pose, const Coordinates&) {
    return rotation_about(column(k == 0 ? pose.parent : pose.child, 0), pose.arm);
  }
};

// Cylindrical joint: displacement along the axis, then angle about it.
// Its closure, when cut: axes coincide, joint points lie on the axis (section 6; 6 equations, 4
// independent).
struct Cylindrical {
  template <class Real, class Coordinates>
  static GRADUS_FUNCTION JointStep<Real> place(const Matrix3<Real>& frame, const Coordinates& z) {
    return {turn_about_axis(frame, z[1]), z[0] * column(frame, 0)};
  }

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Motion<Real> axis(int k, const JointPose<Real>& pose, const Coordinates&) {
    const Vector3<Real> w = column(pose.parent, 0);
    return k == 0 ? translation_along(w) : rotation_about(w, pose.arm);
  }
};

// Spherical joint: four Euler parameters of the child's frame in the parent's. They act together,
// not one after another. Their normalisation is a constraint
// of its own. Its closure, when cut: the joint points coincide (section 6; 3 equations).
struct Spherical {
  template <class Real, class Coordinates>
  static GRADUS_FUNCTION JointStep<Real> place(const Matrix3<Real>& frame, const Coordinates& z) {
    return {frame * rotation_matrix(load_euler(z)), zero3<Real>()};
  }

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Motion<Real> axis(int k, const JointPose<Real>& pose,
                                           const Coordinates& z) {
    return rotation_about(pose.parent * euler_axis(load_euler(z), k), pose.arm);
  }
};

// Floating joint: displacements of the child's joint point along the parent's joint axes, then the
// four Euler parameters of a spherical joint. It closes nothing.
struct Floating {
  template <class Real, class Coordinates>
  static GRADUS_FUNCTION JointStep<Real> place(const Matrix3<Real>& frame, const Coordinates& z) {
    return {frame * rotation_matrix(load_euler(z.from(3))),
            frame * Vector3<Real>{z[0], z[1], z[2]}};
  }

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Motion<Real> axis(int k, const JointPose<Real>& pose,
                                           const Coordinates& z) {
    return k < 3 ? translation_along(column(pose.parent, k))
                 : Spherical::axis(k - 3, pose, z.from(3));
  }
};

// Planar joint: displacements along zero and along axis x zero, then an angle about the axis.
// Its closure, when cut: axes coincide, the line between the joint
// points is perpendicular to them (section 6; 4 equations, 3 independent).
struct Planar {
  template <class Real, class Coordinates>
  static GRADUS_FUNCTION JointStep<Real> place(const Matrix3<Real>& frame, const Coordinates& z) {
    return {turn_about_axis(frame, z[2]), z[0] * column(frame, 1) + z[1] * column(frame, 2)};
  }

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Motion<Real> axis(int k, const JointPose<Real>& pose, const Coordinates&) {
    return k == 2 ? rotation_about(column(pose.parent, 0), pose.arm)
                  : translation_along(column(pose.parent, k + 1));
  }
};

// Fixed joint: the frames of parent and child coincide. Its closure, when cut: the joint points,
// axes and zero directions coincide (docs/theory.md, section 6; 9 equations, 6 independent).
struct Fixed {
  template <class Real, class Coordinates>
  static GRADUS_FUNCTION JointStep<Real> place(const Matrix3<Real>& frame, const Coordinates&) {
    return {frame, zero3<Real>()};
  }

  template <class Real, class Coordinates>
  static GRADUS_FUNCTION Motion<Real> axis(int, const JointPose<Real>&, const Coordinates&) {
    return zero_motion<Real>();
  }
};

// Calls `use` with the joint of the given kind.
template <class Use>
GRADUS_FUNCTION void with_joint(JointKind kind, Use&& use) {
  switch (kind) {
    case JointKind::revolute:
      return use(Revolute());
    case JointKind::prismatic:
      return use(Prismatic());
    case JointKind::cardan:
      return use(Cardan());
    case JointKind::cylindrical:
      return use(Cylindrical());
    case JointKind::spherical:
      return use(Spherical());
    case JointKind::floating:
      return use(Floating());
    case JointKind::planar:
      return use(Planar());
    case JointKind::fixed:
      return use(Fixed());
  }
}

GRADUS_KERNELS_END
