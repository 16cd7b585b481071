// What one entry of a parameter does to laws: to constraints that keep a law at zero, and to
// actions. docs/theory.md, section 11.
#pragma once

#include "kernels/passes/parameter_columns.hpp"

GRADUS_KERNELS_BEGIN

// Whether an entry changes an input of law number `law`.
template <class D>
GRADUS_FUNCTION bool input_answers(const D& d, int law, const LawInputEntry& in,
                                   const PartialEntry& entry) {
  switch (in.kind) {
    case LawInputKind::slot:
      return entry.kind == PartialKind::law && entry.index == law;
    case LawInputKind::feature:
    case LawInputKind::feature_velocity:
      return moves_feature(d, entry, in.index);
    case LawInputKind::length:
    case LawInputKind::length_rate:
      return moves_feature(d, entry, d.plan.lines[in.index].from) ||
             moves_feature(d, entry, d.plan.lines[in.index].to);
    case LawInputKind::pose:
    case LawInputKind::pose_rate:
    case LawInputKind::pose_work:
      return moves_feature(d, entry, d.plan.poses[in.index].from) ||
             moves_feature(d, entry, d.plan.poses[in.index].to);
    case LawInputKind::angular_velocity:
      return turns_body(d, entry, in.index);
    default:
      return false;
  }
}

template <class D>
GRADUS_FUNCTION bool law_answers(const D& d, int number, const PartialEntry& entry) {
  const LawEntry& law = d.plan.laws[number];
  for (int i = law.input_begin; i < law.input_end; ++i)
    if (input_answers(d, number, d.plan.law_inputs[i], entry)) return true;
  for (int k = law.call_begin; k < law.call_end && entry.kind == PartialKind::spline; ++k)
    if (d.plan.spline_calls[k].spline == entry.index) return true;
  return false;
}

// Change of an input of law number `law` under an entry; `s` is the locked axis, if it is one.
template <class D>
GRADUS_ROUTINE RealOf<D> input_change(const D& d, const MotionLayout& m, int law,
                                      const LawInputEntry& in, const PartialEntry& entry,
                                      const AxisOf<D>& s) {
  if (!input_answers(d, law, in, entry)) return RealOf<D>(0);
  switch (in.kind) {
    case LawInputKind::slot:
      return d.at(d.layout.direction + entry.direction)[in.component];
    case LawInputKind::feature:
      return component(moved_position(d, entry, s, in.index), in.component);
    case LawInputKind::feature_velocity:
      return component(moved_velocity(d, m, entry, s, in.index), in.component);
    case LawInputKind::length:
      return length_change(d, in.index, moved_line(d, entry, s, in.index));
    case LawInputKind::length_rate:
      return length_rate_change(d, m, in.index, moved_line(d, entry, s, in.index),
                                moved_line_velocity(d, m, entry, s, in.index));
    case LawInputKind::pose:
      return pose_change(d, in.index, in.component,
                         pose_answer(d, in.index, moved_pose(d, entry, s, in.index)));
    case LawInputKind::pose_rate:
      return pose_rate_change(d, m, in.index, in.component, moved_pose(d, entry, s, in.index),
                              moved_pose_velocity(d, m, entry, s, in.index));
    case LawInputKind::pose_work:
      return pose_work(d, in.index, in.component,
                       pose_answer(d, in.index, moved_pose(d, entry, s, in.index)));
    default:
      return component(angular_velocity_column(d, m, in.index, s), in.component);
  }
}

// The same with its rates, of an input of a law of positions.
template <class D>
GRADUS_ROUTINE InputColumn<RealOf<D>> input_partial(const D& d, const MotionLayout& m, int law,
                                                    const LawInputEntry& in,
                                                    const PartialEntry& entry, const AxisOf<D>& s) {
  using Real = typename D::Real;
  const auto column_of = [&](int f) {
    FeatureColumn<Real> column{zero3<Real>(), zero3<Real>(), zero3<Real>()};
    feature_partial(d, m, entry, s, f, column);
    return column;
  };
  if (in.kind == LawInputKind::feature) return component(column_of(in.index), in.component);
  if (in.kind == LawInputKind::length && input_answers(d, law, in, entry)) {
    const auto to = column_of(d.plan.lines[in.index].to);
    const auto from = column_of(d.plan.lines[in.index].from);
    return length_column(
        d, m, in.index,
        {to.q - from.q, to.q_rate - from.q_rate, to.q_acceleration - from.q_acceleration});
  }
  return {input_change(d, m, law, in, entry, s), Real(0), Real(0)};
}

// What the entry does to the law itself.
template <class D, class Rates>
GRADUS_ROUTINE RealOf<D> law_partial(const D& d, const MotionLayout& m, int number,
                                     const PartialEntry& entry, const AxisOf<D>& s,
                                     const Rates& rate) {
  const LawEntry& law = d.plan.laws[number];
  const auto run = law_gradient(d, m, law, rate);
  RealOf<D> change = law_change(d, law, run, entry);
  for (int i = 0; i < input_count(law); ++i)
    change +=
        run.input[i] * input_change(d, m, number, d.plan.law_inputs[law.input_begin + i], entry, s);
  return change;
}

// Calls displace(feature, shift, load) for the features of the law that the entry shifts within
// their bodies, where the law is worth the multiplier.
template <class D, class Displace>
GRADUS_ROUTINE void for_each_displaced(const D& d, const LawEntry& law,
                                       const LawRun<D, Slope<RealOf<D>>>& run,
                                       const PartialEntry& entry, const RealOf<D>& multiplier,
                                       const Displace& displace) {
  if (entry.kind != PartialKind::feature) return;
  const int f = entry.index;
  const auto dq = local_position(d, f, load3(d.at(d.layout.direction + entry.direction), 0));
  for (int i = 0; i < input_count(law); ++i) {
    const LawInputEntry& in = d.plan.law_inputs[law.input_begin + i];
    const RealOf<D> share = multiplier * run.input[i].value;
    if (in.kind == LawInputKind::feature && in.index == f)
      displace(f, dq, along(in.component, share));
    if (in.kind == LawInputKind::pose_work && in.component < 3) {
      const auto push = share * pose_direction(d, in.index, in.component);
      if (d.plan.poses[in.index].to == f) displace(f, dq, push);
      if (d.plan.poses[in.index].from == f) displace(f, dq, -push);
    }
    if (in.kind != LawInputKind::length) continue;
    const auto pull = share * line_direction(d, in.index);
    if (d.plan.lines[in.index].to == f) displace(f, dq, pull);
    if (d.plan.lines[in.index].from == f) displace(f, dq, -pull);
  }
}

// Adds the partial of multiplier * s_z, for each of `count` columns and their multipliers, as far
// as it is not the turning of features.
template <class D>
GRADUS_ROUTINE void add_law_force_partials(const D& d, const MotionLayout& m, int number,
                                           const PartialEntry& entry, const AxisOf<D>& s,
                                           const ResidualColumn<D>* columns,
                                           const RealOf<D>* multipliers, int count) {
  const LawEntry& law = d.plan.laws[number];
  const auto change = [&](const LawInputEntry& in) {
    return input_change(d, m, number, in, entry, s);
  };
  const auto run = law_gradient_change(d, m, law, change, &entry);
  const auto add = [&](int c, const RealOf<D>& slope) {
    for (int k = 0; k < count; ++k) columns[k].add(c, multipliers[k] * slope);
  };
  if (!is_input(d, law)) for_each_slope(d, m, law, run, add);
  if (!is_locked_axis(entry.kind) && entry.kind != PartialKind::feature) return;
  for_each_length(d, law, run, [&](int k, const RealOf<D>& slope) {
    for_each_bend(d, k, slope, moved_line(d, entry, s, k), add);
  });
  const LawInputEntry& first = d.plan.law_inputs[law.input_begin];
  if (works_on_pose(d, law))
    for_each_pose_bend(d, first.index, first.component, moved_pose(d, entry, s, first.index), false,
                       add);
  for (int k = 0; k < count; ++k)
    for_each_displaced(d, law, run, entry, multipliers[k],
                       [&](int f, const VectorOf<D>& dq, const VectorOf<D>& load) {
                         add_displaced_load(d, columns[k], f, dq, load);
                       });
}

// A law kept at zero: partials of it and its rates, and of Phi_z^T multiplier in the three stages.
template <class D>
GRADUS_ROUTINE void add_law_constraint_partials(const D& d, int p, const ConstraintEntry& e,
                                                const PartialEntry& entry, const AxisOf<D>& s) {
  const Layout& l = d.layout;
  const int number = e.feature[0];
  if (!law_answers(d, number, entry)) return;
  const LawEntry& law = d.plan.laws[number];
  const auto run = law_gradient_rates(d, l.motion, law, d.at(l.velocity), d.at(l.acceleration));
  InputColumn<RealOf<D>> rows = law_column(d, law, run, [&](const LawInputEntry& in) {
    return input_partial(d, l.motion, number, in, entry, s);
  });
  if (entry.kind == PartialKind::spline) {
    const Hyper<RealOf<D>> change = law_change(d, law, run, entry);
    rows = {change.value.value, rate_of(change), acceleration_of(change)};
  }
  const int place = e.row * d.plan.column_count + p;
  d.at(l.constraint_partial[kConstraint])[place] += rows.value;
  d.at(l.constraint_partial[kConstraintRate])[place] += rows.rate;
  d.at(l.constraint_partial[kConstraintAcceleration])[place] += rows.acceleration;
  const ResidualColumn<D> columns[3] = {{d, l.residual_partial[kDynamics], p},
                                        {d, l.residual_partial[kVelocityProjection], p},
                                        {d, l.residual_partial[kAccelerationProjection], p}};
  const RealOf<D> multipliers[3] = {d.at(l.multiplier)[e.row], d.at(l.velocity_multiplier)[e.row],
                                    d.at(l.acceleration_multiplier)[e.row]};
  add_law_force_partials(d, l.motion, number, entry, s, columns, multipliers,
                         residual_count(d.settings));
}

// What the entry does to the size of an action. After the tangents.
template <class D>
GRADUS_FUNCTION RealOf<D> size_partial(const D& d, const MotionLayout& m, const ActionEntry& action,
                                       const PartialEntry& entry, const AxisOf<D>& s) {
  const LawEntry& law = d.plan.laws[action.size];
  if (law.call_begin != law.call_end)
    return law_partial(d, m, action.size, entry, s, d.at(d.layout.free_velocity));
  RealOf<D> change(0);
  for (int i = law.input_begin; i < law.input_end; ++i)
    change += d.at(d.layout.action_slope)[i] *
              input_change(d, m, action.size, d.plan.law_inputs[i], entry, s);
  return change;
}

// Actions under an entry: what it does to their size, to the laws they work on, and to the points
// of forces that follow a body.
template <class D>
GRADUS_ROUTINE void add_action_partials(const D& d, const ResidualColumn<D>& out,
                                        const PartialEntry& entry, const AxisOf<D>& s) {
  const MotionLayout& m = d.layout.free_motion;
  for_each_changed_action(d, entry, [&](int number, const ActionEntry& action) {
    const bool works_elsewhere =
        action.kind == ActionKind::effort && law_answers(d, action.work, entry);
    const bool acts_elsewhere = action.kind == ActionKind::follower_force &&
                                entry.kind == PartialKind::feature && entry.index == action.feature;
    const bool resizes = law_answers(d, action.size, entry);
    if (!works_elsewhere && !acts_elsewhere && !resizes) return;
    const RealOf<D> size = d.at(d.layout.action_size)[number];
    const RealOf<D> change = resizes ? size_partial(d, m, action, entry, s) : RealOf<D>(0);
    if (works_elsewhere) {
      const RealOf<D> multiplier = -size;
      add_law_force_partials(d, m, action.work, entry, s, &out, &multiplier, 1);
    }
    if (acts_elsewhere) {
      const VectorOf<D> local = load3(d.at(d.layout.direction + entry.direction), 0);
      add_displaced_load(d, out, entry.index, local_position(d, entry.index, local),
                         -(size * action_axis(d, action)));
    }
    if (resizes)
      for_each_action_slope(d, m, action,
                            [&](int c, const RealOf<D>& slope) { out.add(c, -(slope * change)); });
  });
}

GRADUS_KERNELS_END
