// The linear system every stage comes down to:
//   [A Phi_z^T; Phi_z 0] [x; multiplier] = [top; bottom],
// solved in the null space of the Jacobian, x = range part + N y, (N^T A N) y = N^T (top - A
// x_range). Redundant rows of Phi_z do no harm, no penalty enters, and one factorisation of Phi_z
// serves all stages of a step and all columns. docs/theory.md, section 7.
#pragma once

#include "kernels/core/design.hpp"
#include "kernels/math/small_solve.hpp"

GRADUS_KERNELS_BEGIN

// W columns of out += factor * a x, a read with the given strides; the sums stay in registers.
template <int W, class Array>
GRADUS_INLINE void add_product_block(const Array& a, int row_stride, int inner_stride, int rows,
                                     int inner, const Array& x, int columns, int first,
                                     double factor, const Array& out) {
  using Real = std::decay_t<decltype(a[0])>;
  for (int i = 0; i < rows; ++i) {
    Real sum[W];
    for (int w = 0; w < W; ++w) sum[w] = Real(0);
    for (int k = 0; k < inner; ++k) {
      const Real entry = a[i * row_stride + k * inner_stride];
      for (int w = 0; w < W; ++w) sum[w] += entry * x[k * columns + first + w];
    }
    for (int w = 0; w < W; ++w) out[i * columns + first + w] += Real(factor) * sum[w];
  }
}

template <class Array>
GRADUS_FUNCTION void add_strided_product(const Array& a, int row_stride, int inner_stride, int rows,
                                         int inner, const Array& x, int columns, double factor,
                                         const Array& out) {
  int c = 0;
  for (; c + 4 <= columns; c += 4)
    add_product_block<4>(a, row_stride, inner_stride, rows, inner, x, columns, c, factor, out);
  if (c + 2 <= columns) {
    add_product_block<2>(a, row_stride, inner_stride, rows, inner, x, columns, c, factor, out);
    c += 2;
  }
  if (c < columns)
    add_product_block<1>(a, row_stride, inner_stride, rows, inner, x, columns, c, factor, out);
}

// out [rows, columns] += factor * a [rows, inner] * x [inner, columns]
template <class Array>
GRADUS_FUNCTION void add_product(const Array& a, int rows, int inner, const Array& x, int columns,
                                 double factor, const Array& out) {
  add_strided_product(a, inner, 1, rows, inner, x, columns, factor, out);
}

// The same with a transposed: a [inner, rows].
template <class Array>
GRADUS_FUNCTION void add_transposed_product(const Array& a, int rows, int inner, const Array& x,
                                            int columns, double factor, const Array& out) {
  add_strided_product(a, 1, rows, rows, inner, x, columns, factor, out);
}

template <class Array>
GRADUS_FUNCTION void set_zero(const Array& a, int count) {
  using Real = std::decay_t<decltype(a[0])>;
  for (int i = 0; i < count; ++i) a[i] = Real(0);
}

// Splits the Jacobian; marks the design if the constraints have lost rank.
template <class D>
GRADUS_FUNCTION RankReport split_constraints(const D& d, double time) {
  const PlanView& plan = d.plan;
  const RankReport report =
      split_jacobian(d.at(d.layout.jacobian), plan.constraint_rows, plan.coordinate_count,
                     plan.constraint_rank, d.at(d.layout.reflected), d.at(d.layout.pivot),
                     d.at(d.layout.range), d.at(d.layout.null_space), d.at(d.layout.triangle));
  if (plan.constraint_rank > 0 && !(report.last > 1e-9 * report.first))
    d.fail(Status::rank_too_low, time);
  return report;
}

// Factorises N^T A N.
template <class D>
GRADUS_FUNCTION void factorise_reduced(const D& d, int matrix, int factor, int pivot, double time) {
  const int n = d.plan.coordinate_count;
  const int free = d.plan.independent_count;
  const auto reduced = d.at(factor);
  if (d.plan.constraint_rank == 0) {
    for (int i = 0; i < n * n; ++i) reduced[i] = d.at(matrix)[i];
  } else {
    const auto product = d.at(d.layout.product);
    set_zero(product, n * free);
    add_product(d.at(matrix), n, n, d.at(d.layout.null_space), free, 1.0, product);
    set_zero(reduced, free * free);
    add_transposed_product(d.at(d.layout.null_space), free, n, product, free, 1.0, reduced);
  }
  if (!factorise(reduced, d.at(pivot), free)) d.fail(Status::mass_singular, time);
}

// Factorises the rows of N that belong to the held coordinates.
template <class D>
GRADUS_FUNCTION void factorise_held(const D& d, double time) {
  const int free = d.plan.independent_count;
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const int held = d.plan.coordinates[c].independent;
    if (held < 0) continue;
    for (int k = 0; k < free; ++k)
      d.at(d.layout.kinematic_factor)[held * free + k] = d.at(d.layout.null_space)[c * free + k];
  }
  if (!factorise(d.at(d.layout.kinematic_factor), d.at(d.layout.kinematic_pivot), free))
    d.fail(Status::independents_singular, time);
}

// One or many right-hand sides: all arrays [., columns].
struct SolveArrays {
  int top;         // [n], overwritten
  int bottom;      // [rank], the pivot rows of the constraints in their order
  int solution;    // [n]
  int multiplier;  // [m], -1 if not wanted
  int scratch;     // [2 n]
};

// The row of the constraints that is number i of the pivots. The solution reads no others.
template <class D>
GRADUS_FUNCTION int pivot_row(const D& d, int i) {
  return as_index(d.at(d.layout.pivot)[i]);
}

// out [rank, columns] += factor * (pivot rows of a [m, columns])
template <class D>
GRADUS_FUNCTION void add_pivot_rows(const D& d, int a, int columns, double factor, int out) {
  using Real = typename D::Real;
  for (int i = 0; i < d.plan.constraint_rank; ++i) {
    const auto from = d.at(a).from(pivot_row(d, i) * columns);
    const auto to = d.at(out).from(i * columns);
    for (int c = 0; c < columns; ++c) to[c] += Real(factor) * from[c];
  }
}

// out [rank, columns] += factor * (pivot rows of a [m, n]) * x [n, columns]
template <class D>
GRADUS_FUNCTION void add_pivot_rows_product(const D& d, int a, int x, int columns, double factor,
                                            int out) {
  const int n = d.plan.coordinate_count;
  for (int i = 0; i < d.plan.constraint_rank; ++i)
    add_product(d.at(a).from(pivot_row(d, i) * n), 1, n, d.at(x), columns, factor,
                d.at(out).from(i * columns));
}

// x_range: the part of the solution that the constraints determine.
template <class D>
GRADUS_FUNCTION void solve_range(const D& d, const SolveArrays& arrays, int columns) {
  using Real = typename D::Real;
  const int rank = d.plan.constraint_rank;
  const auto triangle = d.at(d.layout.triangle);
  const auto t = d.at(arrays.scratch);
  for (int i = 0; i < rank; ++i) {
    for (int c = 0; c < columns; ++c) t[i * columns + c] = d.at(arrays.bottom)[i * columns + c];
    for (int j = 0; j < i; ++j) {
      const Real entry = triangle[j * rank + i];
      for (int c = 0; c < columns; ++c) t[i * columns + c] -= entry * t[j * columns + c];
    }
    const Real inverse = Real(1) / triangle[i * rank + i];
    for (int c = 0; c < columns; ++c) t[i * columns + c] *= inverse;
  }
  add_product(d.at(d.layout.range), d.plan.coordinate_count, rank, t, columns, 1.0,
              d.at(arrays.solution));
}

// Multipliers from triangle * multiplier = range^T (top - A x); rows that are not pivots carry
// none.
template <class D>
GRADUS_FUNCTION void solve_multipliers(const D& d, const SolveArrays& arrays, int columns) {
  using Real = typename D::Real;
  const int n = d.plan.coordinate_count;
  const int rank = d.plan.constraint_rank;
  const auto triangle = d.at(d.layout.triangle);
  const auto t = d.at(arrays.scratch);
  const auto multiplier = d.at(arrays.multiplier);
  set_zero(multiplier, d.plan.constraint_rows * columns);
  set_zero(t, rank * columns);
  add_transposed_product(d.at(d.layout.range), rank, n, d.at(arrays.top), columns, 1.0, t);
  for (int i = rank - 1; i >= 0; --i) {
    const int row = pivot_row(d, i);
    for (int j = i + 1; j < rank; ++j) {
      const Real entry = triangle[i * rank + j];
      for (int c = 0; c < columns; ++c) t[i * columns + c] -= entry * t[j * columns + c];
    }
    const Real inverse = Real(1) / triangle[i * rank + i];
    for (int c = 0; c < columns; ++c) {
      t[i * columns + c] *= inverse;
      multiplier[row * columns + c] = t[i * columns + c];
    }
  }
}

template <class D>
GRADUS_FUNCTION void constrained_solve(const D& d, const LeadingMatrix& leading,
                                       const SolveArrays& arrays, int columns) {
  const int n = d.plan.coordinate_count;
  const int rank = d.plan.constraint_rank;
  const int free = d.plan.independent_count;
  const auto top = d.at(arrays.top);
  const auto x = d.at(arrays.solution);
  const auto y = d.at(arrays.scratch).from(n * columns);
  set_zero(x, n * columns);

  if (rank > 0) solve_range(d, arrays, columns);
  if (leading.matrix < 0) {
    for (int c = 0; c < n; ++c) {
      const int held = d.plan.coordinates[c].independent;
      if (held < 0) continue;
      for (int k = 0; k < columns; ++k)
        y[held * columns + k] = top[c * columns + k] - x[c * columns + k];
    }
  } else if (rank > 0) {
    add_product(d.at(leading.matrix), n, n, x, columns, -1.0, top);
    set_zero(y, free * columns);
    add_transposed_product(d.at(d.layout.null_space), free, n, top, columns, 1.0, y);
  } else {
    for (int i = 0; i < n * columns; ++i) y[i] = top[i];
  }
  solve_factorised(d.at(leading.factor), d.at(leading.pivot), free, y, columns);
  if (rank == 0) {
    for (int i = 0; i < n * columns; ++i) x[i] = y[i];
    return;
  }
  add_product(d.at(d.layout.null_space), n, free, y, columns, 1.0, x);
  if (arrays.multiplier < 0) return;
  // top already holds top - A x_range; take away A N y.
  const auto ny = d.at(d.layout.product);
  set_zero(ny, n * columns);
  add_product(d.at(d.layout.null_space), n, free, y, columns, 1.0, ny);
  add_product(d.at(leading.matrix), n, n, ny, columns, -1.0, top);
  solve_multipliers(d, arrays, columns);
}

// The arrays for one right-hand side of the motion.
template <class D>
GRADUS_FUNCTION SolveArrays motion_arrays(const D& d) {
  return {d.layout.top, d.layout.bottom, d.layout.solution, d.layout.multiplier_change,
          d.layout.scratch};
}

template <class D>
GRADUS_FUNCTION LeadingMatrix mass_leading(const D& d) {
  return {d.layout.mass_matrix, d.layout.mass_factor, d.layout.mass_pivot};
}

GRADUS_KERNELS_END
