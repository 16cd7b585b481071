// What one entry of a parameter does to laws: to constraints that keep a law at zero, and to
// actions. docs/theory.md, section 11.
#pragma once

#include "kernels/passes/parameter_columns.hpp"

GRADUS_KERNELS_BEGIN

// Change of an input of law number `law` under an entry; false if there is none. Velocities have a
// value only.
template <class D>
GRADUS_ROUTINE bool input_partial(const D& d, const MotionLayout& m, int law,
                                  const LawInputEntry& in, const PartialEntry& entry,
                                  const AxisOf<D>& s, InputColumn<RealOf<D>>& column) {
  using Real = typename D::Real;
  column = {Real(0), Real(0), Real(0)};
  FeatureColumn<Real> feature;
  switch (in.kind) {
    case LawInputKind::slot:
      if (entry.kind != PartialKind::law || entry.index != law) return false;
      column.value = d.at(d.layout.direction + entry.direction)[in.component];
      return true;
    case LawInputKind::feature:
    case LawInputKind::feature_velocity:
      if (!feature_partial(d, m, entry, s, in.index, feature)) return false;
      column = component(feature, in.component);
      if (in.kind == LawInputKind::feature_velocity) column = {column.rate, Real(0), Real(0)};
      return true;
    case LawInputKind::angular_velocity:
      if (!is_locked_axis(entry.kind) || !is_in_sub_tree(d, in.index, entry.index)) return false;
      column.value = component(angular_velocity_column(d, m, in.index, s), in.component);
      return true;
    default:
      return false;
  }
}

template <class D>
GRADUS_FUNCTION bool law_answers(const D& d, const MotionLayout& m, int number,
                                 const PartialEntry& entry, const AxisOf<D>& s) {
  const LawEntry& law = d.plan.laws[number];
  InputColumn<RealOf<D>> column;
  for (int i = law.input_begin; i < law.input_end; ++i)
    if (input_partial(d, m, number, d.plan.law_inputs[i], entry, s, column)) return true;
  for (int k = law.call_begin; k < law.call_end && entry.kind == PartialKind::spline; ++k)
    if (d.plan.spline_calls[k].spline == entry.index) return true;
  return false;
}

template <class D>
GRADUS_FUNCTION InputColumn<RealOf<D>> input_partial_or_zero(const D& d, const MotionLayout& m,
                                                             int law, const LawInputEntry& in,
                                                             const PartialEntry& entry,
                                                             const AxisOf<D>& s) {
  InputColumn<RealOf<D>> column;
  input_partial(d, m, law, in, entry, s, column);
  return column;
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
        run.input[i] *
        input_partial_or_zero(d, m, number, d.plan.law_inputs[law.input_begin + i], entry, s).value;
  return change;
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
    return input_partial_or_zero(d, m, number, in, entry, s).value;
  };
  const auto run = law_gradient_change(d, m, law, change, &entry);
  for_each_slope(d, m, law, run, [&](int c, const RealOf<D>& slope) {
    for (int k = 0; k < count; ++k) columns[k].add(c, multipliers[k] * slope);
  });
  if (entry.kind != PartialKind::feature) return;
  const auto dq =
      local_column(d, m, entry.index, load3(d.at(d.layout.direction + entry.direction), 0)).q;
  for (int i = 0; i < input_count(law); ++i) {
    const LawInputEntry& in = d.plan.law_inputs[law.input_begin + i];
    if (in.kind != LawInputKind::feature || in.index != entry.index) continue;
    for (int k = 0; k < count; ++k)
      add_displaced_load(d, columns[k], in.index, dq,
                         along(in.component, multipliers[k] * run.input[i].value));
  }
}

// A law kept at zero: partials of it and its rates, and of Phi_z^T multiplier in the three stages.
template <class D>
GRADUS_ROUTINE void add_law_constraint_partials(const D& d, int p, const ConstraintEntry& e,
                                                const PartialEntry& entry, const AxisOf<D>& s) {
  const Layout& l = d.layout;
  const int number = e.feature[0];
  if (!law_answers(d, l.motion, number, entry, s)) return;
  const LawEntry& law = d.plan.laws[number];
  const auto run = law_gradient_rates(d, l.motion, law, d.at(l.velocity), d.at(l.acceleration));
  InputColumn<RealOf<D>> rows = law_column(d, law, run, [&](const LawInputEntry& in) {
    return input_partial_or_zero(d, l.motion, number, in, entry, s);
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

// Actions under an entry: what it does to their size, to the laws they work on, and to the points
// of forces that follow a body.
template <class D>
GRADUS_ROUTINE void add_action_partials(const D& d, const ResidualColumn<D>& out,
                                        const PartialEntry& entry, const AxisOf<D>& s) {
  const MotionLayout& m = d.layout.free_motion;
  for (int k = 0; k < d.plan.action_count; ++k) {
    const ActionEntry& action = d.plan.actions[k];
    if (action.kind == ActionKind::effort && law_answers(d, m, action.work, entry, s)) {
      const RealOf<D> multiplier = -action_size(d, m, action);
      add_law_force_partials(d, m, action.work, entry, s, &out, &multiplier, 1);
    }
    if (action.kind == ActionKind::follower_force && entry.kind == PartialKind::feature &&
        entry.index == action.feature) {
      const VectorOf<D> local = load3(d.at(d.layout.direction + entry.direction), 0);
      const auto f = action_size(d, m, action) * action_axis(d, action);
      add_displaced_load(d, out, entry.index, local_column(d, m, entry.index, local).q, -f);
    }
    if (!law_answers(d, m, action.size, entry, s)) continue;
    store_action_column(d, m, action);
    const RealOf<D> change = law_partial(d, m, action.size, entry, s, d.at(d.layout.free_velocity));
    for (int c = 0; c < d.plan.coordinate_count; ++c)
      out.add(c, -(d.at(d.layout.law_column)[c] * change));
  }
}

GRADUS_KERNELS_END
