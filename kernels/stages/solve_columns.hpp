// Direct differentiation of one stage, the same for every formulation: each column solves the
// stage's own leading matrix,
//   top    = -(scale * residual partial + sum of matrix * column),
//   bottom = -(constraint partial + sum of matrix * column),
// where the sums run over what the stage depends on. A formulation states these terms as data; a
// transposed walk over the same data is its discrete adjoint. docs/theory.md, section 10.
#pragma once

#include "kernels/stages/constrained_solve.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_FUNCTION void combine(const D& d, const Combination& combination) {
  using Real = typename D::Real;
  const int size = d.plan.coordinate_count * d.plan.parameter_count;
  const auto target = d.at(combination.target);
  const auto first = d.at(combination.source[0]);
  const Real factor(combination.factor[0]);
  for (int i = 0; i < size; ++i) target[i] = factor * first[i];
  for (int k = 1; k < combination.count; ++k) {
    const auto source = d.at(combination.source[k]);
    const Real share(combination.factor[k]);
    for (int i = 0; i < size; ++i) target[i] += share * source[i];
  }
}

template <class D>
GRADUS_FUNCTION void start_right_hand_side(const D& d, int target, int partial, double scale,
                                           int size) {
  using Real = typename D::Real;
  const auto out = d.at(target);
  if (partial < 0) {
    set_zero(out, size);
    return;
  }
  const auto from = d.at(partial);
  for (int i = 0; i < size; ++i) out[i] = Real(-scale) * from[i];
}

template <class Real, bool kInterleaved>
struct SolveColumns {
  KernelArguments<Real, kInterleaved> arguments;

  GRADUS_FUNCTION void operator()(std::ptrdiff_t index) const {
    const Design<Real, kInterleaved> d(arguments.chunk, index);
    const StageTangent& stage = arguments.stage;
    if (d.failed()) return;
    const int n = d.plan.coordinate_count;
    const int columns = d.plan.parameter_count;
    const Layout& l = d.layout;
    for (int k = 0; k < stage.before_count; ++k) combine(d, stage.before[k]);

    start_right_hand_side(d, l.column_top, stage.residual_partial, stage.residual_scale,
                          n * columns);
    for (int k = 0; k < stage.term_count; ++k)
      add_product(d.at(stage.terms[k].matrix), n, n, d.at(stage.terms[k].columns), columns,
                  -stage.terms[k].factor, d.at(l.column_top));
    if (d.plan.constraint_rank > 0) {
      set_zero(d.at(l.column_bottom), d.plan.constraint_rank * columns);
      if (stage.constraint_partial >= 0)
        add_pivot_rows(d, stage.constraint_partial, columns, -1.0, l.column_bottom);
      for (int k = 0; k < stage.constraint_term_count; ++k)
        add_pivot_rows_product(d, stage.constraint_terms[k].matrix,
                               stage.constraint_terms[k].columns, columns,
                               -stage.constraint_terms[k].factor, l.column_bottom);
    }
    constrained_solve(d, stage.leading,
                      {l.column_top, l.column_bottom, stage.unknown, -1, l.column_scratch},
                      columns);
    for (int k = 0; k < stage.after_count; ++k) combine(d, stage.after[k]);
  }
};

GRADUS_KERNELS_END
