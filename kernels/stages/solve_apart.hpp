// Columns of a stage whose reduced system is solved between two kernels, by a solver of batched
// linear systems: what solve_columns.hpp does before the solution, and what it does after.
#pragma once

#include "kernels/stages/solve_columns.hpp"

GRADUS_KERNELS_BEGIN

// The right-hand sides, kept beside the place where the solver puts the unknowns.
template <class D>
GRADUS_FUNCTION void prepare_columns(const D& d, const StageTangent& stage) {
  const ColumnSpace space = parameter_columns(d);
  const SolveArrays arrays = column_arrays(d, stage, space);
  const int size = d.plan.independent_count * space.count;
  const auto y = reduced_unknowns(d, arrays, space.count);
  for (int k = 0; k < stage.before_count; ++k) combine(d, stage.before[k]);
  if (any(is_skipped(d, stage))) {
    set_zero(y, size);
  } else {
    stage_right_hand_sides(d, stage, space);
    begin_solution(d, stage.leading, arrays, space.count);
  }
  for (int i = 0; i < size; ++i) d.at(arrays.scratch)[i] = y[i];
}

// What the solver refused comes back as NaN. The factors of the motion serve instead.
template <class D>
GRADUS_FUNCTION void replace_refused(const D& d, const StageTangent& stage,
                                     const SolveArrays& arrays, int columns) {
  const int size = d.plan.independent_count * columns;
  const auto y = reduced_unknowns(d, arrays, columns);
  const auto kept = d.at(arrays.scratch);
  bool refused = false;
  for (int i = 0; i < size; ++i)
    refused = refused || (!is_finite(value_of(y[i])) && is_finite(value_of(kept[i])));
  if (!refused) return;
  d.at(d.layout.refused)[0] += RealOf<D>(1);
  for (int i = 0; i < size; ++i) y[i] = kept[i];
  solve_factorised(d.at(stage.leading.factor), d.at(stage.leading.pivot), d.plan.independent_count,
                   y, columns);
}

template <class D>
GRADUS_FUNCTION void finish_columns(const D& d, const StageTangent& stage) {
  const ColumnSpace space = parameter_columns(d);
  const SolveArrays arrays = column_arrays(d, stage, space);
  if (any(is_skipped(d, stage))) {
    set_zero(d.at(d.layout.columns[stage.unknown]), d.plan.coordinate_count * space.count);
  } else {
    replace_refused(d, stage, arrays, space.count);
    end_solution(d, stage.leading, arrays, space.count);
  }
  for (int k = 0; k < stage.after_count; ++k) combine(d, stage.after[k]);
}

// What the solver factorises.
template <class D>
GRADUS_FUNCTION void reduce_matrix(const D& d, const LaunchArguments& arguments) {
  reduce_matrix(d, arguments.stage.leading.matrix, d.layout.reduced);
}

template <class D>
GRADUS_FUNCTION void prepare_columns(const D& d, const LaunchArguments& arguments) {
  prepare_columns(d, arguments.stage);
}

template <class D>
GRADUS_FUNCTION void finish_columns(const D& d, const LaunchArguments& arguments) {
  finish_columns(d, arguments.stage);
}

GRADUS_KERNELS_END
