// Small dense systems of one design: LU with row exchanges for many right-hand sides, and a
// rank-revealing orthogonal factorisation of the constraint Jacobian. Row-major views. Row numbers
// are kept as scalars, so that lanes may differ.
#pragma once

#include <type_traits>

#include "kernels/math/pack.hpp"
#include "kernels/math/quad.hpp"
#include "kernels/math/scalar.hpp"

GRADUS_KERNELS_BEGIN

// Exchanges two entries in some lanes.
template <class Array, class Mask>
GRADUS_INLINE void swap_entries(const Array& a, int i, int j, const Mask& where) {
  using Real = std::decay_t<decltype(a[0])>;
  const Real first = a[i];
  const Real second = a[j];
  a[i] = select(where, second, first);
  a[j] = select(where, first, second);
}

// Factorises a [n, n] in place, P a = L U; pivot[k] is the row exchanged with row k at step k. The
// diagonal holds the inverses of the pivots. Returns where the matrix is regular to working
// precision.
template <class Array>
GRADUS_ROUTINE auto factorise(const Array& a, const Array& pivot, int n) {
  using Real = std::decay_t<decltype(a[0])>;
  using Value = ValueOf<Real>;
  MaskOf<Real> regular(true);
  Value largest(0.0);
  for (int k = 0; k < n; ++k) {
    Value best(k);
    Value best_size = absolute(value_of(a[k * n + k]));
    for (int i = k + 1; i < n; ++i) {
      const Value size = absolute(value_of(a[i * n + k]));
      const auto larger = size > best_size;
      best_size = select(larger, size, best_size);
      best = select(larger, Value(i), best);
    }
    pivot[k] = Real(best);
    for_each_number(best, [&](int row, const auto& where) {
      if (row == k) return;
      for (int j = 0; j < n; ++j) swap_entries(a, k * n + j, row * n + j, where);
    });
    largest = select(best_size > largest, best_size, largest);
    regular = regular && best_size > Value(1e-15) * largest;
    const Real inverse = Real(1) / a[k * n + k];
    a[k * n + k] = inverse;
    for (int i = k + 1; i < n; ++i) {
      const Real factor = a[i * n + k] * inverse;
      a[i * n + k] = factor;
      for (int j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
  }
  return regular;
}

// Row i of 4 Q right-hand sides: x_i -= sum of a[i, k] x_k, k = begin, ..., end - 1, with sums that
// stay in registers; then x_i *= factor. `row` and `inner` are the strides of a.
template <int Q, class Array, class Real>
GRADUS_INLINE void eliminate_row(const Array& a, int row, int inner, int i, int begin, int end,
                                 const Array& x, int columns, const Real& factor) {
  Quad<Array> sum[Q];
  for (int q = 0; q < Q; ++q) sum[q].load(x, i * columns + 4 * q);
  for (int k = begin; k < end; ++k)
    for (int q = 0; q < Q; ++q) {
      Quad<Array> other;
      other.load(x, k * columns + 4 * q);
      sum[q].subtract(a[i * row + k * inner], other);
    }
  for (int q = 0; q < Q; ++q) {
    sum[q].scale(factor);
    sum[q].store(x, i * columns + 4 * q);
  }
}

// The same for one right-hand side (Q = 0).
template <class Array, class Real>
GRADUS_INLINE void eliminate_entry(const Array& a, int row, int inner, int i, int begin, int end,
                                   const Array& x, int columns, const Real& factor) {
  Real sum = x[i * columns];
  for (int k = begin; k < end; ++k) sum -= a[i * row + k * inner] * x[k * columns];
  x[i * columns] = factor * sum;
}

template <int Q, class Array, class Real>
GRADUS_INLINE void eliminate(const Array& a, int row, int inner, int i, int begin, int end,
                             const Array& x, int columns, const Real& factor) {
  if constexpr (Q > 0)
    eliminate_row<Q>(a, row, inner, i, begin, end, x, columns, factor);
  else
    eliminate_entry(a, row, inner, i, begin, end, x, columns, factor);
}

// L U x = x for 4 Q columns of x [n, columns], or one if Q = 0.
template <int Q, class Array>
GRADUS_FUNCTION void substitute(const Array& a, int n, const Array& x, int columns) {
  using Real = std::decay_t<decltype(a[0])>;
  for (int i = 1; i < n; ++i) eliminate<Q>(a, n, 1, i, 0, i, x, columns, Real(1));
  for (int i = n - 1; i >= 0; --i)
    eliminate<Q>(a, n, 1, i, i + 1, n, x, columns, Real(a[i * n + i]));
}

// (L U)^T x = x likewise.
template <int Q, class Array>
GRADUS_FUNCTION void substitute_transposed(const Array& a, int n, const Array& x, int columns) {
  using Real = std::decay_t<decltype(a[0])>;
  for (int i = 0; i < n; ++i) eliminate<Q>(a, 1, n, i, 0, i, x, columns, Real(a[i * n + i]));
  for (int i = n - 2; i >= 0; --i) eliminate<Q>(a, 1, n, i, i + 1, n, x, columns, Real(1));
}

template <class Array>
GRADUS_FUNCTION void exchange_rows(const Array& pivot, int k, const Array& x, int columns) {
  for_each_number(value_of(pivot[k]), [&](int row, const auto& where) {
    if (row == k) return;
    for (int c = 0; c < columns; ++c) swap_entries(x, k * columns + c, row * columns + c, where);
  });
}

// Quads of columns that go through the registers together. A number with lanes of its own fills a
// register alone.
template <class Array>
GRADUS_CONSTANT int wide_quads(int wide) {
  return ScalarTraits<std::decay_t<decltype(std::declval<Array>()[0])>>::kLanes > 1 ? 1 : wide;
}

// Solves for `columns` right-hand sides x [n, columns], in place.
template <class Array>
GRADUS_FUNCTION void solve_factorised(const Array& a, const Array& pivot, int n, const Array& x,
                                      int columns) {
  for (int k = 0; k < n; ++k) exchange_rows(pivot, k, x, columns);
  int c = 0;
  constexpr int Q = wide_quads<Array>(4);
  for (; c + 4 * Q <= columns; c += 4 * Q) substitute<Q>(a, n, x.from(c), columns);
  for (; c + 4 <= columns; c += 4) substitute<1>(a, n, x.from(c), columns);
  for (; c < columns; ++c) substitute<0>(a, n, x.from(c), columns);
}

// Solves a^T x = b with what factorise() left of a, in place.
template <class Array>
GRADUS_FUNCTION void solve_factorised_transposed(const Array& a, const Array& pivot, int n,
                                                 const Array& x, int columns) {
  int c = 0;
  for (; c + 4 <= columns; c += 4) substitute_transposed<1>(a, n, x.from(c), columns);
  for (; c < columns; ++c) substitute_transposed<0>(a, n, x.from(c), columns);
  for (int k = n - 1; k >= 0; --k) exchange_rows(pivot, k, x, columns);
}

// What the rank-revealing factorisation found, as magnitudes: first and last pivot, and what is
// left beyond.
template <class Value>
struct RankReport {
  Value first, last, beyond;
};
template <class Value>
GRADUS_FUNCTION RankReport<Value> select(const MaskOf<Value>& where, const RankReport<Value>& a,
                                         const RankReport<Value>& b) {
  return {select(where, a.first, b.first), select(where, a.last, b.last),
          select(where, a.beyond, b.beyond)};
}

// Calls work(quads, singles) for a strip of `width` columns, from 4 Q to 4 Most + 3: as many quads
// as there are and what is left, both as constants of their types.
template <int Q, int Most, class Work>
GRADUS_FUNCTION void with_strip(int width, const Work& work) {
  if constexpr (Q < Most)
    if (width >= 4 * Q + 4) return with_strip<Q + 1, Most>(width, work);
  constexpr std::integral_constant<int, Q> quads;
  switch (width - 4 * Q) {
    case 0:
      if constexpr (Q > 0) work(quads, std::integral_constant<int, 0>());
      return;
    case 1:
      return work(quads, std::integral_constant<int, 1>());
    case 2:
      return work(quads, std::integral_constant<int, 2>());
    default:
      return work(quads, std::integral_constant<int, 3>());
  }
}

// Calls work(first, quads, singles) for strips of neighbouring columns from `begin` to `end`. The
// sums of a strip are formed together, so that none waits for its own last addition.
template <int Most, class Work>
GRADUS_FUNCTION void for_each_strip(int begin, int end, const Work& work) {
  int j = begin;
  for (; end - j >= 4 * Most + 4; j += 4 * Most)
    work(j, std::integral_constant<int, Most>(), std::integral_constant<int, 0>());
  with_strip<0, Most>(end - j, [&](auto quads, auto singles) { work(j, quads, singles); });
}

// Quads in the widest strip of sums.
template <class Array>
GRADUS_CONSTANT int strip_quads() {
  using Real = std::decay_t<decltype(std::declval<Array>()[0])>;
  return std::is_same_v<Real, double> ? wide_quads<Array>(4) : 1;
}

// Reflects 4 Q + C columns of x [n, columns] at the Householder vector below entry k of column k of
// `reflected` [n, m].
template <int Q, int C, class Array, class Real>
GRADUS_INLINE void reflect_strip(const Array& reflected, int m, int n, int k, const Real& factor,
                                 const Array& x, int columns) {
  Quad<Array> sum[Q + 1], entries;
  Real single[C + 1];
  for (int q = 0; q < Q; ++q) sum[q].load(x, k * columns + 4 * q);
  for (int c = 0; c < C; ++c) single[c] = x[k * columns + 4 * Q + c];
  for (int i = k + 1; i < n; ++i) {
    const Real entry = reflected[i * m + k];
    for (int q = 0; q < Q; ++q) {
      entries.load(x, i * columns + 4 * q);
      sum[q].add(entry, entries);
    }
    for (int c = 0; c < C; ++c) single[c] += entry * x[i * columns + 4 * Q + c];
  }
  for (int q = 0; q < Q; ++q) sum[q].scale(factor);
  for (int c = 0; c < C; ++c) single[c] *= factor;
  for (int i = k; i < n; ++i) {
    const Real entry = i == k ? Real(1) : reflected[i * m + k];
    for (int q = 0; q < Q; ++q) {
      entries.load(x, i * columns + 4 * q);
      entries.subtract(entry, sum[q]);
      entries.store(x, i * columns + 4 * q);
    }
    for (int c = 0; c < C; ++c) x[i * columns + 4 * Q + c] -= entry * single[c];
  }
}

// The same for columns first, ..., columns - 1.
template <class Array, class Real>
GRADUS_FUNCTION void reflect(const Array& reflected, int m, int n, int k, const Real& factor,
                             const Array& x, int first, int columns) {
  for_each_strip<strip_quads<Array>()>(first, columns, [&](int j, auto quads, auto singles) {
    reflect_strip<decltype(quads)::value, decltype(singles)::value>(reflected, m, n, k, factor,
                                                                    x.from(j), columns);
  });
}

// Factorises J^T [n, m] = [range null_space] [triangle; 0] with `rank` steps, choosing at each step
// the row of J that is least dependent on those before it (pivot[k]: its number). J [m, n] is left
// alone, `reflected` [n, m] is scratch. range [n, rank] and null_space [n, n - rank] have
// orthonormal columns; J null_space = 0 for consistent redundant rows. The diagonal of the triangle
// holds the inverses of its entries.
template <class Array>
GRADUS_ROUTINE auto split_jacobian(const Array& jacobian, int m, int n, int rank,
                                   const Array& reflected, const Array& pivot, const Array& range,
                                   const Array& null_space, const Array& triangle) {
  using Real = std::decay_t<decltype(jacobian[0])>;
  using Value = ValueOf<Real>;
  RankReport<Value> report{Value(0.0), Value(0.0), Value(0.0)};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) reflected[i * m + j] = jacobian[j * n + i];
  for (int j = 0; j < m; ++j) pivot[j] = Real(j);

  const auto largest_row = [&](int k, Value& size) {
    Value best(k);
    size = Value(-1.0);
    for_each_strip<strip_quads<Array>()>(k, m, [&](int j, auto quads, auto singles) {
      constexpr int kWidth = 4 * decltype(quads)::value + decltype(singles)::value;
      Value sum[kWidth];
      for (int t = 0; t < kWidth; ++t) sum[t] = Value(0.0);
      for (int i = k; i < n; ++i)
        for (int t = 0; t < kWidth; ++t)
          sum[t] += value_of(reflected[i * m + j + t]) * value_of(reflected[i * m + j + t]);
      for (int t = 0; t < kWidth; ++t) {
        const auto larger = sum[t] > size;
        size = select(larger, sum[t], size);
        best = select(larger, Value(j + t), best);
      }
    });
    size = sqrt(select(size > Value(0.0), size, Value(0.0)));
    return best;
  };

  for (int k = 0; k < rank; ++k) {
    Value size(0.0);
    const Value best = largest_row(k, size);
    if (k == 0) report.first = size;
    report.last = size;
    for_each_number(best, [&](int row, const auto& where) {
      if (row == k) return;
      swap_entries(pivot, k, row, where);
      for (int i = 0; i < n; ++i) swap_entries(reflected, i * m + k, i * m + row, where);
    });
    // Householder vector v with v_k = 1, kept below the diagonal; its factor kept in triangle until
    // R is copied.
    Real norm;
    if constexpr (std::is_same_v<Real, Value>) {
      norm = size;
    } else {
      norm = Real(0);
      for (int i = k; i < n; ++i) norm += square(reflected[i * m + k]);
      norm = sqrt(norm);
    }
    const Real head = reflected[k * m + k];
    const Real diagonal = select(value_of(head) > Value(0.0), -norm, norm);
    const Real inverse = Real(1) / (head - diagonal);
    const Real factor = (diagonal - head) / diagonal;
    for (int i = k + 1; i < n; ++i) reflected[i * m + k] *= inverse;
    reflected[k * m + k] = diagonal;
    triangle[k * rank + k] = factor;
    reflect(reflected, m, n, k, factor, reflected, k + 1, m);
  }
  if (rank < m && rank < n) largest_row(rank, report.beyond);

  // Orthogonal factor. Columns of the range before k still have nothing below row k.
  const int free = n - rank;
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < rank; ++c) range[i * rank + c] = Real(i == c ? 1 : 0);
    for (int c = 0; c < free; ++c) null_space[i * free + c] = Real(i == rank + c ? 1 : 0);
  }
  for (int k = rank - 1; k >= 0; --k) {
    const Real factor = triangle[k * rank + k];
    reflect(reflected, m, n, k, factor, range, k, rank);
    reflect(reflected, m, n, k, factor, null_space, 0, free);
  }
  for (int i = 0; i < rank; ++i) {
    triangle[i * rank + i] = Real(1) / reflected[i * m + i];
    for (int j = i + 1; j < rank; ++j) triangle[i * rank + j] = reflected[i * m + j];
  }
  return report;
}

GRADUS_KERNELS_END
