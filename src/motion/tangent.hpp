// Words in which formulations state the linearised form of their stages. docs/theory.md,
// section 10.
#pragma once

#include <initializer_list>

#include "kernels/core/arguments.hpp"

namespace gradus {

// Starts the tangent of a stage: its leading matrix and the columns it solves for.
inline kernels::StageTangent stage_tangent(const kernels::LeadingMatrix& leading,
                                           kernels::ColumnSet unknown) {
  kernels::StageTangent stage{};
  stage.leading = leading;
  stage.unknown = unknown;
  stage.residual_partial = kernels::kNoResidual;
  stage.held_columns = kernels::kNoColumns;
  stage.skipped = -1;
  return stage;
}

// The residual depends on earlier columns through these matrices, and on the parameters by its
// partial, times `scale`.
inline void residual(kernels::StageTangent& stage, kernels::ResidualSet partial, double scale,
                     std::initializer_list<kernels::LinearTerm> terms) {
  stage.residual_partial = partial;
  stage.residual_scale = scale;
  for (const kernels::LinearTerm& term : terms) stage.terms[stage.term_count++] = term;
}

// So do the constraints of the stage; calls add up.
inline void constraints(kernels::StageTangent& stage, kernels::ConstraintLevel partial,
                        std::initializer_list<kernels::LinearTerm> terms, double factor = 1.0) {
  stage.constraint_partial[stage.constraint_partial_count] = partial;
  stage.constraint_partial_factor[stage.constraint_partial_count++] = factor;
  for (const kernels::LinearTerm& term : terms)
    stage.constraint_terms[stage.constraint_term_count++] = {term.matrix, term.columns,
                                                             factor * term.factor};
}

struct WeightedColumns {
  kernels::ColumnSet columns;
  double factor;
};

inline kernels::Combination combination(kernels::ColumnSet target,
                                        std::initializer_list<WeightedColumns> sources) {
  kernels::Combination c{};
  c.target = target;
  for (const WeightedColumns& source : sources) {
    c.source[c.count] = source.columns;
    c.factor[c.count++] = source.factor;
  }
  return c;
}

inline void before(kernels::StageTangent& stage, const kernels::Combination& c) {
  stage.before[stage.before_count++] = c;
}
inline void after(kernels::StageTangent& stage, const kernels::Combination& c) {
  stage.after[stage.after_count++] = c;
}

}  // namespace gradus
