// The discrete adjoint of one stage, the same for every formulation: the data that
// solve_columns.hpp walks through, walked through backwards. Where a column says what a quantity
// does under a parameter, a row says what an objective does under that quantity; rows lie where
// columns would, [n, objective]. docs/theory.md, section 15.
#pragma once

#include "kernels/stages/solve_columns.hpp"
#include "kernels/stages/transposed_solve.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_INLINE int row_size(const D& d) {
  return d.plan.coordinate_count * d.plan.objective_count;
}

// target = sum of factor * source, backwards: what the target is worth goes to its sources.
template <class D>
GRADUS_FUNCTION void combine_adjoint(const D& d, const Combination& combination) {
  using Real = typename D::Real;
  const auto target = d.at(combination.target);
  for (int i = 0; i < row_size(d); ++i) {
    const Real worth = target[i];
    target[i] = Real(0);
    for (int k = 0; k < combination.count; ++k)
      d.at(combination.source[k])[i] += Real(combination.factor[k]) * worth;
  }
}

// gradient [objective, parameter] -= factor * rows^T partial, partial [., parameter] read in the
// order `from`.
template <class D>
GRADUS_FUNCTION void add_partial_adjoint(const D& d, int partial, double factor, int row, int rows,
                                         int i) {
  using Real = typename D::Real;
  const int parameters = d.plan.parameter_count;
  const int objectives = d.plan.objective_count;
  const auto values = d.at(partial + row * parameters);
  for (int o = 0; o < objectives; ++o) {
    const Real worth = Real(-factor) * d.at(rows)[i * objectives + o];
    const auto gradient = d.at(d.layout.objective_gradient + o * parameters);
    for (int p = 0; p < parameters; ++p) gradient[p] += worth * values[p];
  }
}

// What the right-hand sides of the constraints are worth, to columns and parameters.
template <class D>
GRADUS_FUNCTION void constraint_adjoint(const D& d, const StageTangent& stage) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int objectives = d.plan.objective_count;
  const RowOrder order = row_order(d, stage.leading);
  for (int i = 0; i < order.count; ++i) {
    const int row = ordered_row(d, order, i);
    for (int k = 0; k < stage.constraint_partial_count; ++k)
      add_partial_adjoint(d, stage.constraint_partial[k], stage.constraint_partial_factor[k], row,
                          l.column_bottom, i);
    for (int k = 0; k < stage.constraint_term_count; ++k) {
      const LinearTerm& term = stage.constraint_terms[k];
      add_transposed_product(d.at(term.matrix).from(row * n), n, 1,
                             d.at(l.column_bottom).from(i * objectives), objectives, -term.factor,
                             d.at(term.columns));
    }
  }
}

template <class D>
GRADUS_FUNCTION void solve_stage_adjoint(const D& d, const StageTangent& stage) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int objectives = d.plan.objective_count;
  transposed_solve(d, stage.leading, stage.unknown, objectives);
  set_zero(d.at(stage.unknown), row_size(d));
  const int rows = stage.leading.matrix < 0 ? d.plan.independent_count : n;
  if (stage.held_columns >= 0)
    add_held_transposed(d, d.at(l.column_top), objectives, 1.0, d.at(stage.held_columns));
  for (int k = 0; k < stage.term_count; ++k)
    add_transposed_product(d.at(stage.terms[k].matrix), n, rows, d.at(l.column_top), objectives,
                           -stage.terms[k].factor, d.at(stage.terms[k].columns));
  if (stage.residual_partial >= 0)
    for (int i = 0; i < rows; ++i)
      add_partial_adjoint(d, stage.residual_partial, stage.residual_scale, i, l.column_top, i);
  if (d.plan.constraint_rank > 0) constraint_adjoint(d, stage);
}

template <class D>
GRADUS_FUNCTION void solve_adjoint(const D& d, const StageTangent& stage) {
  for (int k = stage.after_count - 1; k >= 0; --k) combine_adjoint(d, stage.after[k]);
  const bool skips = stage.skipped >= 0 && value_of(d.at(stage.skipped)[0]) != 0.0;
  if (skips)
    set_zero(d.at(stage.unknown), row_size(d));
  else if (stage.unknown >= 0)
    solve_stage_adjoint(d, stage);
  for (int k = stage.before_count - 1; k >= 0; --k) combine_adjoint(d, stage.before[k]);
}

template <class Real, bool kInterleaved>
struct SolveAdjoint {
  KernelArguments<Real, kInterleaved> arguments;

  GRADUS_FUNCTION void operator()(std::ptrdiff_t index) const {
    const Design<Real, kInterleaved> d(arguments.chunk, index);
    if (!d.failed()) solve_adjoint(d, arguments.stage);
  }
};

GRADUS_KERNELS_END
