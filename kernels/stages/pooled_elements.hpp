// From what the right-hand sides of a stage are worth to what elements are worth, for all
// objectives at once where they are many: both are linear in each other, so a unit of each
// right-hand side is taken through the elements once, and every objective has its multiple of what
// comes of it. docs/theory.md, section 15.
#pragma once

#include "kernels/stages/algebraic_adjoint.hpp"
#include "kernels/stages/solve_columns.hpp"

GRADUS_KERNELS_BEGIN

// Whether these are generalised forces.
GRADUS_FUNCTION bool is_force(ResidualSet residual) {
  return residual == kDynamics || residual == kVelocityProjection ||
         residual == kAccelerationProjection;
}

// Whether the stage is the equilibrium of a start.
GRADUS_FUNCTION bool is_of_rest(const StageTangent& stage) {
  return stage.of_start != 0 && is_force(stage.residual_partial);
}

// Rows over all generalised forces and constraints, from what the right-hand sides are worth: the
// upper ones top(c), the lower ones bottom(i).
template <class D, class Top, class Bottom>
GRADUS_ROUTINE void element_rows(const D& d, const StageTangent& stage, const Top& top,
                                 const Bottom& bottom) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  if (is_force(stage.residual_partial))
    for (int c = 0; c < d.plan.coordinate_count; ++c)
      d.at(l.element.row)[c] = Real(-stage.residual_scale) * top(c);
  if (is_of_rest(stage))  // where kept states have equations of their own
    for (int k = 0; k < d.plan.kept_state_count; ++k)
      d.at(l.element.row)[d.plan.kept_states[k]] = Real(0);
  for (int level = 0; level < kConstraintLevels; ++level)
    set_zero(d.at(l.element.constraint_row[level]), d.plan.constraint_rows);
  const RowOrder order = row_order(d, stage.leading);
  for (int k = 0; k < stage.constraint_partial_count; ++k)
    for (int i = 0; i < order.count; ++i) {
      const Real worth = Real(-stage.constraint_partial_factor[k]) * bottom(i);
      for_ordered_row(d, order, i, [&](int row, const auto& where) {
        Real& sum = d.at(l.element.constraint_row[stage.constraint_partial[k]])[row];
        sum = select(where, sum + worth, sum);
      });
    }
}

// Adds for every objective its multiple of what the elements are worth to a unit, `rows`
// [objective], and clears that.
template <class D, class Rows>
GRADUS_ROUTINE void hand_out_unit(const D& d, const Rows& rows) {
  using Real = typename D::Real;
  const ElementLayout& e = d.layout.element;
  const int objectives = d.plan.objective_count;
  const auto unit = d.at(e.gradient + objectives * d.plan.element_size);
  for (int i = 0; i < d.plan.element_size; ++i) {
    if (is_known_zero(unit[i])) continue;
    const Real share = unit[i];
    unit[i] = Real(0);
    const auto pooled = d.at(e.pooled + i * objectives);
    for (int o = 0; o < objectives; ++o) pooled[o] += share * rows[o];
  }
}

// The elements of a stage for all objectives, by units behind the last of them.
template <class D>
GRADUS_ROUTINE void pool_elements(const D& d, const StageTangent& stage) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const int objectives = d.plan.objective_count;
  const bool force = is_force(stage.residual_partial);
  const int upper = force ? d.plan.coordinate_count : 0;
  const int lower = stage.constraint_partial_count > 0 ? row_order(d, stage.leading).count : 0;
  for (int k = 0; k < upper + lower; ++k) {
    element_rows(
        d, stage, [&](int c) { return Real(c == k ? 1 : 0); },
        [&](int i) { return Real(upper + i == k ? 1 : 0); });
    add_element_adjoint(d, force ? stage.residual_partial : kNoResidual, objectives);
    if (d.plan.loads_elements != 0) features_to_elements(d, objectives);
    const int rows =
        k < upper ? l.column_top + k * objectives : l.column_bottom + (k - upper) * objectives;
    hand_out_unit(d, d.at(rows));
  }
}

// Before parameters get their shares.
template <class D>
GRADUS_ROUTINE void take_pooled_elements(const D& d) {
  const ElementLayout& e = d.layout.element;
  const int size = d.plan.element_size;
  const int objectives = d.plan.objective_count;
  for (int o = 0; o < objectives; ++o)
    for (int i = 0; i < size; ++i)
      d.at(e.gradient)[o * size + i] += d.at(e.pooled)[i * objectives + o];
  set_zero(d.at(e.pooled), objectives * size);
}

GRADUS_KERNELS_END
