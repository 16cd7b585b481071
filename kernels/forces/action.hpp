// Actions: generalised forces Q_c = g col_c whose size g is a law of positions, velocities and
// time. An effort works on a law s, col_c = s_c; the others are forces and torques that follow a
// body, and torques fixed in space. docs/theory.md, section 4.
#pragma once

#include "kernels/laws/law.hpp"
#include "kernels/math/spatial.hpp"

GRADUS_KERNELS_BEGIN

// The size g in the free motion.
template <class D>
GRADUS_FUNCTION RealOf<D> action_size(const D& d, const MotionLayout& m,
                                      const ActionEntry& action) {
  return law_value(d, m, d.plan.laws[action.size], d.at(d.layout.free_velocity));
}

// The axis of an action that is not an effort.
template <class D>
GRADUS_FUNCTION VectorOf<D> action_axis(const D& d, const ActionEntry& action) {
  const auto unit = along(action.axis, RealOf<D>(1));
  if (action.kind == ActionKind::fixed_torque) return unit;
  return rotation_of(d, action.body) * unit;
}

// What follows its body is carried along with it, as inertia is, so it is added to the wrenches of
// inertia and answers to coordinates as they do. A torque T fixed in space is what this leaves of
// twice its virial, which turns as a force at an arm would: see add_action_loads.
template <class D>
GRADUS_FUNCTION void add_follower_wrench(const D& d, const ActionEntry& action,
                                         const RealOf<D>& size, const LoadLayout& load) {
  const auto f = size * action_axis(d, action);
  ForceOf<D> wrench{zero3<RealOf<D>>(), f};
  if (action.kind == ActionKind::follower_torque) wrench.n = -f;
  if (action.kind == ActionKind::follower_force) {
    const auto arm = feature_position(d, action.feature) - reference_of(d, action.body);
    wrench = {-f, cross(f, arm)};
  }
  store_force(d.at(load.wrench), action.body, load_force(d.at(load.wrench), action.body) + wrench);
}
template <class D>
GRADUS_ROUTINE void add_follower_wrenches(const D& d, const MotionLayout& m,
                                          const LoadLayout& load) {
  for (int k = 0; k < d.plan.action_count; ++k) {
    const ActionEntry& action = d.plan.actions[k];
    if (action.kind != ActionKind::effort)
      add_follower_wrench(d, action, action_size(d, m, action), load);
  }
}

// Efforts, and the virial of torques T fixed in space: moment -2 T.
template <class D>
GRADUS_FUNCTION void add_action_load(const D& d, const ActionEntry& action, const RealOf<D>& size,
                                     const LoadLayout& load) {
  if (action.kind == ActionKind::effort) add_law_loads(d, load, d.plan.laws[action.work], -size);
  if (action.kind == ActionKind::fixed_torque)
    add_moment(d, load, action.body, RealOf<D>(-2) * size * action_axis(d, action));
}
template <class D>
GRADUS_ROUTINE void add_action_loads(const D& d, const MotionLayout& m, const LoadLayout& load) {
  for (int k = 0; k < d.plan.action_count; ++k) {
    const ActionEntry& action = d.plan.actions[k];
    if (action.kind == ActionKind::effort || action.kind == ActionKind::fixed_torque)
      add_action_load(d, action, action_size(d, m, action), load);
  }
}

// How the size of an action answers to the algebraic unknown that it is linear in.
template <class D>
GRADUS_FUNCTION RealOf<D> share_of_unknown(const D& d, const MotionLayout& m,
                                           const ActionEntry& action) {
  const LawEntry& law = d.plan.laws[action.size];
  if (is_input(d, law)) return RealOf<D>(1);
  const auto run = law_gradient(d, m, law, d.at(d.layout.free_velocity));
  return run.input[law.unknown_input];
}

// Calls visit(coordinate, col_c) for the coordinates that the action works on.
template <class D, class Visit>
GRADUS_FUNCTION void for_each_action_slope(const D& d, const MotionLayout& m,
                                           const ActionEntry& action, const Visit& visit) {
  if (action.kind == ActionKind::effort) {
    const LawEntry& law = d.plan.laws[action.work];
    if (!is_input(d, law))
      return for_each_slope(d, m, law, law_gradient(d, m, law, d.at(d.layout.free_velocity)),
                            visit);
    return for_each_input_slope(d, m, law, visit);
  }
  const auto axis = action_axis(d, action);
  const bool at_point = action.kind == ActionKind::follower_force;
  for (int c = d.plan.bodies[action.body].tip_coordinate; c >= 0;
       c = d.plan.coordinates[c].upstream) {
    const auto s = axis_motion(d, m, c);
    visit(c, dot(axis, at_point ? position_column(d, action.feature, s) : s.axis.w));
  }
}

// Adds -col_c g_z and -col_c g_z' to stiffness and damping, `run` being that of g.
template <class D, class Run>
GRADUS_ROUTINE void add_size_tangents(const D& d, const MotionLayout& m, const ActionEntry& action,
                                      const LawEntry& law, const Run& run) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const auto slopes =
      shows_reactions(d.plan) ? d.at(l.size_slope + 2 * law.touch_begin) : d.at(l.law_slopes);
  const int count = law.touch_end - law.touch_begin;
  for (int t = 0; t < count; ++t) {
    const int j = d.plan.touches[law.touch_begin + t].coordinate;
    const auto s = axis_for(d, m, law, j);
    slopes[2 * t] = law_by_position(d, m, law, j, s, run);
    slopes[2 * t + 1] = law_by_rate(d, law, j, s, run);
  }
  for_each_action_slope(d, m, action, [&](int c, const RealOf<D>& slope) {
    for (int t = 0; t < count; ++t) {
      const int entry = c * n + d.plan.touches[law.touch_begin + t].coordinate;
      d.at(l.stiffness)[entry] -= slope * slopes[2 * t];
      d.at(l.damping)[entry] -= slope * slopes[2 * t + 1];
    }
  });
}

// Adds -Q_z and -Q_z' to stiffness and damping, as far as the size changes or the law s curves.
// Leaves sizes and their derivatives by inputs for the partials.
template <class D>
GRADUS_ROUTINE void add_action_tangents(const D& d, const MotionLayout& m) {
  const Layout& l = d.layout;
  for (int k = 0; k < d.plan.action_count; ++k) {
    const ActionEntry& action = d.plan.actions[k];
    const LawEntry& law = d.plan.laws[action.size];
    const auto run = law_gradient(d, m, law, d.at(l.free_velocity));
    const RealOf<D> size = result_of(law, run);
    d.at(l.action_size)[k] = size;
    for (int i = 0; i < input_count(law); ++i)
      d.at(l.action_slope)[law.input_begin + i] = run.input[i];
    if (law.touch_begin != law.touch_end) add_size_tangents(d, m, action, law, run);
    if (action.kind == ActionKind::effort)
      add_law_stiffness(d, m, d.plan.laws[action.work], -size, l.stiffness);
  }
}

GRADUS_KERNELS_END
