// What one entry of a parameter moves: locked coordinates for the geometry of joints, features, and
// the loads at these. docs/theory.md, section 11.
#pragma once

#include "kernels/passes/tangents.hpp"

GRADUS_KERNELS_BEGIN

// A locked coordinate: its axis in the free motion (with weight) and in the motion, and carried by
// the projections.
template <class Real>
struct LockedAxis {
  int body;        // the sub-tree that it moves
  bool own_joint;  // whether the joint of that body comes after it
  AxisMotion<Real> free, actual;
  Motion<Real> carried[2];
};

template <class D>
GRADUS_ROUTINE MotionOf<D> locked_direction(const D& d, const PartialEntry& entry) {
  const int j = entry.index;
  const BodyEntry& body = d.plan.bodies[j];
  const VectorOf<D> local = load3(d.at(d.layout.direction + entry.direction), 0);
  switch (entry.kind) {
    case PartialKind::parent_point:
      return {rotation_of(d, body.parent) * local, zero3<RealOf<D>>()};
    case PartialKind::child_point:
      return {-(rotation_of(d, j) * local), zero3<RealOf<D>>()};
    case PartialKind::parent_frame: {
      const VectorOf<D> w = rotation_of(d, body.parent) * local;
      const VectorOf<D> point = origin_of(d, body.parent) +
                                rotation_of(d, body.parent) * slot3(d, body.parent_point_slot);
      return {cross(w, reference_of(d, j) - point), w};
    }
    default: {
      const VectorOf<D> w = -(rotation_of(d, j) * local);
      return {cross(w, reference_of(d, j) - load3(d.at(d.layout.joint_point), j)), w};
    }
  }
}

// Motion of what carries the locked axis, at the reference point of body j.
template <class D>
GRADUS_FUNCTION MotionOf<D> carrier(const D& d, int motions, int j, bool parent_side,
                                    const MotionOf<D>& ground) {
  return parent_side ? from_parent(d, motions, j, ground) : load_motion(d.at(motions), j);
}

template <class D>
GRADUS_FUNCTION AxisOf<D> carried_axis(const D& d, const MotionLayout& m, int j, bool parent_side,
                                       const MotionOf<D>& axis, const MotionOf<D>& ground) {
  const MotionOf<D> v = carrier(d, m.velocity, j, parent_side, zero_motion<RealOf<D>>());
  const MotionOf<D> a = carrier(d, m.acceleration, j, parent_side, ground);
  const MotionOf<D> rate = cross(v, axis);
  return {axis, rate, cross(a, axis) + cross(v, rate), reference_of(d, j)};
}

template <class D>
GRADUS_ROUTINE LockedAxis<RealOf<D>> locked_axis(const D& d, const PartialEntry& entry) {
  const Layout& l = d.layout;
  const int j = entry.index;
  const bool parent_side = is_on_parent(entry.kind);
  const MotionOf<D> axis = locked_direction(d, entry);
  LockedAxis<RealOf<D>> s;
  s.body = j;
  s.own_joint = parent_side;
  s.free = carried_axis(d, l.free_motion, j, parent_side, axis, weight(d));
  s.actual = carried_axis(d, l.motion, j, parent_side, axis, zero_motion<RealOf<D>>());
  const int changes[2] = {l.velocity_change_rate, l.acceleration_change_rate};
  for (int k = 0; k + 1 < residual_count(d.settings); ++k)
    s.carried[k] = cross(carrier(d, changes[k], j, parent_side, zero_motion<RealOf<D>>()), axis);
  return s;
}

// Whether an entry moves feature f, as a locked axis or as its own coordinates, and the column of
// the feature then; `s` is the locked axis, if it is one.
template <class D>
GRADUS_FUNCTION bool moves_feature(const D& d, const PartialEntry& entry, int f) {
  if (is_locked_axis(entry.kind)) return is_in_sub_tree(d, d.plan.features[f].body, entry.index);
  return entry.kind == PartialKind::feature && entry.index == f;
}
template <class D>
GRADUS_FUNCTION bool feature_partial(const D& d, const MotionLayout& m, const PartialEntry& entry,
                                     const AxisOf<D>& s, int f, FeatureColumn<RealOf<D>>& column) {
  if (!moves_feature(d, entry, f)) return false;
  column = is_locked_axis(entry.kind)
               ? moved_column(d, m, f, s)
               : local_column(d, m, f, load3(d.at(d.layout.direction + entry.direction), 0));
  return true;
}

// The same of the position and of the velocity alone, zero where nothing moves.
template <class D>
GRADUS_FUNCTION VectorOf<D> moved_position(const D& d, const PartialEntry& entry,
                                           const AxisOf<D>& s, int f) {
  if (!moves_feature(d, entry, f)) return zero3<RealOf<D>>();
  return is_locked_axis(entry.kind)
             ? position_column(d, f, s)
             : local_position(d, f, load3(d.at(d.layout.direction + entry.direction), 0));
}
template <class D>
GRADUS_FUNCTION VectorOf<D> moved_velocity(const D& d, const MotionLayout& m,
                                           const PartialEntry& entry, const AxisOf<D>& s, int f) {
  if (!moves_feature(d, entry, f)) return zero3<RealOf<D>>();
  if (is_locked_axis(entry.kind)) return velocity_column(d, m, f, s);
  const int body = d.plan.features[f].body;
  if (body < 0) return zero3<RealOf<D>>();
  return cross(load_motion(d.at(m.velocity), body).w, moved_position(d, entry, s, f));
}

// What an entry makes of line k.
template <class D>
GRADUS_FUNCTION VectorOf<D> moved_line(const D& d, const PartialEntry& entry, const AxisOf<D>& s,
                                       int k) {
  return along_line(d, k, [&](int f) { return moved_position(d, entry, s, f); });
}
template <class D>
GRADUS_FUNCTION VectorOf<D> moved_line_velocity(const D& d, const MotionLayout& m,
                                                const PartialEntry& entry, const AxisOf<D>& s,
                                                int k) {
  return along_line(d, k, [&](int f) { return moved_velocity(d, m, entry, s, f); });
}

// Whether an entry turns a body.
template <class D>
GRADUS_FUNCTION bool turns_body(const D& d, const PartialEntry& entry, int body) {
  return is_locked_axis(entry.kind) && is_in_sub_tree(d, body, entry.index);
}

// What it makes of pose k.
template <class D>
GRADUS_FUNCTION PoseMotionOf<D> moved_pose(const D& d, const PartialEntry& entry,
                                           const AxisOf<D>& s, int k) {
  return pose_motion(
      d, k, [&](int f) { return moved_position(d, entry, s, f); },
      [&](int body) { return turns_body(d, entry, body) ? s.axis.w : zero3<RealOf<D>>(); });
}
template <class D>
GRADUS_FUNCTION PoseMotionOf<D> moved_pose_velocity(const D& d, const MotionLayout& m,
                                                    const PartialEntry& entry, const AxisOf<D>& s,
                                                    int k) {
  return pose_motion(
      d, k, [&](int f) { return moved_velocity(d, m, entry, s, f); },
      [&](int body) {
        return turns_body(d, entry, body) ? angular_velocity_column(d, m, body, s)
                                          : zero3<RealOf<D>>();
      });
}

// Calls visit(number, action) for those that an entry changes at fixed coordinates.
template <class D, class Visit>
GRADUS_INLINE void for_each_changed_action(const D& d, const PartialEntry& entry,
                                           const Visit& visit) {
  const ElementEntry& element = d.plan.elements[entry.element];
  for (int k = element.action_begin; k < element.action_end; ++k) {
    const int number = d.plan.changed_actions[k];
    visit(number, d.plan.actions[number]);
  }
}
template <class D, class Visit>
GRADUS_INLINE void for_each_changed_constraint(const D& d, const PartialEntry& entry,
                                               const Visit& visit) {
  const ElementEntry& element = d.plan.elements[entry.element];
  for (int k = element.constraint_begin; k < element.constraint_end; ++k) {
    const int number = d.plan.changed_constraints[k];
    // Behind the others are those of the start, which are let go.
    if (number < d.plan.constraint_count) visit(d.plan.constraints[number]);
  }
}

// Calls visit(column, entry) for what the parameters with columns change.
template <class D, class Visit>
GRADUS_FUNCTION void for_each_entry(const D& d, const Visit& visit) {
  for (int column = 0; column < d.plan.column_count; ++column) {
    const int p = d.column_begin + column;
    if (p >= d.plan.parameter_count) return;  // the last slice is not full
    for (int k = d.plan.partial_begin[p]; k < d.plan.partial_begin[p + 1]; ++k)
      visit(column, d.plan.partials[k]);
  }
}

// Adds to column p of a residual partial [n, column].
template <class D>
struct ResidualColumn {
  const D& d;
  int offset;
  int p;
  GRADUS_FUNCTION void add(int c, const RealOf<D>& value) const {
    d.at(offset)[c * d.plan.column_count + p] += value;
  }
};

// Moving a feature within its body: its load acts at another place. W_c . (dq x f) on every
// coordinate that moves it.
template <class D>
GRADUS_FUNCTION void add_displaced_load(const D& d, const ResidualColumn<D>& out, int f,
                                        const VectorOf<D>& dq, const VectorOf<D>& load) {
  const int body = d.plan.features[f].body;
  if (body < 0) return;
  const auto moment = cross(dq, load);
  for (int c = d.plan.bodies[body].tip_coordinate; c >= 0; c = d.plan.coordinates[c].upstream)
    out.add(c, dot(load_motion(d.at(d.layout.axis), c).w, moment));
}

GRADUS_KERNELS_END
