// Small dense systems of one design: LU with row exchanges for many right-hand sides, and a
// rank-revealing orthogonal factorisation of the constraint Jacobian. Row-major views. Row numbers
// are kept as scalars, so that lanes may differ.
#pragma once

#include "kernels/math/scalar.hpp"

GRADUS_KERNELS_BEGIN

template <class Real>
GRADUS_FUNCTION int as_index(const Real& x) {
  return static_cast<int>(value_of(x));
}

template <class Array>
GRADUS_FUNCTION void swap_entries(const Array& a, int i, int j) {
  const auto held = a[i];
  a[i] = a[j];
  a[j] = held;
}

// Factorises a [n, n] in place; pivot[k] is the row exchanged with row k at step k, multipliers of
// earlier steps staying where they are. The diagonal holds the inverses of the pivots. Returns
// false if the matrix is singular to working precision.
template <class Array>
GRADUS_FUNCTION bool factorise(const Array& a, const Array& pivot, int n) {
  using Real = std::decay_t<decltype(a[0])>;
  bool regular = true;
  double largest = 0.0;
  for (int k = 0; k < n; ++k) {
    int best = k;
    double best_size = absolute(value_of(a[k * n + k]));
    for (int i = k + 1; i < n; ++i) {
      const double size = absolute(value_of(a[i * n + k]));
      if (size > best_size) {
        best_size = size;
        best = i;
      }
    }
    pivot[k] = Real(best);
    if (best != k)
      for (int j = k; j < n; ++j) swap_entries(a, k * n + j, best * n + j);
    largest = best_size > largest ? best_size : largest;
    regular = regular && best_size > 1e-15 * largest;
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

// Solves for `columns` right-hand sides x [n, columns], in place.
template <class Array>
GRADUS_FUNCTION void solve_factorised(const Array& a, const Array& pivot, int n, const Array& x,
                                      int columns) {
  for (int k = 0; k < n; ++k) {
    const int row = as_index(pivot[k]);
    if (row != k)
      for (int c = 0; c < columns; ++c) swap_entries(x, k * columns + c, row * columns + c);
    for (int i = k + 1; i < n; ++i) {
      const auto factor = a[i * n + k];
      for (int c = 0; c < columns; ++c) x[i * columns + c] -= factor * x[k * columns + c];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int i = k + 1; i < n; ++i) {
      const auto factor = a[k * n + i];
      for (int c = 0; c < columns; ++c) x[k * columns + c] -= factor * x[i * columns + c];
    }
    const auto inverse = a[k * n + k];
    for (int c = 0; c < columns; ++c) x[k * columns + c] *= inverse;
  }
}

// What the rank-revealing factorisation found, as magnitudes: first and last pivot, and what is
// left beyond.
struct RankReport {
  double first, last, beyond;
};

// Factorises J^T [n, m] = [range null_space] [triangle; 0] with `rank` steps, choosing at each step
// the row of J that is least dependent on those before it (pivot[k]: its number). J [m, n] is left
// alone, `reflected` [n, m] is scratch. range [n, rank] and null_space [n, n - rank] have
// orthonormal columns; J null_space = 0 for consistent redundant rows.
template <class Array>
GRADUS_FUNCTION RankReport split_jacobian(const Array& jacobian, int m, int n, int rank,
                                          const Array& reflected, const Array& pivot,
                                          const Array& range, const Array& null_space,
                                          const Array& triangle) {
  using Real = std::decay_t<decltype(jacobian[0])>;
  RankReport report{0.0, 0.0, 0.0};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) reflected[i * m + j] = jacobian[j * n + i];
  for (int j = 0; j < m; ++j) pivot[j] = Real(j);

  const auto largest_row = [&](int k, double& size) {
    int best = k;
    size = -1.0;
    for (int j = k; j < m; ++j) {
      double sum = 0.0;
      for (int i = k; i < n; ++i)
        sum += value_of(reflected[i * m + j]) * value_of(reflected[i * m + j]);
      if (sum > size) {
        size = sum;
        best = j;
      }
    }
    size = size > 0.0 ? sqrt(size) : 0.0;
    return best;
  };

  for (int k = 0; k < rank; ++k) {
    double size = 0.0;
    const int best = largest_row(k, size);
    if (k == 0) report.first = size;
    report.last = size;
    if (best != k) {
      swap_entries(pivot, k, best);
      for (int i = 0; i < n; ++i) swap_entries(reflected, i * m + k, i * m + best);
    }
    // Householder vector v with v_k = 1, kept below the diagonal; its factor kept in triangle until
    // R is copied.
    Real norm2 = Real(0);
    for (int i = k; i < n; ++i) norm2 += square(reflected[i * m + k]);
    const Real head = reflected[k * m + k];
    const Real norm = sqrt(norm2);
    const Real diagonal = select(value_of(head) > 0.0, -norm, norm);
    const Real inverse = Real(1) / (head - diagonal);
    const Real factor = (diagonal - head) / diagonal;
    for (int i = k + 1; i < n; ++i) reflected[i * m + k] *= inverse;
    reflected[k * m + k] = diagonal;
    triangle[k * rank + k] = factor;
    for (int j = k + 1; j < m; ++j) {
      Real sum = reflected[k * m + j];
      for (int i = k + 1; i < n; ++i) sum += reflected[i * m + k] * reflected[i * m + j];
      sum *= factor;
      reflected[k * m + j] -= sum;
      for (int i = k + 1; i < n; ++i) reflected[i * m + j] -= sum * reflected[i * m + k];
    }
  }
  if (rank < m && rank < n) largest_row(rank, report.beyond);

  // Orthogonal factor, column by column.
  const int free = n - rank;
  for (int c = 0; c < n; ++c) {
    const auto q = c < rank ? range.from(c) : null_space.from(c - rank);
    const int width = c < rank ? rank : free;
    for (int i = 0; i < n; ++i) q[i * width] = Real(i == c ? 1 : 0);
    for (int k = rank - 1; k >= 0; --k) {
      Real sum = q[k * width];
      for (int i = k + 1; i < n; ++i) sum += reflected[i * m + k] * q[i * width];
      sum *= triangle[k * rank + k];
      q[k * width] -= sum;
      for (int i = k + 1; i < n; ++i) q[i * width] -= sum * reflected[i * m + k];
    }
  }
  for (int i = 0; i < rank; ++i)
    for (int j = i; j < rank; ++j) triangle[i * rank + j] = reflected[i * m + j];
  return report;
}

GRADUS_KERNELS_END
