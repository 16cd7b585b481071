// How reactions answer to one entry of a parameter at fixed coordinates, rates and multipliers: the
// row of the virtual axis in what partials.hpp says of the coordinates. docs/theory.md, sections 11
// and 12.
#pragma once

#include "kernels/passes/partials.hpp"
#include "kernels/passes/virtual_axis.hpp"

GRADUS_KERNELS_BEGIN

// The load of a feature that is moved within its body acts at another place.
template <class D>
GRADUS_FUNCTION RealOf<D> displaced_load(const D& d, const VirtualAxis<RealOf<D>>& v, int f,
                                         const VectorOf<D>& dq, const VectorOf<D>& load) {
  if (!is_in_sub_tree(d, d.plan.features[f].body, v.body)) return RealOf<D>(0);
  return dot(v.s.axis.w, cross(dq, load));
}

// A locked axis in one stage: upstream of the virtual axis it moves all that this one moves,
// downstream a part of it. `second` is the second rate of the locked axis, `rate` its first.
template <class D>
GRADUS_ROUTINE RealOf<D> locked_reaction_partial(const D& d, const VirtualAxis<RealOf<D>>& v,
                                                 const LockedAxis<RealOf<D>>& s,
                                                 const MotionOf<D>& second, const MotionOf<D>* rate,
                                                 const LoadLayout& load) {
  const bool upstream = s.body < v.body;  // of a sub-tree that holds that of the virtual axis
  const int i = upstream ? v.body : s.body;
  const VectorOf<D> arm = reference_of(d, i) - reference_of(d, s.body);
  const MotionOf<D> axis = shift(s.free.axis, arm);
  const MotionOf<D> up = shift(v.s.axis, reference_of(d, i) - v.s.at);
  ForceOf<D> force = composite_inertia(d, i) * shift(second, arm);
  if (rate != nullptr) force += turning_force(d, i, rate->w);
  if (!upstream)
    return dot(up, force + cross(axis, load_force(d.at(load.wrench), i))) +
           dot(turning_of(d, load, i, axis), up.w);
  return dot(up, force) + dot(turning_of(d, load, i, up), axis.w) -
         dot(cross(axis, up), whole_wrench(d, load, i));
}

// multiplier * s_z of a law, z standing for the virtual axis, as far as it is not the turning of
// features.
template <class D>
GRADUS_ROUTINE RealOf<D> law_reaction_partial(const D& d, const VirtualAxis<RealOf<D>>& v,
                                              int number, const PartialEntry& entry,
                                              const AxisOf<D>& s, const RealOf<D>& multiplier) {
  const MotionLayout& m = d.layout.free_motion;
  if (!law_answers(d, number, entry)) return RealOf<D>(0);
  const LawEntry& law = d.plan.laws[number];
  const auto run = law_gradient_change(
      d, m, law, [&](const LawInputEntry& in) { return input_change(d, m, number, in, entry, s); },
      &entry);
  RealOf<D> sum(0);
  for (int i = 0; i < input_count(law); ++i) {
    const LawInputEntry& in = d.plan.law_inputs[law.input_begin + i];
    sum += multiplier * run.input[i].derivative[0] * virtual_input(d, v, in);
  }
  for_each_length(d, law, run, [&](int k, const RealOf<D>& slope) {
    const auto turn = direction_change(d, k, moved_line(d, entry, s, k));
    sum += multiplier * slope * dot(turn, virtual_line(d, v, k));
  });
  const LawInputEntry& first = d.plan.law_inputs[law.input_begin];
  if (works_on_pose(d, law))
    sum += multiplier * dot(pose_bend(d, first.index, first.component,
                                      moved_pose(d, entry, s, first.index), false),
                            virtual_pose(d, v, first.index));
  for_each_displaced(d, law, run, entry, multiplier,
                     [&](int f, const VectorOf<D>& dq, const VectorOf<D>& load) {
                       sum += displaced_load(d, v, f, dq, load);
                     });
  return sum;
}

template <class D>
GRADUS_ROUTINE RealOf<D> action_reaction_partial(const D& d, const VirtualAxis<RealOf<D>>& v,
                                                 const PartialEntry& entry, const AxisOf<D>& s) {
  const MotionLayout& m = d.layout.free_motion;
  RealOf<D> sum(0);
  for_each_changed_action(d, entry, [&](int, const ActionEntry& action) {
    const RealOf<D> size = action_size(d, m, action);
    if (action.kind == ActionKind::effort)
      sum += law_reaction_partial(d, v, action.work, entry, s, -size);
    if (action.kind == ActionKind::follower_force && entry.kind == PartialKind::feature &&
        entry.index == action.feature) {
      const VectorOf<D> local = load3(d.at(d.layout.direction + entry.direction), 0);
      const auto f = size * action_axis(d, action);
      sum -= displaced_load(d, v, entry.index, local_position(d, entry.index, local), f);
    }
    if (!law_answers(d, action.size, entry)) return;
    // One after the other, for which law leaves its numbers is the same for every scalar then.
    const RealOf<D> along = action_along(d, v, action);
    sum -= along * law_partial(d, m, action.size, entry, s, d.at(d.layout.free_velocity));
  });
  return sum;
}

template <class D>
GRADUS_ROUTINE RealOf<D> constraint_reaction_partial(const D& d, const VirtualAxis<RealOf<D>>& v,
                                                     const PartialEntry& entry,
                                                     const AxisOf<D>& s) {
  const MotionLayout& m = d.layout.free_motion;
  RealOf<D> sum(0);
  for_each_changed_constraint(d, entry, [&](const ConstraintEntry& e) {
    const auto multiplier = both_multipliers(d, e);
    if (e.kind == ConstraintKind::law) {
      sum += law_reaction_partial(d, v, e.feature[0], entry, s, multiplier.x);
      return;
    }
    auto moved = zero_column<D>();
    for (int j = 0; j < feature_count(e.kind); ++j) {
      FeatureColumn<RealOf<D>> column;
      if (!feature_partial(d, m, entry, s, e.feature[j], column)) continue;
      add_feature(moved, e, j, column.q);
      if (entry.kind == PartialKind::feature)
        sum += displaced_load(d, v, e.feature[j], column.q, constraint_load(d, e, j, multiplier));
    }
    const auto along = features_moved(e, [&](int f) { return virtual_column(d, v, f); });
    sum += constraint_stiffness(e, multiplier, along, moved);
  });
  return sum;
}

// A change of the inertia of body i.
template <class D>
GRADUS_FUNCTION RealOf<D> inertia_reaction_partial(const D& d, const VirtualAxis<RealOf<D>>& v,
                                                   const PartialEntry& entry) {
  const Layout& l = d.layout;
  const int i = entry.index;
  if (!is_in_sub_tree(d, i, v.body)) return RealOf<D>(0);
  const auto inertia = body_inertia_partial(d, i, d.at(l.direction + entry.direction));
  auto force = inertial_force(inertia, load_motion(d.at(l.free_motion.velocity), i),
                              load_motion(d.at(l.free_motion.acceleration), i));
  if (is_projected(d)) force += inertia * load_motion(d.at(l.acceleration_change_rate), i);
  return dot(shift(v.s.axis, reference_of(d, i) - v.s.at), force);
}

// The axis that moves with its point, and a locked axis that moves what the reaction acts on.
template <class D>
GRADUS_ROUTINE RealOf<D> moved_reaction_partial(const D& d, const VirtualAxis<RealOf<D>>& v,
                                                const PartialEntry& entry,
                                                const LockedAxis<RealOf<D>>& s) {
  const Layout& l = d.layout;
  RealOf<D> sum(0);
  FeatureColumn<RealOf<D>> column;
  if (feature_partial(d, l.free_motion, entry, s.free, v.point, column)) {
    VectorOf<D> force = whole_wrench(d, l.load, v.body).f;
    if (is_projected(d)) force += whole_wrench(d, l.acceleration_load, v.body).f;
    sum += dot(turned_axis(v, column.q).v, force);
  }
  if (!is_locked_axis(entry.kind)) return sum;
  const bool apart = s.body >= d.plan.bodies[v.body].end || v.body >= d.plan.bodies[s.body].end;
  if (apart) return sum;
  sum += locked_reaction_partial(d, v, s, s.free.acceleration, &s.free.rate, l.load);
  if (is_projected(d))
    sum += locked_reaction_partial(d, v, s, s.carried[1], static_cast<const MotionOf<D>*>(nullptr),
                                   l.acceleration_load);
  return sum;
}

// adjoint . (d reaction / d entry), the adjoint making the virtual axis. After the projections'
// forces.
template <class D>
GRADUS_ROUTINE RealOf<D> reaction_partial(const D& d, const SensorEntry& sensor,
                                          const PartialEntry& entry,
                                          const VirtualAxis<RealOf<D>>& v) {
  LockedAxis<RealOf<D>> s{};
  if (is_locked_axis(entry.kind)) s = locked_axis(d, entry);
  if (is_loop_reaction(sensor.kind)) return loop_reaction_partial(d, sensor, v, entry, s.actual);
  switch (entry.kind) {
    case PartialKind::inertia:
      return inertia_reaction_partial(d, v, entry);
    case PartialKind::gravity: {
      const MotionOf<D> ground{-load3(d.at(d.layout.direction + entry.direction), 0),
                               zero3<RealOf<D>>()};
      return dot(ground, composite_inertia(d, v.body) * v.s.axis);
    }
    case PartialKind::start_position:
    case PartialKind::start_velocity:
      return RealOf<D>(0);
    default:
      return moved_reaction_partial(d, v, entry, s) + action_reaction_partial(d, v, entry, s.free) +
             constraint_reaction_partial(d, v, entry, s.free);
  }
}

GRADUS_KERNELS_END
