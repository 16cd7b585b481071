// Sparse factors of the constraint Jacobian: Phi_z^T = Q [R; 0] by reflections that touch only the
// coordinates that a row depends on, in an order of rows that is found once
// (src/motion/split_order.hpp). Q is kept as these reflections, never as a matrix. Where the order
// does not serve, as rows come near to depending on each other, dense factors take its place in the
// designs concerned. docs/theory.md, section 7.
#pragma once

#include "kernels/core/design.hpp"
#include "kernels/math/small_solve.hpp"

GRADUS_KERNELS_BEGIN

// An order has all rows, which are independent; at the start there may be others that hold there
// only.
GRADUS_FUNCTION bool has_sparse_split(const PlanView& plan) {
  return plan.split_step_count > 0 && plan.split_step_count == plan.constraint_rows;
}

// Whose factors are sparse, of those at hand.
template <class D>
GRADUS_INLINE typename D::Mask is_split_sparsely(const D& d) {
  using Value = typename D::Value;
  if (!has_sparse_split(d.plan)) return typename D::Mask(false);
  return value_of(d.at(d.layout.poor_split)[0]) < Value(0.5);
}

template <class D>
GRADUS_INLINE int head_of(const D& d, int k) {
  return d.plan.split_steps[k].head;
}

// What a matrix holds in other designs becomes zero.
template <class D, class Array>
GRADUS_FUNCTION void clear_beside(const D&, const Array& x, int count,
                                  const typename D::Mask& where) {
  if (!any(!where)) return;
  for (int i = 0; i < count; ++i) x[i] = select(where, x[i], RealOf<D>(0));
}

// Dense factors, for all designs.
template <class D>
GRADUS_ROUTINE RankReport<typename D::Value> split_densely(const D& d) {
  const Layout& l = d.layout;
  if (has_sparse_split(d.plan)) d.at(l.poor_split)[0] = RealOf<D>(1);
  return split_jacobian(d.at(l.jacobian), d.plan.constraint_rows, d.plan.coordinate_count,
                        d.plan.constraint_rank, d.at(l.reflected), d.at(l.pivot), d.at(l.range),
                        d.at(l.null_space), d.at(l.triangle));
}

// Where sparse factors are: the vector of a reflection at its places, R behind it at its head;
// factors of the reflections, and inverse pivots.
struct SparseFactors {
  int vectors;  // [n, row of the constraints in the order]
  int factors;  // [2 rank]
};

template <class D>
GRADUS_INLINE SparseFactors split_factors(const D& d) {
  return {d.layout.reflected, d.layout.reflection};
}

// Reflects 4 Q + C neighbouring columns of x [n, columns] by the vector of step k, whose entry at
// its head is 1.
template <int Q, int C, class D, class Array, class Real>
GRADUS_INLINE void reflect_places(const D& d, const SparseFactors& f, int k, const Real& factor,
                                  const Array& x, int columns) {
  const SplitStepEntry& step = d.plan.split_steps[k];
  const int m = d.plan.constraint_rows;
  const auto vector = d.at(f.vectors).from(k);
  Quad<Array> sum[Q + 1], entries;
  Real single[C + 1];
  const auto head = x.from(step.head * columns);
  for (int q = 0; q < Q; ++q) sum[q].load(head, 4 * q);
  for (int c = 0; c < C; ++c) single[c] = head[4 * Q + c];
  for (int i = step.place_begin; i < step.place_end; ++i) {
    const int place = d.plan.split_places[i];
    const Real entry = vector[place * m];
    for (int q = 0; q < Q; ++q) {
      entries.load(x, place * columns + 4 * q);
      sum[q].add(entry, entries);
    }
    for (int c = 0; c < C; ++c) single[c] += entry * x[place * columns + 4 * Q + c];
  }
  for (int q = 0; q < Q; ++q) sum[q].scale(factor);
  for (int c = 0; c < C; ++c) single[c] *= factor;
  const auto change = [&](int place, const Real& entry) {
    for (int q = 0; q < Q; ++q) {
      entries.load(x, place * columns + 4 * q);
      entries.subtract(entry, sum[q]);
      entries.store(x, place * columns + 4 * q);
    }
    for (int c = 0; c < C; ++c) x[place * columns + 4 * Q + c] -= entry * single[c];
  };
  change(step.head, Real(1));
  for (int i = step.place_begin; i < step.place_end; ++i)
    change(d.plan.split_places[i], vector[d.plan.split_places[i] * m]);
}

// The same for columns begin, ..., end - 1.
template <class D, class Array>
GRADUS_FUNCTION void reflect_at(const D& d, const SparseFactors& f, int k, const Array& x,
                                int columns, int begin, int end) {
  const RealOf<D> factor = d.at(f.factors)[k];
  for_each_strip<strip_quads<Array>()>(begin, end, [&](int j, auto quads, auto singles) {
    reflect_places<decltype(quads)::value, decltype(singles)::value>(d, f, k, factor, x.from(j),
                                                                     columns);
  });
}

// x = Q x and x = Q^T x, x [n, columns].
template <class D, class Array>
GRADUS_ROUTINE void reflect_backwards(const D& d, const SparseFactors& f, const Array& x,
                                      int columns) {
  for (int k = d.plan.constraint_rank - 1; k >= 0; --k) reflect_at(d, f, k, x, columns, 0, columns);
}
template <class D, class Array>
GRADUS_ROUTINE void reflect_forwards(const D& d, const SparseFactors& f, const Array& x,
                                     int columns) {
  for (int k = 0; k < d.plan.constraint_rank; ++k) reflect_at(d, f, k, x, columns, 0, columns);
}

// N [n, free] = Q [0; 1]
template <class D, class Array>
GRADUS_FUNCTION void reflect_free(const D& d, const SparseFactors& f, const Array& basis) {
  const int free = d.plan.split_free_count;
  set_zero(basis, d.plan.coordinate_count * free);
  for (int i = 0; i < free; ++i) basis[d.plan.split_free[i] * free + i] = RealOf<D>(1);
  reflect_backwards(d, f, basis, free);
}

// Calls visit(j, R[k, j]) for the rows j behind k that row k of R has an entry for.
template <class D, class Visit>
GRADUS_INLINE void for_each_triangle_entry(const D& d, int k, const Visit& visit) {
  const SplitStepEntry& step = d.plan.split_steps[k];
  const auto row = d.at(d.layout.reflected).from(step.head * d.plan.constraint_rows);
  for (int i = step.run_begin; i < step.run_end; ++i) {
    const SplitRunEntry& run = d.plan.split_runs[i];
    for (int j = run.begin; j < run.end; ++j) visit(j, row[j]);
  }
}

// Solves with R, and with R^T, for what x [n, columns] has at the heads.
template <class D, class Array>
GRADUS_ROUTINE void solve_heads(const D& d, const Array& x, int columns) {
  const int rank = d.plan.constraint_rank;
  for (int k = rank - 1; k >= 0; --k) {
    const auto own = x.from(head_of(d, k) * columns);
    for_each_triangle_entry(d, k, [&](int j, const RealOf<D>& entry) {
      const auto other = x.from(head_of(d, j) * columns);
      for (int c = 0; c < columns; ++c) own[c] -= entry * other[c];
    });
    const RealOf<D> inverse = d.at(d.layout.reflection)[rank + k];
    for (int c = 0; c < columns; ++c) own[c] *= inverse;
  }
}
template <class D, class Array>
GRADUS_ROUTINE void solve_heads_transposed(const D& d, const Array& x, int columns) {
  const int rank = d.plan.constraint_rank;
  for (int k = 0; k < rank; ++k) {
    const auto own = x.from(head_of(d, k) * columns);
    const RealOf<D> inverse = d.at(d.layout.reflection)[rank + k];
    for (int c = 0; c < columns; ++c) own[c] *= inverse;
    for_each_triangle_entry(d, k, [&](int j, const RealOf<D>& entry) {
      const auto other = x.from(head_of(d, j) * columns);
      for (int c = 0; c < columns; ++c) other[c] -= entry * own[c];
    });
  }
}

constexpr double kNothingLeft = 1e-150;

// Householder vector of row k with a head of 1, kept at its places, R[k, k] at its head.
// Returns the size of the pivot.
template <class D>
GRADUS_FUNCTION typename D::Value reflect_row(const D& d, const SparseFactors& f, int k) {
  const SplitStepEntry& step = d.plan.split_steps[k];
  const int m = d.plan.constraint_rows;
  const auto vector = d.at(f.vectors).from(k);
  const auto reflection = d.at(f.factors);
  const RealOf<D> head = vector[step.head * m];
  RealOf<D> norm = square(head);
  for (int i = step.place_begin; i < step.place_end; ++i)
    norm += square(vector[d.plan.split_places[i] * m]);
  norm = sqrt(norm);
  // Of a row with nothing left nothing is reflected.
  using Value = typename D::Value;
  const auto is_nothing = is_zero(value_of(norm));
  norm = select(is_nothing, RealOf<D>(kNothingLeft), norm);
  const RealOf<D> diagonal = select(value_of(head) > Value(0.0), -norm, norm);
  const RealOf<D> inverse = RealOf<D>(1) / (head - diagonal);
  for (int i = step.place_begin; i < step.place_end; ++i)
    vector[d.plan.split_places[i] * m] *= inverse;
  vector[step.head * m] = diagonal;
  reflection[k] = select(is_nothing, RealOf<D>(0), (diagonal - head) / diagonal);
  reflection[d.plan.constraint_rank + k] = RealOf<D>(1) / diagonal;
  for (int i = step.run_begin; i < step.run_end; ++i)
    reflect_at(d, f, k, d.at(f.vectors), m, d.plan.split_runs[i].begin, d.plan.split_runs[i].end);
  return value_of(norm);
}

// All reflections of a matrix with the pattern of the Jacobian, of which entry(row, coordinate) is
// an entry. Calls visit(k, size of pivot k).
template <class D, class Entry, class Visit>
GRADUS_FUNCTION void reflect_rows(const D& d, const SparseFactors& f, const Entry& entry,
                                  const Visit& visit) {
  const int m = d.plan.constraint_rows;
  const auto matrix = d.at(f.vectors);
  set_zero(matrix, d.plan.coordinate_count * m);
  for (int j = 0; j < m; ++j) {
    const SplitStepEntry& step = d.plan.split_steps[j];
    for (int i = step.entry_begin; i < step.entry_end; ++i) {
      const int c = d.plan.split_places[i];
      matrix[c * m + j] = entry(step.row, c);
    }
  }
  for (int k = 0; k < d.plan.constraint_rank; ++k) visit(k, reflect_row(d, f, k));
}

template <class D>
GRADUS_ROUTINE RankReport<typename D::Value> reflect_jacobian(const D& d) {
  using Value = typename D::Value;
  const auto jacobian = d.at(d.layout.jacobian);
  RankReport<Value> report{Value(0.0), Value(0.0), Value(0.0)};
  reflect_rows(
      d, split_factors(d),
      [&](int row, int c) { return RealOf<D>(jacobian[row * d.plan.coordinate_count + c]); },
      [&](int k, const Value& size) {
        report.first = select(size > report.first, size, report.first);
        report.last = k == 0 ? size : select(size < report.last, size, report.last);
      });
  return report;
}

// Pivots and null space, in some designs, to what reflect_jacobian() left.
template <class D>
GRADUS_ROUTINE void finish_split(const D& d, const typename D::Mask& where) {
  const Layout& l = d.layout;
  const int free = d.plan.split_free_count;
  const int count = d.plan.coordinate_count * free;
  for (int j = 0; j < d.plan.constraint_rows; ++j) {
    RealOf<D>& pivot = d.at(l.pivot)[j];
    pivot = select(where, RealOf<D>(d.plan.split_steps[j].row), pivot);
  }
  const auto basis = any(!where) ? d.at(l.product) : d.at(l.null_space);
  reflect_free(d, split_factors(d), basis);
  if (!any(!where)) return;
  for (int i = 0; i < count; ++i)
    d.at(l.null_space)[i] = select(where, basis[i], d.at(l.null_space)[i]);
}

// Factors of the Jacobian at hand: sparse where there is an order for them that serves, else dense.
template <class D>
GRADUS_ROUTINE RankReport<typename D::Value> split_sparsely(const D& d) {
  using Value = typename D::Value;
  if (!has_sparse_split(d.plan)) return split_densely(d);
  const RankReport<Value> report = reflect_jacobian(d);
  const auto serves = report.last > Value(d.plan.least_split_pivot) * report.first;
  RankReport<Value> dense = report;
  if (any(!serves)) {
    dense = split_densely(d);
    if (!any(serves)) return dense;
    reflect_jacobian(d);
  }
  d.at(d.layout.poor_split)[0] = select(serves, RealOf<D>(0), RealOf<D>(1));
  finish_split(d, serves);
  return select(serves, report, dense);
}

GRADUS_KERNELS_END
