// What one entry of a parameter changes: generalised forces, constraints and their rates, at the
// current motion. Geometry of joints acts like a locked coordinate: shifting or turning the joint
// frame of the parent moves everything from the joint on, as a coordinate just before the joint
// would; on the child's side, one just after it, with the opposite sign. So the closed forms of
// tangents.hpp serve for parameters too. docs/theory.md, section 11.
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

GRADUS_FUNCTION bool is_locked_axis(PartialKind kind) {
  return kind == PartialKind::parent_point || kind == PartialKind::child_point ||
         kind == PartialKind::parent_frame || kind == PartialKind::child_frame;
}

template <class D>
GRADUS_FUNCTION Motion<typename D::Real> locked_direction(const D& d, const PartialEntry& entry) {
  using Real = typename D::Real;
  const int j = entry.index;
  const BodyEntry& body = d.plan.bodies[j];
  const Vector3<Real> local = load3(d.at(d.layout.direction + entry.direction), 0);
  switch (entry.kind) {
    case PartialKind::parent_point:
      return {rotation_of(d, body.parent) * local, zero3<Real>()};
    case PartialKind::child_point:
      return {-(rotation_of(d, j) * local), zero3<Real>()};
    case PartialKind::parent_frame: {
      const Vector3<Real> w = rotation_of(d, body.parent) * local;
      const Vector3<Real> point = origin_of(d, body.parent) +
                                  rotation_of(d, body.parent) * slot3(d, body.parent_point_slot);
      return {cross(w, reference_of(d, j) - point), w};
    }
    default: {
      const Vector3<Real> w = -(rotation_of(d, j) * local);
      return {cross(w, reference_of(d, j) - load3(d.at(d.layout.joint_point), j)), w};
    }
  }
}

// Motion of what carries the locked axis, at the reference point of body j.
template <class D>
GRADUS_FUNCTION Motion<typename D::Real> carrier(const D& d, int motions, int j, bool parent_side,
                                                 const Motion<typename D::Real>& ground) {
  return parent_side ? from_parent(d, motions, j, ground) : load_motion(d.at(motions), j);
}

template <class D>
GRADUS_FUNCTION AxisMotion<typename D::Real> carried_axis(const D& d, const MotionLayout& m, int j,
                                                          bool parent_side,
                                                          const Motion<typename D::Real>& axis,
                                                          const Motion<typename D::Real>& ground) {
  using Real = typename D::Real;
  const Motion<Real> v = carrier(d, m.velocity, j, parent_side, zero_motion<Real>());
  const Motion<Real> a = carrier(d, m.acceleration, j, parent_side, ground);
  const Motion<Real> rate = cross(v, axis);
  return {axis, rate, cross(a, axis) + cross(v, rate), reference_of(d, j)};
}

template <class D>
GRADUS_FUNCTION LockedAxis<typename D::Real> locked_axis(const D& d, const PartialEntry& entry) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const int j = entry.index;
  const bool parent_side =
      entry.kind == PartialKind::parent_point || entry.kind == PartialKind::parent_frame;
  const Motion<Real> axis = locked_direction(d, entry);
  LockedAxis<Real> s;
  s.body = j;
  s.own_joint = parent_side;
  s.free = carried_axis(d, l.free_motion, j, parent_side, axis, weight(d));
  s.actual = carried_axis(d, l.motion, j, parent_side, axis, zero_motion<Real>());
  const int changes[2] = {l.velocity_change_rate, l.acceleration_change_rate};
  for (int k = 0; k < 2; ++k)
    s.carried[k] = cross(carrier(d, changes[k], j, parent_side, zero_motion<Real>()), axis);
  return s;
}

template <class D>
GRADUS_FUNCTION bool moves_feature(const D& d, int body, int f) {
  const int owner = d.plan.features[f].body;
  return owner >= body && owner < d.plan.bodies[body].end;
}

// Column of feature f under an entry that is a locked axis (then `s` is it) or a feature's own
// coordinates.
template <class D>
GRADUS_FUNCTION bool feature_partial(const D& d, const MotionLayout& m, const PartialEntry& entry,
                                     const AxisMotion<typename D::Real>& s, int f,
                                     FeatureColumn<typename D::Real>& column) {
  if (is_locked_axis(entry.kind)) {
    if (!moves_feature(d, entry.index, f)) return false;
    column = moved_column(d, m, f, s);
    return true;
  }
  if (entry.kind != PartialKind::feature || entry.index != f) return false;
  column = local_column(d, m, f, load3(d.at(d.layout.direction + entry.direction), 0));
  return true;
}

// Adds to column p of a residual partial [n, parameter].
template <class D>
struct ResidualColumn {
  const D& d;
  int offset;
  int p;
  GRADUS_FUNCTION void add(int c, const typename D::Real& value) const {
    d.at(offset)[c * d.plan.parameter_count + p] += value;
  }
};

// Inertial and turning terms of a locked axis in one stage's generalised force. `force` is what
// moving the axis does to the inertial force of its sub-tree, `carried` the second rate of the
// axis, `rate` its first.
template <class D>
GRADUS_FUNCTION void add_locked_axis(const D& d, const ResidualColumn<D>& out,
                                     const LockedAxis<typename D::Real>& s,
                                     const Motion<typename D::Real>& carried,
                                     const Motion<typename D::Real>* rate, const LoadLayout& load) {
  using Real = typename D::Real;
  const int j = s.body;
  const Motion<Real>& axis = s.free.axis;
  Force<Real> force =
      composite_inertia(d, j) * carried + cross(axis, load_force(d.at(load.wrench), j));
  if (rate != nullptr) force += turning_force(d, j, rate->w);
  const Vector3<Real> turning = turning_of(d, load, j, axis);

  // Coordinates downstream: those of the sub-tree, with or without the joint of its root.
  const BodyEntry& root = d.plan.bodies[j];
  const int first = root.first_coordinate + (s.own_joint ? 0 : root.coordinate_count);
  const BodyEntry& last = d.plan.bodies[root.end - 1];
  for (int c = first; c < last.first_coordinate + last.coordinate_count; ++c) {
    const Vector3<Real> arm = reference_of(d, d.plan.coordinates[c].body) - reference_of(d, j);
    Real sum = dot(shift(carried, arm), load_force(d.at(d.layout.axis_momentum), c)) +
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
    const Motion<Real> up = load_motion(d.at(d.layout.axis), c);
    out.add(c, dot(up, force) + dot(turning, up.w));
  }
}

// A change of a body's inertia: in each stage, the force it needs, on every coordinate that moves
// the body.
template <class D>
GRADUS_FUNCTION void add_inertia(const D& d, const ResidualColumn<D>& out, int i,
                                 Force<typename D::Real> force) {
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

// Moving a feature within its body: its load acts at another place. W_c . (dq x f) on every
// coordinate that moves it.
template <class D>
GRADUS_FUNCTION void add_displaced_load(const D& d, const ResidualColumn<D>& out, int f,
                                        const Vector3<typename D::Real>& dq,
                                        const Vector3<typename D::Real>& load) {
  const int body = d.plan.features[f].body;
  if (body < 0) return;
  const auto moment = cross(dq, load);
  for (int c = d.plan.bodies[body].tip_coordinate; c >= 0; c = d.plan.coordinates[c].upstream)
    out.add(c, dot(load_motion(d.at(d.layout.axis), c).w, moment));
}

// Springs under an entry that moves their ends or changes their constants.
template <class D>
GRADUS_FUNCTION void add_spring_partials(const D& d, const ResidualColumn<D>& out,
                                         const PartialEntry& entry,
                                         const AxisMotion<typename D::Real>& s) {
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

// The load that multipliers put on feature number `index` of a constraint.
template <class D>
GRADUS_FUNCTION Vector3<typename D::Real> constraint_load(
    const D& d, const ConstraintEntry& e, int index, const Vector3<typename D::Real>& multiplier) {
  if (e.kind == ConstraintKind::difference) return index == 0 ? multiplier : -multiplier;
  if (index == 0)
    return cross(difference_of(d, d.layout.feature, e.feature[1], e.feature[2]), multiplier);
  const auto across = cross(multiplier, feature_position(d, e.feature[0]));
  return index == 1 ? across : -across;
}

// Constraints under an entry that moves their features: the partials of the constraints and their
// rates, and of Phi_z^T multiplier in the three stages.
template <class D>
GRADUS_FUNCTION void add_constraint_partials(const D& d, int p, const PartialEntry& entry,
                                             const AxisMotion<typename D::Real>& s) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const int parameters = d.plan.parameter_count;
  const int multipliers[3] = {l.multiplier, l.velocity_multiplier, l.acceleration_multiplier};
  for (int k = 0; k < d.plan.constraint_count; ++k) {
    const ConstraintEntry& e = d.plan.constraints[k];
    const int feature_count = e.kind == ConstraintKind::difference ? 2 : 3;
    auto q = zero_column<D>();
    auto q_rate = zero_column<D>();
    auto q_acceleration = zero_column<D>();
    bool touched = false;
    for (int j = 0; j < feature_count; ++j) {
      FeatureColumn<Real> column;
      if (!feature_partial(d, l.motion, entry, s, e.feature[j], column)) continue;
      touched = true;
      add_feature(q, e, j, column.q);
      add_feature(q_rate, e, j, column.q_rate);
      add_feature(q_acceleration, e, j, column.q_acceleration);
      if (entry.kind == PartialKind::feature)
        for (int stage = 0; stage < 3; ++stage)
          add_displaced_load(d, ResidualColumn<D>{d, l.residual_partial[stage], p}, e.feature[j],
                             column.q,
                             constraint_load(d, e, j, load3(d.at(multipliers[stage] + e.row), 0)));
    }
    if (!touched) continue;
    const Vector3<Real> rows[3] = {
        constraint_column(d, e, q), constraint_rate_column(d, l.motion, e, q, q_rate),
        constraint_acceleration_column(d, l.motion, e, q, q_rate, q_acceleration)};
    for (int level = 0; level < 3; ++level) {
      const auto out = d.at(l.constraint_partial[level] + e.row * parameters + p);
      out[0] += rows[level].x;
      out[parameters] += rows[level].y;
      out[2 * parameters] += rows[level].z;
    }
    if (e.kind == ConstraintKind::difference) continue;
    for (int t = e.touch_begin; t < e.touch_end; ++t) {
      const TouchEntry& touch = d.plan.touches[t];
      const auto column =
          position_columns(d, e, touch.moves, axis_motion(d, l.motion, touch.coordinate));
      for (int stage = 0; stage < 3; ++stage) {
        const auto multiplier = load3(d.at(multipliers[stage] + e.row), 0);
        ResidualColumn<D>{d, l.residual_partial[stage], p}.add(
            touch.coordinate, constraint_stiffness(e, multiplier, column, q));
      }
    }
  }
}

template <class D>
GRADUS_FUNCTION void add_partial(const D& d, int p, const PartialEntry& entry) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const ResidualColumn<D> dynamics{d, l.residual_partial[0], p};
  const ResidualColumn<D> velocity{d, l.residual_partial[1], p};
  const ResidualColumn<D> acceleration{d, l.residual_partial[2], p};
  switch (entry.kind) {
    case PartialKind::inertia: {
      const int i = entry.index;
      const auto inertia = body_inertia_partial(d, i, d.at(l.direction + entry.direction));
      add_inertia(d, dynamics, i,
                  inertial_force(inertia, load_motion(d.at(l.free_motion.velocity), i),
                                 load_motion(d.at(l.free_motion.acceleration), i)));
      add_inertia(d, velocity, i, inertia * load_motion(d.at(l.velocity_change_rate), i));
      add_inertia(d, acceleration, i, inertia * load_motion(d.at(l.acceleration_change_rate), i));
      return;
    }
    case PartialKind::gravity: {
      const Motion<Real> ground{-load3(d.at(l.direction + entry.direction), 0), zero3<Real>()};
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
      const LockedAxis<Real> s = locked_axis(d, entry);
      add_locked_axis(d, dynamics, s, s.free.acceleration, &s.free.rate, l.load);
      add_locked_axis(d, velocity, s, s.carried[0], static_cast<const Motion<Real>*>(nullptr),
                      l.velocity_load);
      add_locked_axis(d, acceleration, s, s.carried[1], static_cast<const Motion<Real>*>(nullptr),
                      l.acceleration_load);
      add_spring_partials(d, dynamics, entry, s.free);
      add_constraint_partials(d, p, entry, s.actual);
      return;
    }
    case PartialKind::feature:
    case PartialKind::spring: {
      const AxisMotion<Real> none{};
      add_spring_partials(d, dynamics, entry, none);
      if (entry.kind == PartialKind::feature) add_constraint_partials(d, p, entry, none);
      return;
    }
  }
}

// All partials of the residuals and constraints by the parameters.
template <class D>
GRADUS_FUNCTION void parameter_partials(const D& d) {
  const Layout& l = d.layout;
  const int parameters = d.plan.parameter_count;
  for (int stage = 0; stage < 3; ++stage) {
    clear(d, l.residual_partial[stage], d.plan.coordinate_count * parameters);
    clear(d, l.constraint_partial[stage], d.plan.constraint_rows * parameters);
  }
  for (int p = 0; p < parameters; ++p)
    for (int k = d.plan.partial_begin[p]; k < d.plan.partial_begin[p + 1]; ++k)
      add_partial(d, p, d.plan.partials[k]);
}

GRADUS_KERNELS_END
