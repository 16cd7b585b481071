// Reactions as generalised forces of virtual axes, and what these do to features, laws and actions;
// and reactions of loops, which multipliers and the features of their constraints alone make: their
// derivatives by coordinates, multipliers and parameters. docs/theory.md, section 12.
#pragma once

#include "kernels/passes/reactions.hpp"
#include "kernels/passes/tangents.hpp"

GRADUS_KERNELS_BEGIN

// The sum of the components of a reaction, each times its adjoint, is the generalised force of one
// axis. It acts just before the joint that carries `body` and moves the sub-tree of it; that of a
// loop moves `body` alone.
template <class Real>
struct VirtualAxis {
  int body;
  int point;           // where moments are taken
  AxisMotion<Real> s;  // without rates
};

template <class D, class Adjoint>
GRADUS_FUNCTION VirtualAxis<RealOf<D>> virtual_axis(const D& d, const SensorEntry& sensor,
                                                    const Adjoint& adjoint) {
  const bool loop = is_loop_reaction(sensor.kind);
  const int body = loop ? d.plan.features[sensor.second].body : sensor.index;
  const RealOf<D> sign(loop ? 1.0 : static_cast<double>(sensor.factor));
  const VectorOf<D> y = sign * load3(adjoint, 0);
  const VectorOf<D> at = reference_of(d, body);
  MotionOf<D> axis{y, zero3<RealOf<D>>()};
  if (sensor.kind == SignalKind::joint_moment || sensor.kind == SignalKind::loop_moment)
    axis = {cross(y, at - feature_position(d, sensor.second)), y};
  return {body, sensor.second, {axis, zero_motion<RealOf<D>>(), zero_motion<RealOf<D>>(), at}};
}

// Two sensors of one joint or loop, its force and its moment about the same point.
GRADUS_FUNCTION bool are_of_one_reaction(const SensorEntry& a, const SensorEntry& b) {
  return is_joint_reaction(a.kind) && is_joint_reaction(b.kind) &&
         is_loop_reaction(a.kind) == is_loop_reaction(b.kind) && a.index == b.index &&
         a.second == b.second && a.factor == b.factor;
}

// What the axis does to a feature.
template <class D>
GRADUS_FUNCTION VectorOf<D> virtual_column(const D& d, const VirtualAxis<RealOf<D>>& v, int f) {
  return is_in_sub_tree(d, d.plan.features[f].body, v.body) ? position_column(d, f, v.s)
                                                            : zero3<RealOf<D>>();
}

// To line k.
template <class D>
GRADUS_FUNCTION VectorOf<D> virtual_line(const D& d, const VirtualAxis<RealOf<D>>& v, int k) {
  return along_line(d, k, [&](int f) { return virtual_column(d, v, f); });
}

// To pose k.
template <class D>
GRADUS_FUNCTION PoseMotionOf<D> virtual_pose(const D& d, const VirtualAxis<RealOf<D>>& v, int k) {
  return pose_motion(
      d, k, [&](int f) { return virtual_column(d, v, f); },
      [&](int body) { return is_in_sub_tree(d, body, v.body) ? v.s.axis.w : zero3<RealOf<D>>(); });
}

// And to an input of a law: loads of laws act on bodies by these alone.
template <class D>
GRADUS_FUNCTION RealOf<D> virtual_input(const D& d, const VirtualAxis<RealOf<D>>& v,
                                        const LawInputEntry& in) {
  if (in.kind == LawInputKind::length)
    return length_change(d, in.index, virtual_line(d, v, in.index));
  if (in.kind == LawInputKind::pose_work)
    return pose_work(d, in.index, in.component,
                     pose_answer(d, in.index, virtual_pose(d, v, in.index)));
  if (in.kind != LawInputKind::feature) return RealOf<D>(0);
  return component(virtual_column(d, v, in.index), in.component);
}

// Features of a constraint under a change `moved(f)` of them.
template <class Moved>
GRADUS_FUNCTION auto features_moved(const ConstraintEntry& e, const Moved& moved) {
  using Real = decltype(moved(0).x);
  ConstraintColumn<Real> q{zero3<Real>(), zero3<Real>()};
  for (int k = 0; k < feature_count(e.kind); ++k) add_feature(q, e, k, moved(e.feature[k]));
  return q;
}

// What the axis itself does when something moves the point of the moment by `dq`, and the whole is
// not carried along.
template <class Real>
GRADUS_INLINE Motion<Real> turned_axis(const VirtualAxis<Real>& v, const Vector3<Real>& dq) {
  return {cross(dq, v.s.axis.w), zero3<Real>()};
}

// Derivative of a law along the axis.
template <class D>
GRADUS_FUNCTION RealOf<D> law_along(const D& d, const VirtualAxis<RealOf<D>>& v,
                                    const LawEntry& law) {
  const auto run = law_gradient(d, d.layout.free_motion, law, d.at(d.layout.free_velocity));
  RealOf<D> sum(0);
  for (int i = 0; i < input_count(law); ++i)
    sum += run.input[i] * virtual_input(d, v, d.plan.law_inputs[law.input_begin + i]);
  return sum;
}

// What an action of unit size does along the axis.
template <class D>
GRADUS_FUNCTION RealOf<D> action_along(const D& d, const VirtualAxis<RealOf<D>>& v,
                                       const ActionEntry& action) {
  if (action.kind == ActionKind::effort) return law_along(d, v, d.plan.laws[action.work]);
  if (!is_in_sub_tree(d, action.body, v.body)) return RealOf<D>(0);
  const bool at_point = action.kind == ActionKind::follower_force;
  return dot(action_axis(d, action), at_point ? virtual_column(d, v, action.feature) : v.s.axis.w);
}

// What the virtual axis of a loop does to a feature: it moves one body.
template <class D>
GRADUS_FUNCTION VectorOf<D> loop_column(const D& d, const VirtualAxis<RealOf<D>>& v, int f) {
  return d.plan.features[f].body == v.body ? position_column(d, f, v.s) : zero3<RealOf<D>>();
}

// Change of one constraint's part in the reaction when its features and the point of the moment
// move by moved(f).
template <class D, class Moved>
GRADUS_ROUTINE RealOf<D> loop_reaction_change(const D& d, const ConstraintEntry& e,
                                              const VirtualAxis<RealOf<D>>& v, const Moved& moved) {
  const auto multiplier = both_multipliers(d, e);
  const auto along = features_moved(e, [&](int f) { return loop_column(d, v, f); });
  RealOf<D> sum = constraint_stiffness(e, multiplier, along, features_moved(e, moved));
  for (int j = 0; j < feature_count(e.kind); ++j) {
    const FeatureEntry& feature = d.plan.features[e.feature[j]];
    if (feature.body != v.body) continue;
    auto arm = moved(e.feature[j]);
    if (feature.is_point != 0) arm -= moved(v.point);
    sum += dot(constraint_load(d, e, j, multiplier), cross(v.s.axis.w, arm));
  }
  return -sum;
}

// Adds adjoint . (d reaction / d position) to `row` [n] and to the row of the multipliers.
template <class D, class Row>
GRADUS_ROUTINE void add_loop_reaction_rows(const D& d, const SensorEntry& sensor,
                                           const VirtualAxis<RealOf<D>>& v, const Row& row) {
  for (int k = sensor.index; k < sensor.factor; ++k) {
    const ConstraintEntry& e = d.plan.constraints[k];
    const auto along = features_moved(e, [&](int f) { return loop_column(d, v, f); });
    add_to_rows(d.at(d.layout.reaction_multiplier), e, -constraint_column(d, e, along));
    for (int t = e.touch_begin; t < e.touch_end; ++t) {
      const int c = d.plan.touches[t].coordinate;
      const auto s = axis_motion(d, d.layout.motion, c);
      row[c] += loop_reaction_change(d, e, v, [&](int f) {
        return moves_body(d, c, d.plan.features[f].body) ? position_column(d, f, s)
                                                         : zero3<RealOf<D>>();
      });
    }
  }
}

// The same by an entry of a parameter at fixed coordinates and multipliers; `s` is the locked axis,
// if it is one.
template <class D>
GRADUS_ROUTINE RealOf<D> loop_reaction_partial(const D& d, const SensorEntry& sensor,
                                               const VirtualAxis<RealOf<D>>& v,
                                               const PartialEntry& entry, const AxisOf<D>& s) {
  RealOf<D> sum(0);
  for (int k = sensor.index; k < sensor.factor; ++k)
    sum += loop_reaction_change(d, d.plan.constraints[k], v, [&](int f) {
      FeatureColumn<RealOf<D>> column;
      const bool moves = feature_partial(d, d.layout.motion, entry, s, f, column);
      return moves ? column.q : zero3<RealOf<D>>();
    });
  return sum;
}

GRADUS_KERNELS_END
