// The linear system every stage comes down to:
//   [A Phi_z^T; Phi_z 0] [x; multiplier] = [top; bottom],
// solved in the null space of the Jacobian, x = range part + N y, (N^T A N) y = N^T (top - A
// x_range). Redundant rows of Phi_z do no harm, no penalty enters, and one factorisation of Phi_z
// serves all stages of a step and all columns. docs/theory.md, section 7.
#pragma once

#include "kernels/stages/factors.hpp"

GRADUS_KERNELS_BEGIN

// One or many right-hand sides: all arrays [., columns].
struct SolveArrays {
  int top;         // [n], overwritten; of the kinematic problem the held values [n - rank]
  int bottom;      // [rank], the pivot rows of the constraints in their order; all rows of a saddle
  int solution;    // [n]
  int multiplier;  // [m], -1 if not wanted
  int scratch;     // [2 n + m]
};

// Which rows of the constraints a right-hand side holds: the pivots in their order, or all.
struct RowOrder {
  int count;
  bool all;
};

template <class D>
GRADUS_FUNCTION RowOrder row_order(const D& d, const LeadingMatrix& leading) {
  if (leading.kind == LeadingKind::saddle) return {d.plan.constraint_rows, true};
  return {d.plan.constraint_rank, false};
}

// Calls visit(row, lanes) for the row of the constraints that is number i in the order. The
// solution reads no others.
template <class D, class Visit>
GRADUS_INLINE void for_ordered_row(const D& d, const RowOrder& order, int i, const Visit& visit) {
  if (order.all) return visit(i, typename D::Mask(true));
  for_each_number(value_of(d.at(d.layout.pivot)[i]), visit);
}

// Puts a number into the row of `to` [m], entries `stride` apart, that is number i of the pivots.
template <class D, class Array>
GRADUS_INLINE void put_pivot_row(const D& d, int i, const RealOf<D>& value, const Array& to,
                                 int stride) {
  for_ordered_row(d, {d.plan.constraint_rank, false}, i, [&](int row, const auto& where) {
    to[row * stride] = select(where, value, to[row * stride]);
  });
}

// out [rows, columns] += factor * (rows of a [m, columns])
template <class D>
GRADUS_FUNCTION void add_rows(const D& d, const RowOrder& order, int a, int columns, double factor,
                              int out) {
  for (int i = 0; i < order.count; ++i) {
    const auto to = d.at(out).from(i * columns);
    for_ordered_row(d, order, i, [&](int row, const auto& where) {
      const auto from = d.at(a).from(row * columns);
      for (int c = 0; c < columns; ++c)
        to[c] = select(where, to[c] + RealOf<D>(factor) * from[c], to[c]);
    });
  }
}

// The pivot rows.
template <class D>
GRADUS_FUNCTION void add_pivot_rows(const D& d, int a, int columns, double factor, int out) {
  add_rows(d, {d.plan.constraint_rank, false}, a, columns, factor, out);
}

// Row number i in the order of a [m, n]: where it lies, or gathered where lanes have different
// ones.
template <class D>
GRADUS_INLINE typename D::Array gathered_row(const D& d, const RowOrder& order, int i, int a) {
  const int n = d.plan.coordinate_count;
  auto found = d.at(a);
  const auto gathered = d.at(d.layout.gathered_row);
  for_ordered_row(d, order, i, [&](int row, const auto& where) {
    if (!any(!where)) {
      found = d.at(a + row * n);
      return;
    }
    found = gathered;
    for (int c = 0; c < n; ++c) gathered[c] = select(where, d.at(a + row * n)[c], gathered[c]);
  });
  return found;
}

// out [rows, columns] += factor * (rows of a [m, n]) * x [n, columns]
template <class D>
GRADUS_FUNCTION void add_rows_product(const D& d, const RowOrder& order, int a, int x, int columns,
                                      double factor, int out) {
  const int n = d.plan.coordinate_count;
  for (int i = 0; i < order.count; ++i)
    add_product(gathered_row(d, order, i, a), 1, n, d.at(x), columns, factor,
                d.at(out).from(i * columns));
}

// Solves with the factors of the saddle: top [n], bottom [m], all rows.
template <class D>
GRADUS_FUNCTION void solve_saddle(const D& d, const SolveArrays& arrays, int columns) {
  const int n = d.plan.coordinate_count * columns;
  const int m = d.plan.constraint_rows * columns;
  const auto x = d.at(arrays.scratch);
  for (int i = 0; i < n; ++i) x[i] = d.at(arrays.top)[i];
  for (int i = 0; i < m; ++i) x[n + i] = d.at(arrays.bottom)[i];
  solve_factorised(d.at(d.layout.saddle), d.at(d.layout.saddle_pivot),
                   d.plan.coordinate_count + d.plan.constraint_rows, x, columns);
  for (int i = 0; i < n; ++i) d.at(arrays.solution)[i] = x[i];
  if (arrays.multiplier < 0) return;
  for (int i = 0; i < m; ++i) d.at(arrays.multiplier)[i] = x[n + i];
}

// x_range, the part of the solution that the constraints determine, by dense factors, where these
// serve.
template <class D>
GRADUS_ROUTINE void solve_dense_range(const D& d, const SolveArrays& arrays, int columns,
                                      const typename D::Mask& where) {
  const int rank = d.plan.constraint_rank;
  const auto triangle = d.at(d.layout.triangle);
  const auto t = d.at(arrays.scratch);
  for (int i = 0; i < rank; ++i) {
    for (int c = 0; c < columns; ++c) t[i * columns + c] = d.at(arrays.bottom)[i * columns + c];
    for (int j = 0; j < i; ++j) {
      const RealOf<D> entry = triangle[j * rank + i];
      for (int c = 0; c < columns; ++c) t[i * columns + c] -= entry * t[j * columns + c];
    }
    const RealOf<D> inverse = triangle[i * rank + i];
    for (int c = 0; c < columns; ++c) t[i * columns + c] *= inverse;
  }
  clear_beside(d, t, rank * columns, where);
  add_product(d.at(d.layout.range), d.plan.coordinate_count, rank, t, columns, 1.0,
              d.at(arrays.solution));
}

// The same by sparse factors.
template <class D>
GRADUS_ROUTINE void solve_sparse_range(const D& d, const SolveArrays& arrays, int columns,
                                       const typename D::Mask& where) {
  const int count = d.plan.coordinate_count * columns;
  const auto x = d.at(arrays.scratch).from(count);
  set_zero(x, count);
  for (int k = 0; k < d.plan.constraint_rank; ++k)
    for (int c = 0; c < columns; ++c)
      x[head_of(d, k) * columns + c] = d.at(arrays.bottom)[k * columns + c];
  solve_heads_transposed(d, x, columns);
  reflect_backwards(d, split_factors(d), x, columns);
  clear_beside(d, x, count, where);
  for (int i = 0; i < count; ++i) d.at(arrays.solution)[i] += x[i];
}

// x_range, added to the solution.
template <class D>
GRADUS_FUNCTION void solve_range(const D& d, const SolveArrays& arrays, int columns) {
  const auto sparse = is_split_sparsely(d);
  if (any(!sparse)) solve_dense_range(d, arrays, columns, !sparse);
  if (any(sparse)) solve_sparse_range(d, arrays, columns, sparse);
}

// x [rank, columns] = triangle^-1 x
template <class D, class Array>
GRADUS_ROUTINE void solve_triangle(const D& d, const Array& x, int columns) {
  const int rank = d.plan.constraint_rank;
  const auto triangle = d.at(d.layout.triangle);
  for (int i = rank - 1; i >= 0; --i) {
    for (int j = i + 1; j < rank; ++j) {
      const RealOf<D> entry = triangle[i * rank + j];
      for (int c = 0; c < columns; ++c) x[i * columns + c] -= entry * x[j * columns + c];
    }
    const RealOf<D> inverse = triangle[i * rank + i];
    for (int c = 0; c < columns; ++c) x[i * columns + c] *= inverse;
  }
}

// out [rank, columns] = triangle^-1 range^T x, x [n, columns], which sparse factors overwrite.
template <class D, class Array>
GRADUS_ROUTINE void solve_rows(const D& d, const Array& x, int columns, const Array& out) {
  const int rank = d.plan.constraint_rank;
  const auto sparse = is_split_sparsely(d);
  if (any(!sparse)) {
    set_zero(out, rank * columns);
    add_transposed_product(d.at(d.layout.range), rank, d.plan.coordinate_count, x, columns, 1.0,
                           out);
    solve_triangle(d, out, columns);
  }
  if (!any(sparse)) return;
  reflect_forwards(d, split_factors(d), x, columns);
  solve_heads(d, x, columns);
  for (int k = 0; k < rank; ++k)
    for (int c = 0; c < columns; ++c)
      out[k * columns + c] = select(sparse, x[head_of(d, k) * columns + c], out[k * columns + c]);
}

// Multipliers from triangle * multiplier = range^T (top - A x); rows that are not pivots carry
// none.
template <class D>
GRADUS_ROUTINE void solve_multipliers(const D& d, const SolveArrays& arrays, int columns) {
  const int rank = d.plan.constraint_rank;
  const int count = d.plan.coordinate_count * columns;
  const auto t = d.at(arrays.scratch);
  const auto multiplier = d.at(arrays.multiplier);
  set_zero(multiplier, d.plan.constraint_rows * columns);
  auto rest = d.at(arrays.top);
  if (has_sparse_split(d.plan)) {
    rest = t.from(count);
    for (int i = 0; i < count; ++i) rest[i] = d.at(arrays.top)[i];
  }
  solve_rows(d, rest, columns, t);
  for (int i = 0; i < rank; ++i)
    for (int c = 0; c < columns; ++c)
      put_pivot_row(d, i, t[i * columns + c], multiplier.from(c), columns);
}

// Where the unknowns y of the reduced system lie.
template <class D>
GRADUS_FUNCTION typename D::Array reduced_unknowns(const D& d, const SolveArrays& arrays,
                                                   int columns) {
  return d.at(arrays.scratch).from(d.plan.coordinate_count * columns);
}

// Right-hand sides of the reduced system, N^T (top - A x_range), in the place of its unknowns;
// leaves x_range in the solution and top - A x_range in the top.
template <class D>
GRADUS_ROUTINE void begin_solution(const D& d, const LeadingMatrix& leading,
                                   const SolveArrays& arrays, int columns) {
  const int n = d.plan.coordinate_count;
  const int rank = d.plan.constraint_rank;
  const int free = d.plan.independent_count;
  const auto top = d.at(arrays.top);
  const auto x = d.at(arrays.solution);
  const auto y = reduced_unknowns(d, arrays, columns);
  set_zero(x, n * columns);

  if (rank > 0) solve_range(d, arrays, columns);
  if (leading.kind == LeadingKind::held_rows) {
    for (int i = 0; i < free; ++i) {
      times_held_row(d, i, x, columns, y.from(i * columns));
      for (int k = 0; k < columns; ++k)
        y[i * columns + k] = top[i * columns + k] - y[i * columns + k];
    }
  } else if (rank > 0) {
    add_product(d.at(leading.matrix), n, n, x, columns, -1.0, top);
    set_zero(y, free * columns);
    add_transposed_product(d.at(d.layout.null_space), free, n, top, columns, 1.0, y);
  } else {
    for (int i = 0; i < n * columns; ++i) y[i] = top[i];
  }
}

// The solution, and the multipliers if they are wanted, from the unknowns of the reduced system.
template <class D>
GRADUS_ROUTINE void end_solution(const D& d, const LeadingMatrix& leading,
                                 const SolveArrays& arrays, int columns) {
  const int n = d.plan.coordinate_count;
  const int free = d.plan.independent_count;
  const auto top = d.at(arrays.top);
  const auto x = d.at(arrays.solution);
  const auto y = reduced_unknowns(d, arrays, columns);
  if (d.plan.constraint_rank == 0) {
    for (int i = 0; i < n * columns; ++i) x[i] = y[i];
    return;
  }
  if (arrays.multiplier < 0)
    return add_product(d.at(d.layout.null_space), n, free, y, columns, 1.0, x);
  const auto ny = d.at(d.layout.product);
  set_zero(ny, n * columns);
  add_product(d.at(d.layout.null_space), n, free, y, columns, 1.0, ny);
  for (int i = 0; i < n * columns; ++i) x[i] += ny[i];
  // top already holds top - A x_range; take away A N y.
  add_product(d.at(leading.matrix), n, n, ny, columns, -1.0, top);
  solve_multipliers(d, arrays, columns);
}

template <class D>
GRADUS_FUNCTION void constrained_solve(const D& d, const LeadingMatrix& leading,
                                       const SolveArrays& arrays, int columns) {
  if (leading.kind == LeadingKind::saddle) return solve_saddle(d, arrays, columns);
  begin_solution(d, leading, arrays, columns);
  solve_factorised(d.at(leading.factor), d.at(leading.pivot), d.plan.independent_count,
                   reduced_unknowns(d, arrays, columns), columns);
  end_solution(d, leading, arrays, columns);
}

// The arrays for one right-hand side of the motion.
template <class D>
GRADUS_FUNCTION SolveArrays motion_arrays(const D& d, int solution, int multiplier = -1) {
  return {d.layout.top, d.layout.bottom, solution, multiplier, d.layout.scratch};
}

// The change of position that the constraints lack, held rows kept, with their factors at hand.
template <class D>
GRADUS_FUNCTION void solve_closure(const D& d) {
  const Layout& l = d.layout;
  set_zero(d.at(l.top), d.plan.independent_count);
  set_zero(d.at(l.bottom), d.plan.constraint_rank);
  add_pivot_rows(d, l.constraint, 1, -1.0, l.bottom);
  constrained_solve(d, held_leading(l), motion_arrays(d, l.solution), 1);
}

// Velocities whose held rows are those in `top` and that leave the constraints' rates zero.
template <class D>
GRADUS_FUNCTION void solve_held_velocity(const D& d) {
  const Layout& l = d.layout;
  set_zero(d.at(l.bottom), d.plan.constraint_rank);
  add_pivot_rows(d, l.constraint_time, 1, -1.0, l.bottom);
  constrained_solve(d, held_leading(l), motion_arrays(d, l.velocity), 1);
}

GRADUS_KERNELS_END
