// Solutions with the factors of lu.hpp and ldlt.hpp. Columns are independent: each lane of a team
// takes its own, and no lane waits for another. Every entry meets the operations of
// solve_factorised() in kernels/math/small_solve.hpp in the same order.
#pragma once

#include "kernels/linear/team.hpp"
#include "kernels/math/small_solve.hpp"

GRADUS_KERNELS_BEGIN

// Loops over registers are unrolled on the device; on the host the compiler decides.
#if defined(__CUDA_ARCH__)
#define GRADUS_UNROLL _Pragma("unroll")
#else
#define GRADUS_UNROLL
#endif

enum class Factors : int { lu, lu_transposed, ldlt };

// Solves in place for one column x, of which the first n entries count. kRows > 0: n is at most
// kRows, and all loops can be unrolled, so that x stays in registers. The rows of x are already
// exchanged.
template <int kRows, class Matrix, class Column>
GRADUS_FUNCTION void substitute_column(Factors kind, const Matrix& a, int n, Column& x) {
  using Real = std::decay_t<decltype(x[0])>;
  // Which triangles lie transposed: that of the way down, that of the way up.
  const bool down = kind != Factors::lu;
  const bool up = kind == Factors::lu_transposed;
  const int rows = kRows > 0 ? kRows : n;
  GRADUS_UNROLL
  for (int i = 0; i < rows; ++i) {
    if (i >= n) continue;
    Real sum = x[i];
    GRADUS_UNROLL
    for (int k = 0; k < i; ++k) sum -= (down ? a(k, i) : a(i, k)) * x[k];
    x[i] = up ? a(i, i) * sum : sum;
  }
  GRADUS_UNROLL
  for (int i = rows - 1; i >= 0; --i) {
    if (i >= n) continue;
    Real sum = kind == Factors::ldlt ? a(i, i) * x[i] : x[i];
    GRADUS_UNROLL
    for (int k = i + 1; k < rows; ++k)
      if (k < n) sum -= (up ? a(k, i) : a(i, k)) * x[k];
    x[i] = kind == Factors::lu ? a(i, i) * sum : sum;
  }
}

template <class Array>
GRADUS_INLINE void exchange(const Array& a, int i, int j) {
  const auto held = a[i];
  a[i] = a[j];
  a[j] = held;
}

// The order in which pivots leave the rows: row i of P b is row order[i] of b. By one lane; the
// others see it after the barrier.
template <class Team, class Pivot, class Order>
GRADUS_FUNCTION void find_order(const Team& team, const Pivot& pivot, const Order& order, int n) {
  if (team.rank() == 0) {
    for (int i = 0; i < n; ++i) order[i] = i;
    for (int k = 0; k < n; ++k) exchange(order, k, static_cast<int>(pivot[k]));
  }
  team.barrier();
}

// Streams the columns begin, ..., end - 1 through the factors. A lane asks source(row, column) for
// the entries of a right-hand side, which may so be formed on the way, keeps the column in
// registers, and hands the solution to sink(row, column, value). For ldlt, `order` is 0, 1, ...
template <int kRows, class Team, class Matrix, class Order, class Source, class Sink>
GRADUS_FUNCTION void stream_columns(const Team& team, Factors kind, const Matrix& a,
                                    const Order& order, int n, int begin, int end,
                                    const Source& source, const Sink& sink) {
  using Real = std::decay_t<decltype(a(0, 0))>;
  const bool transposed = kind == Factors::lu_transposed;
  for (int c = begin + team.rank(); c < end; c += team.size()) {
    Real x[kRows];
    GRADUS_UNROLL
    for (int i = 0; i < kRows; ++i) x[i] = i < n ? source(transposed ? i : order[i], c) : Real(0);
    substitute_column<kRows>(kind, a, n, x);
    GRADUS_UNROLL
    for (int i = 0; i < kRows; ++i)
      if (i < n) sink(transposed ? order[i] : i, c, x[i]);
  }
}

// A column of a row-major array.
template <class Array>
struct ColumnOf {
  Array x;
  int columns;
  GRADUS_INLINE auto& operator[](int i) const { return x[i * columns]; }
};

// Solves in place for one column in memory, with its exchanges.
template <class Matrix, class Pivot, class Column>
GRADUS_FUNCTION void solve_column(Factors kind, const Matrix& a, const Pivot& pivot, int n,
                                  const Column& x) {
  if (kind == Factors::lu)
    for (int k = 0; k < n; ++k) exchange(x, k, static_cast<int>(pivot[k]));
  substitute_column<0>(kind, a, n, x);
  if (kind == Factors::lu_transposed)
    for (int k = n - 1; k >= 0; --k) exchange(x, k, static_cast<int>(pivot[k]));
}

// 4 Q columns at once (one if Q = 0) for ldlt.
template <int Q, class Array>
GRADUS_FUNCTION void substitute_ldlt(const Array& a, int n, const Array& x, int columns) {
  using Real = std::decay_t<decltype(a[0])>;
  for (int i = 1; i < n; ++i) eliminate<Q>(a, 1, n, i, 0, i, x, columns, Real(1));
  for (int i = n - 1; i >= 0; --i) {
    for (int c = 0; c < (Q > 0 ? 4 * Q : 1); ++c) x[i * columns + c] *= a[i * n + i];
    eliminate<Q>(a, n, 1, i, i + 1, n, x, columns, Real(1));
  }
}

template <class Array>
GRADUS_FUNCTION void solve_factorised_ldlt(const Array& a, int n, const Array& x, int columns) {
  int c = 0;
  for (; c + 16 <= columns; c += 16) substitute_ldlt<4>(a, n, x.from(c), columns);
  for (; c + 4 <= columns; c += 4) substitute_ldlt<1>(a, n, x.from(c), columns);
  for (; c < columns; ++c) substitute_ldlt<0>(a, n, x.from(c), columns);
}

// Solves in place for all columns of x [n, columns], which stay in memory: systems of any size. A
// team of one takes several columns at once.
template <class Team, class Matrix, class Pivot, class Array>
GRADUS_FUNCTION void solve_in_place(const Team& team, Factors kind, const Matrix& a,
                                    const Pivot& pivot, int n, const Array& x, int columns) {
  if constexpr (Team::kAlone) {
    if (kind == Factors::lu) return solve_factorised(a, pivot, n, x, columns);
    if (kind == Factors::ldlt) return solve_factorised_ldlt(a, n, x, columns);
    return solve_factorised_transposed(a, pivot, n, x, columns);
  }
  for (int c = team.rank(); c < columns; c += team.size())
    solve_column(kind, Square<Matrix>{a, n}, pivot, n, ColumnOf<Array>{x.from(c), columns});
}

GRADUS_KERNELS_END
