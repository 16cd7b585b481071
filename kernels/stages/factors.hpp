// Factors that the linear systems of stages need: of the constraints, and of leading matrices.
// docs/theory.md, section 7.
#pragma once

#include "kernels/math/products.hpp"
#include "kernels/stages/held_rows.hpp"
#include "kernels/stages/sparse_split.hpp"
#include "kernels/stages/tree_null_space.hpp"

GRADUS_KERNELS_BEGIN

// Splits the Jacobian, unless nothing ties the tree, and notes how regular it is.
template <class D>
GRADUS_ROUTINE RankReport<typename D::Value> measure_constraints(const D& d) {
  using Value = typename D::Value;
  const PlanView& plan = d.plan;
  const RankReport<Value> report = split_sparsely(d);
  if (plan.constraint_rank > 0) {
    d.at(d.layout.regularity)[0] = RealOf<D>(report.last / report.first);
    d.at(d.layout.risen)[0] = RealOf<D>(report.beyond / report.first);
  }
  return report;
}

// The same for what follows; marks the design if the constraints have lost rank.
template <class D>
GRADUS_ROUTINE void split_constraints(const D& d, double time) {
  using Value = typename D::Value;
  if (is_open_tree(d.plan)) {
    split_tree(d);
    return;
  }
  const RankReport<Value> report = measure_constraints(d);
  if (d.plan.constraint_rank == 0) return;
  d.fail(!(report.last > Value(1e-9 * d.plan.pivot_spread) * report.first), Status::rank_too_low,
         time);
}

// N^T A N, to `reduced`.
template <class D>
GRADUS_ROUTINE void reduce_matrix(const D& d, int matrix, int reduced) {
  const int n = d.plan.coordinate_count;
  const int free = d.plan.independent_count;
  const auto out = d.at(reduced);
  if (d.plan.constraint_rank == 0) {
    for (int i = 0; i < n * n; ++i) out[i] = d.at(matrix)[i];
  } else if (is_open_tree(d.plan)) {
    reduce_tree(d, matrix, reduced);
  } else {
    const auto product = d.at(d.layout.product);
    set_zero(product, n * free);
    add_product(d.at(matrix), n, n, d.at(d.layout.null_space), free, 1.0, product);
    set_zero(out, free * free);
    add_transposed_product(d.at(d.layout.null_space), free, n, product, free, 1.0, out);
  }
}

// A matrix of masses that has no factors has entries that are undefined, or resists some motion by
// no inertia.
template <class D>
GRADUS_ROUTINE void fail_to_factorise(const D& d, const MaskOf<RealOf<D>>& where, int matrix,
                                      double time) {
  if (!any(where)) return;
  RealOf<D> sum(0);
  for (int i = 0; i < d.plan.coordinate_count * d.plan.coordinate_count; ++i)
    sum += d.at(matrix)[i];
  d.fail(where && !is_finite(value_of(sum)), Status::not_finite, time);
  d.fail(where, Status::mass_singular, time);
}

// Factorises N^T A N.
template <class D>
GRADUS_FUNCTION void factorise_reduced(const D& d, const LeadingMatrix& leading, double time) {
  reduce_matrix(d, leading.matrix, leading.factor);
  fail_to_factorise(d,
                    !factorise(d.at(leading.factor), d.at(leading.pivot), d.plan.independent_count),
                    leading.matrix, time);
}

// Factorises the held rows on the null space, B N.
template <class D>
GRADUS_FUNCTION void factorise_held(const D& d, double time) {
  const int free = d.plan.independent_count;
  for (int i = 0; i < free; ++i)
    times_held_row(d, i, d.at(d.layout.null_space), free,
                   d.at(d.layout.kinematic_factor + i * free));
  d.fail(!factorise(d.at(d.layout.kinematic_factor), d.at(d.layout.kinematic_pivot), free),
         Status::independents_singular, time);
}

// Factorises [A Phi_z^T; Phi_z -1/penalty]. The penalty stands alone on the diagonal, so that no
// product of large and small numbers is formed: digits are kept whatever it is, and redundant rows
// do no harm. docs/theory.md, section 7.
template <class D>
GRADUS_ROUTINE void factorise_saddle(const D& d, int matrix, double time) {
  const int n = d.plan.coordinate_count;
  const int m = d.plan.constraint_rows;
  const int size = n + m;
  const auto saddle = d.at(d.layout.saddle);
  const auto jacobian = d.at(d.layout.jacobian);
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) saddle[r * size + c] = d.at(matrix)[r * n + c];
    for (int i = 0; i < m; ++i) saddle[r * size + n + i] = jacobian[i * n + r];
  }
  for (int i = 0; i < m; ++i) {
    for (int c = 0; c < n; ++c) saddle[(n + i) * size + c] = jacobian[i * n + c];
    for (int j = 0; j < m; ++j) saddle[(n + i) * size + n + j] = RealOf<D>(0);
  }
  for (int k = 0; k < d.plan.constraint_count; ++k) {
    const ConstraintEntry& e = d.plan.constraints[k];
    const double penalty = e.penalty > 0.0 ? e.penalty : d.settings.penalty;
    for (int i = n + e.row; i < n + e.row + e.rows; ++i)
      saddle[i * size + i] = RealOf<D>(-1.0 / penalty);
  }
  fail_to_factorise(d, !factorise(saddle, d.at(d.layout.saddle_pivot), size), matrix, time);
}

GRADUS_KERNELS_END
