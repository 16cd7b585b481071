// Walk from the ground outwards: where everything is at the current joint coordinates.
// docs/theory.md, section 2.
#pragma once

#include "kernels/core/design.hpp"
#include "kernels/joints/joint.hpp"
#include "kernels/math/spatial.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_INLINE Matrix3<RealOf<D>> rotation_of(const D& d, int body) {
  return body < 0 ? identity3<RealOf<D>>() : load9(d.at(d.layout.rotation), body);
}
template <class D>
GRADUS_INLINE VectorOf<D> origin_of(const D& d, int body) {
  return body < 0 ? zero3<RealOf<D>>() : load3(d.at(d.layout.origin), body);
}
template <class D>
GRADUS_INLINE VectorOf<D> reference_of(const D& d, int body) {
  return body < 0 ? zero3<RealOf<D>>() : load3(d.at(d.layout.reference), body);
}
template <class D>
GRADUS_INLINE VectorOf<D> slot3(const D& d, int slot) {
  return load3(d.at(d.layout.slot + slot), 0);
}

template <class D>
GRADUS_INLINE bool is_in_sub_tree(const D& d, int body, int root) {
  return body >= root && body < d.plan.bodies[root].end;
}

// Calls visit(body, its parent, way from the reference point of the parent to that of the body) for
// all that have a parent, from the leaves to the ground.
template <class D, class Visit>
GRADUS_INLINE void for_each_child(const D& d, const Visit& visit) {
  for (int i = d.plan.body_count - 1; i >= 0; --i) {
    const int parent = d.plan.bodies[i].parent;
    if (parent >= 0) visit(i, parent, reference_of(d, i) - reference_of(d, parent));
  }
}

// Places body i on its parent and writes the axes of its joint at its reference point.
template <class D>
GRADUS_DEVICE_CALL void place_body(const D& d, int i) {
  using Real = typename D::Real;
  const BodyEntry& body = d.plan.bodies[i];
  const Matrix3<Real> parent = rotation_of(d, body.parent);
  const Matrix3<Real> frame = parent * load9(d.at(d.layout.slot + body.parent_frame_slot), 0);
  const Vector3<Real> parent_point =
      origin_of(d, body.parent) + parent * slot3(d, body.parent_point_slot);
  const auto z = d.at(d.layout.position + body.first_coordinate);

  with_joint(body.joint, [&](auto joint) {
    const JointStep<Real> step = joint.place(frame, z);
    const Matrix3<Real> rotation =
        times_transposed(step.frame, load9(d.at(d.layout.slot + body.child_frame_slot), 0));
    const Vector3<Real> joint_point = parent_point + step.displacement;
    const Vector3<Real> origin = joint_point - rotation * slot3(d, body.child_point_slot);
    const Vector3<Real> reference =
        d.plan.moment_at_origin != 0 ? zero3<Real>() : origin + rotation * slot3(d, body.com_slot);
    store9(d.at(d.layout.rotation), i, rotation);
    store3(d.at(d.layout.origin), i, origin);
    store3(d.at(d.layout.joint_point), i, joint_point);
    store3(d.at(d.layout.reference), i, reference);
    const JointPose<Real> pose{frame, step.frame, reference - joint_point};
    for (int k = 0; k < body.coordinate_count; ++k)
      store_motion(d.at(d.layout.axis), body.first_coordinate + k, joint.axis(k, pose, z));
  });
}

template <class D>
GRADUS_FUNCTION void place_features(const D& d) {
  const auto feature = d.at(d.layout.feature);
  for (int f = 0; f < d.plan.feature_count; ++f) {
    const FeatureEntry& entry = d.plan.features[f];
    const auto local = slot3(d, entry.slot);
    if (entry.body < 0) {
      store3(feature, f, local);
      continue;
    }
    const auto turned = load9(d.at(d.layout.rotation), entry.body) * local;
    store3(feature, f, entry.is_point != 0 ? origin_of(d, entry.body) + turned : turned);
  }
}

GRADUS_KERNELS_END
