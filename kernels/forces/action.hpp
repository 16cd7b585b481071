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
GRADUS_ROUTINE void add_follower_wrenches(const D& d, const MotionLayout& m,
                                          const LoadLayout& load) {
  for (int k = 0; k < d.plan.action_count; ++k) {
    const ActionEntry& action = d.plan.actions[k];
    if (action.kind == ActionKind::effort) continue;
    const auto f = action_size(d, m, action) * action_axis(d, action);
    ForceOf<D> wrench{zero3<RealOf<D>>(), f};
    if (action.kind == ActionKind::follower_torque) wrench.n = -f;
    if (action.kind == ActionKind::follower_force) {
      const auto arm = feature_position(d, action.feature) - reference_of(d, action.body);
      wrench = {-f, cross(f, arm)};
    }
    store_force(d.at(load.wrench), action.body,
                load_force(d.at(load.wrench), action.body) + wrench);
  }
}

// Efforts, and the virial of torques T fixed in space: moment -2 T.
template <class D>
GRADUS_ROUTINE void add_action_loads(const D& d, const MotionLayout& m, const LoadLayout& load) {
  for (int k = 0; k < d.plan.action_count; ++k) {
    const ActionEntry& action = d.plan.actions[k];
    if (action.kind == ActionKind::effort)
      add_law_loads(d, load, d.plan.laws[action.work], -action_size(d, m, action));
    if (action.kind != ActionKind::fixed_torque) continue;
    const RealOf<D> size = RealOf<D>(-2) * action_size(d, m, action);
    add_moment(d, load, action.body, size * action_axis(d, action));
  }
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

// col_c of all coordinates, in the scratch of the design.
template <class D>
GRADUS_ROUTINE void store_action_column(const D& d, const MotionLayout& m,
                                        const ActionEntry& action) {
  const auto column = d.at(d.layout.law_column);
  for (int c = 0; c < d.plan.coordinate_count; ++c) column[c] = RealOf<D>(0);
  for_each_action_slope(d, m, action, [&](int c, const RealOf<D>& slope) { column[c] = slope; });
}

// Adds -Q_z and -Q_z' to stiffness and damping, as far as the size changes or the law s curves.
// Leaves sizes and their derivatives by inputs for the partials.
template <class D>
GRADUS_ROUTINE void add_action_tangents(const D& d, const MotionLayout& m) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  for (int k = 0; k < d.plan.action_count; ++k) {
    const ActionEntry& action = d.plan.actions[k];
    const LawEntry& law = d.plan.laws[action.size];
    const bool is_answering = law.touch_begin != law.touch_end;
    if (is_answering) store_action_column(d, m, action);
    const auto run = law_gradient(d, m, law, d.at(l.free_velocity));
    const RealOf<D> size = result_of(law, run);
    d.at(l.action_size)[k] = size;
    for (int i = 0; i < input_count(law); ++i)
      d.at(l.action_slope)[law.input_begin + i] = run.input[i];
    for (int t = law.touch_begin; t < law.touch_end; ++t) {
      const int j = d.plan.touches[t].coordinate;
      const auto s = axis_for(d, m, law, j);
      const RealOf<D> by_position = law_by_position(d, m, law, j, s, run);
      const RealOf<D> by_rate = law_by_rate(d, law, j, s, run);
      for (int c = 0; c < n; ++c) {
        d.at(l.stiffness)[c * n + j] -= d.at(l.law_column)[c] * by_position;
        d.at(l.damping)[c * n + j] -= d.at(l.law_column)[c] * by_rate;
      }
    }
    if (action.kind == ActionKind::effort)
      add_law_stiffness(d, m, d.plan.laws[action.work], -size, l.stiffness);
  }
}

GRADUS_KERNELS_END
