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

// Springs under an entry that moves their ends or changes their constants.
template <class D>
GRADUS_ROUTINE void add_spring_partials(const D& d, const ResidualColumn<D>& out,
                                        const PartialEntry& entry, const AxisOf<D>& s) {
  using Real = typename D::Real;
  const MotionLayout& m = d.layout.free_motion;
  for (int k = 0; k < d.plan.spring_count; ++k) {
    const SpringEntry& spring = d.plan.springs[k];
    const bool own = entry.kind == PartialKind::spring && entry.index == k;
    FeatureColumn<Real> to;
    FeatureColumn<Real> from;
    const bool moves_to = feature_partial(d, m, entry, s, spring.to, to);
    const bool moves_from = feature_partial(d, m, entry, s, spring.from, from);
    if (!own && !moves_to && !moves_from) continue;
    const auto state = spring_state(d, m, spring);
    auto line = zero3<Real>();
    auto line_rate = zero3<Real>();
    if (moves_to) {
      line += to.q;
      line_rate += to.q_rate;
    }
    if (moves_from) {
      line -= from.q;
      line_rate -= from.q_rate;
    }
    const auto column = spring_column(state, line, line_rate);
    const Real tension =
        own ? spring_partial(state, d.at(d.layout.direction + entry.direction)) : Real(0);
    for (int t = spring.touch_begin; t < spring.touch_end; ++t) {
      const TouchEntry& touch = d.plan.touches[t];
      const auto axis = axis_motion(d, m, touch.coordinate);
      auto dq = zero3<Real>();
      if ((touch.moves & 2) != 0) dq += position_column(d, spring.to, axis);
      if ((touch.moves & 1) != 0) dq -= position_column(d, spring.from, axis);
      const auto coordinate = spring_column(state, dq, zero3<Real>());
      out.add(touch.coordinate,
              tension * coordinate.length + spring_stiffness(state, coordinate, column));
    }
    if (entry.kind == PartialKind::feature) {
      const auto pull = state.tension * state.direction;
      if (moves_to) add_displaced_load(d, out, spring.to, to.q, pull);
      if (moves_from) add_displaced_load(d, out, spring.from, from.q, -pull);
    }
  }
}

// Constraints under an entry that moves their features: the partials of the constraints and their
// rates, and of Phi_z^T multiplier in the three stages.
template <class D>
GRADUS_ROUTINE void add_constraint_partials(const D& d, int p, const PartialEntry& entry,
                                            const AxisOf<D>& s) {
  const Layout& l = d.layout;
  const int columns = d.plan.column_count;
  const int multipliers[3] = {l.multiplier, l.velocity_multiplier, l.acceleration_multiplier};
  for (int k = 0; k < d.plan.constraint_count; ++k) {
    const ConstraintEntry& e = d.plan.constraints[k];
    if (e.kind == ConstraintKind::law) {
      add_law_constraint_partials(d, p, e, entry, s);
      continue;
    }
    const int features = feature_count(e.kind);
    auto q = zero_column<D>();
    auto q_rate = zero_column<D>();
    auto q_acceleration = zero_column<D>();
    bool touched = false;
    for (int j = 0; j < features; ++j) {
      FeatureColumn<RealOf<D>> column;
      if (!feature_partial(d, l.motion, entry, s, e.feature[j], column)) continue;
      touched = true;
      add_feature(q, e, j, column.q);
      add_feature(q_rate, e, j, column.q_rate);
      add_feature(q_acceleration, e, j, column.q_acceleration);
      if (entry.kind == PartialKind::feature)
        for (int stage = 0; stage < residual_count(d.settings); ++stage)
          add_displaced_load(d, ResidualColumn<D>{d, l.residual_partial[stage], p}, e.feature[j],
                             column.q,
                             constraint_load(d, e, j, load_rows(d.at(multipliers[stage]), e)));
    }
    if (!touched) continue;
    const VectorOf<D> rows[3] = {
        constraint_column(d, e, q), constraint_rate_column(d, l.motion, e, q, q_rate),
        constraint_acceleration_column(d, l.motion, e, q, q_rate, q_acceleration)};
    for (int level = 0; level < kConstraintLevels; ++level) {
      const auto out = d.at(l.constraint_partial[level] + e.row * columns + p);
      out[0] += rows[level].x;
      if (e.rows == 1) continue;
      out[columns] += rows[level].y;
      out[2 * columns] += rows[level].z;
    }
    if (e.kind == ConstraintKind::difference) continue;
    for (int t = e.touch_begin; t < e.touch_end; ++t) {
      const TouchEntry& touch = d.plan.touches[t];
      const auto column =
          position_columns(d, e, touch.moves, axis_motion(d, l.motion, touch.coordinate));
      for (int stage = 0; stage < residual_count(d.settings); ++stage) {
        const auto multiplier = load_rows(d.at(multipliers[stage]), e);
        ResidualColumn<D>{d, l.residual_partial[stage], p}.add(
            touch.coordinate, constraint_stiffness(e, multiplier, column, q));
      }
    }
  }
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
      add_spring_partials(d, dynamics, entry, s.free);
      add_action_partials(d, dynamics, entry, s.free);
      add_constraint_partials(d, p, entry, s.actual);
      return;
    }
    case PartialKind::torsional: {
      const TorsionalEntry& spring = d.plan.torsionals[entry.index];
      dynamics.add(spring.coordinate, torsional_partial(torsional_state(d, spring),
                                                        d.at(l.direction + entry.direction)));
      return;
    }
    case PartialKind::feature:
    case PartialKind::law:
    case PartialKind::spring: {
      const AxisOf<D> none{};
      add_spring_partials(d, dynamics, entry, none);
      add_action_partials(d, dynamics, entry, none);
      if (entry.kind != PartialKind::spring) add_constraint_partials(d, p, entry, none);
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
    clear(d, l.residual_partial[stage], d.plan.coordinate_count * columns);
  for (int level = 0; level < kConstraintLevels; ++level)
    clear(d, l.constraint_partial[level], d.plan.constraint_rows * columns);
  for_each_entry(d, [&](int column, const PartialEntry& entry) { add_partial(d, column, entry); });
}

GRADUS_KERNELS_END
