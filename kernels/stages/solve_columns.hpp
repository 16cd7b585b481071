// Direct differentiation of one stage, the same for every formulation: each column solves the
// stage's own leading matrix,
//   top    = -(scale * residual partial + sum of matrix * column),
//   bottom = -(constraint partial + sum of matrix * column),
// where the sums run over what the stage depends on. A formulation states these terms as data; a
// transposed walk over the same data is its discrete adjoint. docs/theory.md, section 10.
#pragma once

#include "kernels/stages/algebraic_rows.hpp"
#include "kernels/stages/start_slips.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_FUNCTION void combine(const D& d, const Combination& combination) {
  const int size = d.plan.coordinate_count * d.plan.column_count;
  const int* columns = d.layout.columns;
  const auto target = d.at(columns[combination.target]);
  const auto first = d.at(columns[combination.source[0]]);
  const RealOf<D> factor(combination.factor[0]);
  for (int i = 0; i < size; ++i) target[i] = factor * first[i];
  for (int k = 1; k < combination.count; ++k) {
    const auto source = d.at(columns[combination.source[k]]);
    const RealOf<D> share(combination.factor[k]);
    for (int i = 0; i < size; ++i) target[i] += share * source[i];
  }
}

// Right-hand sides of the constraints, in the order of the pivots.
template <class D>
GRADUS_ROUTINE void constraint_right_hand_side(const D& d, const StageTangent& stage,
                                               const ColumnSpace& space) {
  const Layout& l = d.layout;
  const int columns = space.count;
  const RowOrder order = row_order(d, stage.leading);
  set_zero(d.at(l.column_bottom), order.count * columns);
  if (!space.units)
    for (int k = 0; k < stage.constraint_partial_count; ++k)
      add_rows(d, order, l.constraint_partial[stage.constraint_partial[k]], columns,
               -stage.constraint_partial_factor[k], l.column_bottom);
  for (int k = 0; k < stage.constraint_term_count; ++k) {
    const LinearTerm& term = stage.constraint_terms[k];
    add_rows_product(d, order, term.matrix, columns_in(d, space, term.columns), columns,
                     -term.factor, l.column_bottom);
  }
}

template <class D>
GRADUS_FUNCTION SolveArrays column_arrays(const D& d, const StageTangent& stage,
                                          const ColumnSpace& space) {
  const Layout& l = d.layout;
  return {l.column_top, l.column_bottom, columns_in(d, space, stage.unknown), -1, l.column_scratch};
}

// Right-hand sides of the leading matrix.
template <class D>
GRADUS_ROUTINE void stage_right_hand_sides(const D& d, const StageTangent& stage,
                                           const ColumnSpace& space) {
  const int n = d.plan.coordinate_count;
  const int columns = space.count;
  const Layout& l = d.layout;
  const auto top = d.at(l.column_top);
  if (space.units || stage.residual_partial == kNoResidual) {
    set_zero(top, n * columns);
  } else {
    const auto from = d.at(l.residual_partial[stage.residual_partial]);
    for (int i = 0; i < n * columns; ++i) top[i] = RealOf<D>(-stage.residual_scale) * from[i];
  }
  if (stage.held_columns != kNoColumns)
    for (int i = 0; i < d.plan.independent_count; ++i)
      times_held_row(d, i, d.at(columns_in(d, space, stage.held_columns)), columns,
                     top.from(i * columns));
  for (int k = 0; k < stage.term_count; ++k)
    add_product(d.at(stage.terms[k].matrix), n, n,
                d.at(columns_in(d, space, stage.terms[k].columns)), columns, -stage.terms[k].factor,
                top);
  if (d.plan.constraint_rank > 0) constraint_right_hand_side(d, stage, space);
}

// Where the motion left the stage out: a projection where nothing ties the coordinates, or where
// the design had no need of it.
template <class D>
GRADUS_FUNCTION typename D::Mask is_skipped(const D& d, const StageTangent& stage) {
  if (stage.skipped < 0) return typename D::Mask(false);
  if (d.plan.constraint_rank == 0) return typename D::Mask(true);
  return !is_zero(value_of(d.at(stage.skipped)[0]));
}

template <class D>
GRADUS_FUNCTION void set_zero_where(const D& d, const typename D::Mask& where, int array,
                                    int count) {
  if (!any(where)) return;
  for (int i = 0; i < count; ++i) d.at(array)[i] = select(where, RealOf<D>(0), d.at(array)[i]);
}

// `settles`: the stage yields accelerations with which algebraic unknowns have been found.
template <class D>
GRADUS_FUNCTION void solve_columns(const D& d, const StageTangent& stage, const ColumnSpace& space,
                                   bool settles = false) {
  for (int k = 0; k < stage.before_count; ++k) combine(d, stage.before[k]);
  const auto skipped = is_skipped(d, stage);
  if (stage.unknown != kNoColumns) {
    if (any(!skipped)) {
      stage_right_hand_sides(d, stage, space);
      constrained_solve(d, stage.leading, column_arrays(d, stage, space), space.count);
    }
    set_zero_where(d, skipped, d.layout.columns[stage.unknown],
                   d.plan.coordinate_count * space.count);
  }
  if (settles) add_algebraic_columns(d, space);
  for (int k = 0; k < stage.after_count; ++k) combine(d, stage.after[k]);
}

template <class D>
GRADUS_FUNCTION void solve_columns(const D& d, const LaunchArguments& arguments) {
  const bool settles = arguments.stage.of_accelerations != 0 && settles_algebraic(d);
  solve_columns(d, arguments.stage, parameter_columns(d), settles);
  if (arguments.stage.residual_partial == kStartVelocity) add_start_slip_columns(d);
}

GRADUS_KERNELS_END
