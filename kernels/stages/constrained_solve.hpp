// The linear system every stage comes down to:
//   [A Phi_z^T; Phi_z 0] [x; multiplier] = [top; bottom],
// solved in the null space of the Jacobian, x = range part + N y, (N^T A N) y = N^T (top - A
// x_range). Redundant rows of Phi_z do no harm, no penalty enters, and one factorisation of Phi_z
// serves all stages of a step and all columns. docs/theory.md, section 7.
#pragma once

#include "kernels/core/design.hpp"
#include "kernels/math/small_solve.hpp"
#include "kernels/stages/held_rows.hpp"
#include "kernels/stages/tree_null_space.hpp"

GRADUS_KERNELS_BEGIN

// R rows and 4 Q columns of out += factor * a x, a read with the given strides; the sums stay in
// registers.
template <int R, int Q, class Array>
GRADUS_INLINE void add_product_block(const Array& a, int row_stride, int inner_stride, int inner,
                                     const Array& x, int columns, double factor, const Array& out) {
  using Real = std::decay_t<decltype(a[0])>;
  Quad<Array> sum[R][Q];
  for (int r = 0; r < R; ++r)
    for (int q = 0; q < Q; ++q) sum[r][q].set(Real(0));
  for (int k = 0; k < inner; ++k)
    for (int q = 0; q < Q; ++q) {
      Quad<Array> entries;
      entries.load(x, k * columns + 4 * q);
      for (int r = 0; r < R; ++r) sum[r][q].add(a[r * row_stride + k * inner_stride], entries);
    }
  for (int r = 0; r < R; ++r)
    for (int q = 0; q < Q; ++q) {
      Quad<Array> result;
      result.load(out, r * columns + 4 * q);
      result.add(Real(factor), sum[r][q]);
      result.store(out, r * columns + 4 * q);
    }
}

// R rows of one column.
template <int R, class Array>
GRADUS_INLINE void add_product_column(const Array& a, int row_stride, int inner_stride, int inner,
                                      const Array& x, int columns, double factor,
                                      const Array& out) {
  using Real = std::decay_t<decltype(a[0])>;
  Real sum[R];
  for (int r = 0; r < R; ++r) sum[r] = Real(0);
  for (int k = 0; k < inner; ++k)
    for (int r = 0; r < R; ++r) sum[r] += a[r * row_stride + k * inner_stride] * x[k * columns];
  for (int r = 0; r < R; ++r) out[r * columns] += Real(factor) * sum[r];
}

// Rows that are worked on together: as many sums as hide the latency of an addition. A thread of a
// device has others to turn to.
#if defined(__CUDACC__)
constexpr int kProductRows = 1;
#else
constexpr int kProductRows = 4;
#endif

// All rows of 4 Q columns, or of one if Q = 0.
template <int Q, class Array>
GRADUS_FUNCTION void add_product_strip(const Array& a, int row_stride, int inner_stride, int rows,
                                       int inner, const Array& x, int columns, double factor,
                                       const Array& out) {
  constexpr int R = Q > 0 && wide_quads<Array>(2) == 1 ? kProductRows / 2 : kProductRows;
  const int whole = rows - rows % R;
  for (int i = 0; i < rows;) {
    const auto from = a.from(i * row_stride);
    const auto to = out.from(i * columns);
    if (i < whole) {
      if constexpr (Q > 0)
        add_product_block<R, Q>(from, row_stride, inner_stride, inner, x, columns, factor, to);
      else
        add_product_column<R>(from, row_stride, inner_stride, inner, x, columns, factor, to);
      i += R;
    } else {
      if constexpr (Q > 0)
        add_product_block<1, Q>(from, row_stride, inner_stride, inner, x, columns, factor, to);
      else
        add_product_column<1>(from, row_stride, inner_stride, inner, x, columns, factor, to);
      ++i;
    }
  }
}

template <class Array>
GRADUS_FUNCTION void add_strided_product(const Array& a, int row_stride, int inner_stride, int rows,
                                         int inner, const Array& x, int columns, double factor,
                                         const Array& out) {
  const auto strip = [&](auto quads, int c) {
    add_product_strip<decltype(quads)::value>(a, row_stride, inner_stride, rows, inner, x.from(c),
                                              columns, factor, out.from(c));
  };
  int c = 0;
  constexpr int Q = wide_quads<Array>(2);
  for (; c + 4 * Q <= columns; c += 4 * Q) strip(std::integral_constant<int, Q>(), c);
  for (; c + 4 <= columns; c += 4) strip(std::integral_constant<int, 1>(), c);
  for (; c < columns; ++c) strip(std::integral_constant<int, 0>(), c);
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
GRADUS_ROUTINE RankReport<typename D::Value> split_constraints(const D& d, double time) {
  using Value = typename D::Value;
  const PlanView& plan = d.plan;
  if (is_open_tree(plan)) {
    split_tree(d);
    return {Value(1.0), Value(1.0), Value(0.0)};
  }
  const RankReport<Value> report =
      split_jacobian(d.at(d.layout.jacobian), plan.constraint_rows, plan.coordinate_count,
                     plan.constraint_rank, d.at(d.layout.reflected), d.at(d.layout.pivot),
                     d.at(d.layout.range), d.at(d.layout.null_space), d.at(d.layout.triangle));
  if (plan.constraint_rank > 0)
    d.fail(!(report.last > Value(1e-9) * report.first), Status::rank_too_low, time);
  return report;
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

// Factorises N^T A N.
template <class D>
GRADUS_FUNCTION void factorise_reduced(const D& d, const LeadingMatrix& leading, double time) {
  reduce_matrix(d, leading.matrix, leading.factor);
  d.fail(!factorise(d.at(leading.factor), d.at(leading.pivot), d.plan.independent_count),
         Status::mass_singular, time);
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
GRADUS_INLINE void put_pivot_row(const D& d, int i, const typename D::Real& value, const Array& to,
                                 int stride) {
  for_ordered_row(d, {d.plan.constraint_rank, false}, i, [&](int row, const auto& where) {
    to[row * stride] = select(where, value, to[row * stride]);
  });
}

// out [rows, columns] += factor * (rows of a [m, columns])
template <class D>
GRADUS_FUNCTION void add_rows(const D& d, const RowOrder& order, int a, int columns, double factor,
                              int out) {
  using Real = typename D::Real;
  for (int i = 0; i < order.count; ++i) {
    const auto to = d.at(out).from(i * columns);
    for_ordered_row(d, order, i, [&](int row, const auto& where) {
      const auto from = d.at(a).from(row * columns);
      for (int c = 0; c < columns; ++c)
        to[c] = select(where, to[c] + Real(factor) * from[c], to[c]);
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
    if (D::kLanes == 1 || !any(!where)) {
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

template <class D>
GRADUS_FUNCTION void add_pivot_rows_product(const D& d, int a, int x, int columns, double factor,
                                            int out) {
  add_rows_product(d, {d.plan.constraint_rank, false}, a, x, columns, factor, out);
}

// Factorises [A Phi_z^T; Phi_z -1/penalty]. The penalty stands alone on the diagonal, so that no
// product of large and small numbers is formed: digits are kept whatever it is, and redundant rows
// do no harm. docs/theory.md, section 7.
template <class D>
GRADUS_ROUTINE void factorise_saddle(const D& d, int matrix, double time) {
  using Real = typename D::Real;
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
    for (int j = 0; j < m; ++j) saddle[(n + i) * size + n + j] = Real(0);
  }
  for (int k = 0; k < d.plan.constraint_count; ++k) {
    const ConstraintEntry& e = d.plan.constraints[k];
    const double penalty = e.penalty > 0.0 ? e.penalty : d.settings.penalty;
    for (int i = n + e.row; i < n + e.row + e.rows; ++i)
      saddle[i * size + i] = Real(-1.0 / penalty);
  }
  d.fail(!factorise(saddle, d.at(d.layout.saddle_pivot), size), Status::mass_singular, time);
}

// Solves with it: top [n], bottom [m], all rows.
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

// x_range: the part of the solution that the constraints determine.
template <class D>
GRADUS_ROUTINE void solve_range(const D& d, const SolveArrays& arrays, int columns) {
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
GRADUS_ROUTINE void solve_multipliers(const D& d, const SolveArrays& arrays, int columns) {
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
    for (int j = i + 1; j < rank; ++j) {
      const Real entry = triangle[i * rank + j];
      for (int c = 0; c < columns; ++c) t[i * columns + c] -= entry * t[j * columns + c];
    }
    const Real inverse = Real(1) / triangle[i * rank + i];
    for (int c = 0; c < columns; ++c) t[i * columns + c] *= inverse;
    for_ordered_row(d, {rank, false}, i, [&](int row, const auto& where) {
      for (int c = 0; c < columns; ++c)
        multiplier[row * columns + c] =
            select(where, t[i * columns + c], multiplier[row * columns + c]);
    });
  }
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
  add_product(d.at(d.layout.null_space), n, free, y, columns, 1.0, x);
  if (arrays.multiplier < 0) return;
  // top already holds top - A x_range; take away A N y.
  const auto ny = d.at(d.layout.product);
  set_zero(ny, n * columns);
  add_product(d.at(d.layout.null_space), n, free, y, columns, 1.0, ny);
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
GRADUS_FUNCTION SolveArrays motion_arrays(const D& d) {
  return {d.layout.top, d.layout.bottom, d.layout.solution, d.layout.multiplier_change,
          d.layout.scratch};
}

// The change of position that the constraints lack, held rows kept, with their factors at hand.
template <class D>
GRADUS_FUNCTION void solve_closure(const D& d) {
  const Layout& l = d.layout;
  set_zero(d.at(l.top), d.plan.independent_count);
  set_zero(d.at(l.bottom), d.plan.constraint_rank);
  add_pivot_rows(d, l.constraint, 1, -1.0, l.bottom);
  SolveArrays arrays = motion_arrays(d);
  arrays.multiplier = -1;
  constrained_solve(d, held_leading(l), arrays, 1);
}

GRADUS_KERNELS_END
