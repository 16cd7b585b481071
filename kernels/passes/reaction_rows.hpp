// How reactions of joints answer to the motion and to multipliers. A component of a reaction is the
// generalised force of a virtual axis, fixed in space: a translation, or a rotation about the point
// of the moment, of the sub-tree of the joint. Were the axis one of the joint's own, section 5
// would say all; since nothing upstream carries it along, its turning is taken away again.
// docs/theory.md, section 12.
#pragma once

#include "kernels/passes/virtual_axis.hpp"

GRADUS_KERNELS_BEGIN

// Rows of reactions, [n] each: by position, rate and acceleration after projection; the rate before
// it, which forces answer to, is another where ali3p projects.
template <class D>
GRADUS_FUNCTION int force_rate_row(const D& d) {
  return (is_projected(d) ? 3 : 1) * d.plan.coordinate_count;
}

// One stage of the motion as inertia feels it: the second rates of the axes, the forces, and
// whether it has velocities.
struct InertialStage {
  int axis_second;
  const LoadLayout& load;
  bool moves;
};

// Coordinates that move the joint of the axis and all that hangs on it.
template <class D, class Row>
GRADUS_ROUTINE void add_rows_upstream(const D& d, const VirtualAxis<RealOf<D>>& v,
                                      const InertialStage& stage, const Row& row) {
  const int i = v.body;
  const int rates = force_rate_row(d);
  const int accelerations = 2 * d.plan.coordinate_count;
  const ForceOf<D> push = composite_inertia(d, i) * v.s.axis;
  const VectorOf<D> gyration = gyration_of(d, i, v.s.axis);
  const VectorOf<D> turning = turning_of(d, stage.load, i, v.s.axis);
  const ForceOf<D> wrench = whole_wrench(d, stage.load, i);
  for (int c = d.plan.bodies[i].upstream_coordinate; c >= 0; c = d.plan.coordinates[c].upstream) {
    const AxisOf<D> s = axis_motion(d, d.layout.free_motion, c);
    const VectorOf<D> arm = v.s.at - s.at;
    const MotionOf<D> axis = shift(s.axis, arm);
    MotionOf<D> own = zero_motion<RealOf<D>>();
    if (moves_body(d, c, d.plan.features[v.point].body))
      own = turned_axis(v, position_column(d, v.point, s));
    row[c] += dot(shift(load_motion(d.at(stage.axis_second), c), arm), push) +
              dot(turning, axis.w) + dot(own, wrench) - dot(cross(axis, v.s.axis), wrench);
    if (!stage.moves) continue;
    row[c] += dot(gyration, s.rate.w);
    row[rates + c] += RealOf<D>(2) * dot(shift(s.rate, arm), push) + dot(gyration, axis.w);
    row[accelerations + c] += dot(axis, push);
  }
}

// Coordinates of the sub-tree, the joint's own among them.
template <class D, class Row>
GRADUS_ROUTINE void add_rows_downstream(const D& d, const VirtualAxis<RealOf<D>>& v,
                                        const InertialStage& stage, const Row& row) {
  const int rates = force_rate_row(d);
  const int accelerations = 2 * d.plan.coordinate_count;
  const BodyEntry& root = d.plan.bodies[v.body];
  const BodyEntry& last = d.plan.bodies[root.end - 1];
  const VectorOf<D> force = whole_wrench(d, stage.load, v.body).f;
  for (int c = root.first_coordinate; c < last.first_coordinate + last.coordinate_count; ++c) {
    const int i = d.plan.coordinates[c].body;
    const AxisOf<D> s = axis_motion(d, d.layout.free_motion, c);
    const MotionOf<D> up = shift(v.s.axis, s.at - v.s.at);
    const SpatialInertia<RealOf<D>> inertia = composite_inertia(d, i);
    ForceOf<D> by_position = inertia * load_motion(d.at(stage.axis_second), c) +
                             cross(s.axis, load_force(d.at(stage.load.wrench), i));
    if (stage.moves) by_position += turning_force(d, i, s.rate.w);
    row[c] += dot(up, by_position) + dot(load3(d.at(stage.load.turning), c), up.w);
    if (moves_body(d, c, d.plan.features[v.point].body))
      row[c] += dot(turned_axis(v, position_column(d, v.point, s)).v, force);
    if (!stage.moves) continue;
    row[rates + c] +=
        dot(up, inertia * (RealOf<D>(2) * s.rate)) + dot(up, turning_force(d, i, s.axis.w));
    row[accelerations + c] += dot(up, load_force(d.at(d.layout.axis_momentum), c));
  }
}

// multiplier * s_zz of a law, the axis in place of one z.
template <class D, class Row>
GRADUS_FUNCTION void add_law_rows(const D& d, const VirtualAxis<RealOf<D>>& v, const LawEntry& law,
                                  const RealOf<D>& multiplier, const Row& row) {
  const MotionLayout& m = d.layout.free_motion;
  for_each_second_slope(
      d, m, law, [&](const LawInputEntry& in) { return virtual_input(d, v, in); },
      [&](int k) { return virtual_line(d, v, k); }, [&](int k) { return virtual_pose(d, v, k); },
      true, [&](int c, const RealOf<D>& slope) { row[c] += multiplier * slope; });
}

template <class D, class Row>
GRADUS_ROUTINE void add_action_rows(const D& d, const VirtualAxis<RealOf<D>>& v, const Row& row) {
  const int rates = force_rate_row(d);
  for (int k = 0; k < d.plan.action_count; ++k) {
    const ActionEntry& action = d.plan.actions[k];
    if (action.kind == ActionKind::effort)
      add_law_rows(d, v, d.plan.laws[action.work], -d.at(d.layout.action_size)[k], row);
    const int unknown = d.plan.algebraic_count > 0 ? algebraic_of(d, action.size) : -1;
    if (unknown >= 0)
      d.at(d.layout.algebraic.adjoint)[unknown] -=
          d.at(d.layout.algebraic.share)[k] * action_along(d, v, action);
    const LawEntry& size = d.plan.laws[action.size];
    if (size.touch_begin == size.touch_end) continue;
    const RealOf<D> along = action_along(d, v, action);
    for (int t = size.touch_begin; t < size.touch_end; ++t) {
      const int c = d.plan.touches[t].coordinate;
      row[c] -= along * d.at(d.layout.size_slope)[2 * t];
      row[rates + c] -= along * d.at(d.layout.size_slope)[2 * t + 1];
    }
  }
}

// Constraints: what they do by their own stiffness, and to the multipliers' row.
template <class D, class Row>
GRADUS_ROUTINE void add_constraint_rows(const D& d, const VirtualAxis<RealOf<D>>& v,
                                        const Row& row) {
  const auto by_multiplier = d.at(d.layout.reaction_multiplier);
  for (int k = 0; k < d.plan.constraint_count; ++k) {
    const ConstraintEntry& e = d.plan.constraints[k];
    if (e.kind == ConstraintKind::normalisation) continue;
    const auto multiplier = both_multipliers(d, e);
    if (e.kind == ConstraintKind::law) {
      const LawEntry& law = d.plan.laws[e.feature[0]];
      by_multiplier[e.row] += law_along(d, v, law);
      add_law_rows(d, v, law, multiplier.x, row);
      continue;
    }
    const auto moved = features_moved(e, [&](int f) { return virtual_column(d, v, f); });
    add_to_rows(by_multiplier, e, constraint_column(d, e, moved));
    for (int t = e.touch_begin; t < e.touch_end; ++t) {
      const TouchEntry& touch = d.plan.touches[t];
      const auto s = axis_motion(d, d.layout.motion, touch.coordinate);
      row[touch.coordinate] +=
          constraint_stiffness(e, multiplier, moved, position_columns(d, e, touch.moves, s));
    }
  }
}

// Adds adjoint . (d reaction / d ...) of the reaction of a joint to `row` (see force_rate_row) and
// to the row of the multipliers. After the tangents and the projections' forces.
template <class D, class Row>
GRADUS_ROUTINE void add_joint_reaction_rows(const D& d, const VirtualAxis<RealOf<D>>& v,
                                            const Row& row) {
  const Layout& l = d.layout;
  const InertialStage motion{l.free_motion.axis_acceleration, l.load, true};
  add_rows_upstream(d, v, motion, row);
  add_rows_downstream(d, v, motion, row);
  if (is_projected(d) && d.plan.constraint_rank > 0) {
    const InertialStage change{l.acceleration_change_axis, l.acceleration_load, false};
    add_rows_upstream(d, v, change, row);
    add_rows_downstream(d, v, change, row);
  }
  add_action_rows(d, v, row);
  add_constraint_rows(d, v, row);
}

GRADUS_KERNELS_END
