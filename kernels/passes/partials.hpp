// What one entry of a parameter changes: generalised forces, constraints and their rates, at the
// current motion. Geometry of joints acts like a locked coordinate: shifting or turning the joint
// frame of the parent moves everything from the joint on, as a coordinate just before the joint
// would; on the child's side, one just after it, with the opposite sign. So the closed forms of
// tangents.hpp serve for parameters too. docs/theory.md, section 11.
#pragma once

#include "kernels/passes/law_partials.hpp"

GRADUS_KERNELS_BEGIN

// Inertial and turning terms of a locked axis in one stage's generalised force. `force` is what
// moving the axis does to the inertial force of its sub-tree, `carried` the second rate of the
// axis, `rate` its first.
template <class D>
GRADUS_ROUTINE void add_locked_axis(const D& d, const ResidualColumn<D>& out,
                                    const LockedAxis<RealOf<D>>& s, const MotionOf<D>& carried,
                                    const MotionOf<D>* rate, const LoadLayout& load) {
  const int j = s.body;
  const MotionOf<D>& axis = s.free.axis;
  ForceOf<D> force =
      composite_inertia(d, j) * carried + cross(axis, load_force(d.at(load.wrench), j));
  if (rate != nullptr) force += turning_force(d, j, rate->w);
  const VectorOf<D> turning = turning_of(d, load, j, axis);

  // Coordinates downstream: those of the sub-tree, with or without the joint of its root.
  const BodyEntry& root = d.plan.bodies[j];
  const int first = root.first_coordinate + (s.own_joint ? 0 : root.coordinate_count);
  const BodyEntry& last = d.plan.bodies[root.end - 1];
  for (int c = first; c < last.first_coordinate + last.coordinate_count; ++c) {
    const VectorOf<D> arm = reference_of(d, d.plan.coordinates[c].body) - reference_of(d, j);
    RealOf<D> sum = dot(shift(carried, arm), load_force(d.at(d.layout.axis_momentum), c)) +
                    dot(load3(d.at(load.turning), c), axis.w);
    if (rate != nullptr) sum += dot(load3(d.at(d.layout.axis_gyration), c), rate->w);
    out.add(c, sum);
  }
  // Coordinates upstream.
  int body = j;
  for (int c = s.own_joint ? root.upstream_coordinate : root.tip_coordinate; c >= 0;
       c = d.plan.coordinates[c].upstream) {
    const int at = d.plan.coordinates[c].body;
    if (at != body) {
      force = shift(force, reference_of(d, body) - reference_of(d, at));
      body = at;
    }
    const MotionOf<D> up = load_motion(d.at(d.layout.axis), c);
    out.add(c, dot(up, force) + dot(turning, up.w));
  }
}

// A change of a body's inertia: in each stage, the force it needs, on every coordinate that moves
// the body.
template <class D>
GRADUS_FUNCTION void add_inertia(const D& d, const ResidualColumn<D>& out, int i,
                                 ForceOf<D> force) {
  int at = i;
  for (int c = d.plan.bodies[i].tip_coordinate; c >= 0; c = d.plan.coordinates[c].upstream) {
    const int owner = d.plan.coordinates[c].body;
    if (owner != at) {
      force = shift(force, reference_of(d, at) - reference_of(d, owner));
      at = owner;
    }
    out.add(c, dot(load_motion(d.at(d.layout.axis), c), force));
  }
}

// Constraints under an entry that moves their features: the partials of the constraints and their
// rates, and of Phi_z^T multiplier in the three stages.
template <class D>
GRADUS_ROUTINE void add_constraint_partials(const D& d, int p, const PartialEntry& entry,
                                            const AxisOf<D>& s) {
  const Layout& l = d.layout;
  const int multipliers[3] = {l.multiplier, l.velocity_multiplier, l.acceleration_multiplier};
  for_each_changed_constraint(d, entry, [&](const ConstraintEntry& e) {
    if (e.kind == ConstraintKind::law) {
      add_law_constraint_partials(d, p, e, entry, s);
      return;
    }
    const int features = feature_count(e.kind);
    auto moved = zero_columns<D>();
    for (int j = 0; j < features; ++j) {
      FeatureColumn<RealOf<D>> column;
      if (!feature_partial(d, l.motion, entry, s, e.feature[j], column)) continue;
      add_feature(moved, e, j, column);
      if (entry.kind == PartialKind::feature)
        for (int stage = 0; stage < residual_count(d.settings); ++stage)
          add_displaced_load(d, ResidualColumn<D>{d, l.residual_partial[stage], p}, e.feature[j],
                             column.q,
                             constraint_load(d, e, j, load_rows(d.at(multipliers[stage]), e)));
    }
    const VectorOf<D> rows[3] = {constraint_column(d, e, moved.q),
                                 constraint_rate_column(d, l.motion, e, moved),
                                 constraint_acceleration_column(d, l.motion, e, moved)};
    for (int level = 0; level < kConstraintLevels; ++level)
      add_to_rows(d.at(l.constraint_partial[level]), e, rows[level], d.plan.column_count, p);
    if (e.kind == ConstraintKind::difference) return;
    for (int t = e.touch_begin; t < e.touch_end; ++t) {
      const TouchEntry& touch = d.plan.touches[t];
      const auto column =
          position_columns(d, e, touch.moves, axis_motion(d, l.motion, touch.coordinate));
      for (int stage = 0; stage < residual_count(d.settings); ++stage) {
        const auto multiplier = load_rows(d.at(multipliers[stage]), e);
        ResidualColumn<D>{d, l.residual_partial[stage], p}.add(
            touch.coordinate, constraint_stiffness(e, multiplier, column, moved.q));
      }
    }
  });
}

template <class D>
GRADUS_ROUTINE void add_partial(const D& d, int p, const PartialEntry& entry) {
  const Layout& l = d.layout;
  const ResidualColumn<D> dynamics{d, l.residual_partial[kDynamics], p};
  const ResidualColumn<D> velocity{d, l.residual_partial[kVelocityProjection], p};
  const ResidualColumn<D> acceleration{d, l.residual_partial[kAccelerationProjection], p};
  switch (entry.kind) {
    case PartialKind::inertia: {
      const int i = entry.index;
      const auto inertia = body_inertia_partial(d, i, d.at(l.direction + entry.direction));
      add_inertia(d, dynamics, i,
                  inertial_force(inertia, load_motion(d.at(l.free_motion.velocity), i),
                                 load_motion(d.at(l.free_motion.acceleration), i)));
      if (d.settings.has_projections == 0) return;
      add_inertia(d, velocity, i, inertia * load_motion(d.at(l.velocity_change_rate), i));
      add_inertia(d, acceleration, i, inertia * load_motion(d.at(l.acceleration_change_rate), i));
      return;
    }
    case PartialKind::gravity: {
      const MotionOf<D> ground{-load3(d.at(l.direction + entry.direction), 0), zero3<RealOf<D>>()};
      for (int c = 0; c < d.plan.coordinate_count; ++c)
        dynamics.add(c, dot(ground, load_force(d.at(l.axis_momentum), c)));
      return;
    }
    case PartialKind::start_position:
    case PartialKind::start_velocity:
      return;
    case PartialKind::parent_point:
    case PartialKind::child_point:
    case PartialKind::parent_frame:
    case PartialKind::child_frame: {
      const LockedAxis<RealOf<D>> s = locked_axis(d, entry);
      add_locked_axis(d, dynamics, s, s.free.acceleration, &s.free.rate, l.load);
      if (d.settings.has_projections != 0) {
        const auto* no_rate = static_cast<const MotionOf<D>*>(nullptr);
        add_locked_axis(d, velocity, s, s.carried[0], no_rate, l.velocity_load);
        add_locked_axis(d, acceleration, s, s.carried[1], no_rate, l.acceleration_load);
      }
      add_action_partials(d, dynamics, entry, s.free);
      add_constraint_partials(d, p, entry, s.actual);
      return;
    }
    case PartialKind::feature:
    case PartialKind::law:
    case PartialKind::spline: {
      const AxisOf<D> none{};
      add_action_partials(d, dynamics, entry, none);
      add_constraint_partials(d, p, entry, none);
      return;
    }
  }
}

// All partials of the residuals and constraints by the parameters.
template <class D>
GRADUS_FUNCTION void parameter_partials(const D& d) {
  if (d.settings.with_adjoint != 0) return;  // which goes by elements: element_adjoint.hpp
  const Layout& l = d.layout;
  const int columns = d.plan.column_count;
  for (int stage = 0; stage < residual_count(d.settings); ++stage)
    set_zero(d.at(l.residual_partial[stage]), d.plan.coordinate_count * columns);
  for (int level = 0; level < kConstraintLevels; ++level)
    set_zero(d.at(l.constraint_partial[level]), d.plan.constraint_rows * columns);
  for_each_entry(d, [&](int column, const PartialEntry& entry) { add_partial(d, column, entry); });
}

GRADUS_KERNELS_END
