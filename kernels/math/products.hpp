// Products of small dense matrices.
#pragma once

#include "kernels/math/small_solve.hpp"

GRADUS_KERNELS_BEGIN

// R rows and 4 Q columns of out += factor * a x, a read with the given strides; the sums stay in
// registers.
template <int R, int Q, class Array, class Factor>
GRADUS_INLINE void add_product_block(const Array& a, int row_stride, int inner_stride, int inner,
                                     const Array& x, int columns, const Factor& factor,
                                     const Array& out) {
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

// R rows and C < 4 columns.
template <int R, int C, class Array, class Factor>
GRADUS_INLINE void add_product_rest(const Array& a, int row_stride, int inner_stride, int inner,
                                    const Array& x, int columns, const Factor& factor,
                                    const Array& out) {
  using Real = std::decay_t<decltype(a[0])>;
  Real sum[R][C];
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C; ++c) sum[r][c] = Real(0);
  for (int k = 0; k < inner; ++k)
    for (int r = 0; r < R; ++r) {
      const Real entry = a[r * row_stride + k * inner_stride];
      for (int c = 0; c < C; ++c) sum[r][c] += entry * x[k * columns + c];
    }
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C; ++c) out[r * columns + c] += Real(factor) * sum[r][c];
}

// Rows and columns that are worked on together: as many sums as hide the latency of an addition. A
// thread of a device has others to turn to.
#if defined(__CUDACC__)
constexpr int kProductRows = 1;
constexpr int kProductRest = 1;
#else
constexpr int kProductRows = 4;
constexpr int kProductRest = 3;
#endif

// All rows of 4 Q columns, or of C if Q = 0.
template <int Q, int C, class Array, class Factor>
GRADUS_FUNCTION void add_product_strip(const Array& a, int row_stride, int inner_stride, int rows,
                                       int inner, const Array& x, int columns, const Factor& factor,
                                       const Array& out) {
  constexpr bool is_wide = Q > 0 ? wide_quads<Array>(2) == 1 : C > 1;
  constexpr int R = is_wide && kProductRows > 1 ? kProductRows / 2 : kProductRows;
  const int whole = rows - rows % R;
  for (int i = 0; i < rows;) {
    const auto from = a.from(i * row_stride);
    const auto to = out.from(i * columns);
    if (i < whole) {
      if constexpr (Q > 0)
        add_product_block<R, Q>(from, row_stride, inner_stride, inner, x, columns, factor, to);
      else
        add_product_rest<R, C>(from, row_stride, inner_stride, inner, x, columns, factor, to);
      i += R;
    } else {
      if constexpr (Q > 0)
        add_product_block<1, Q>(from, row_stride, inner_stride, inner, x, columns, factor, to);
      else
        add_product_rest<1, C>(from, row_stride, inner_stride, inner, x, columns, factor, to);
      ++i;
    }
  }
}

// One column, four rows at once: the sums of neighbouring rows are a quad.
template <class Array, class Factor>
GRADUS_FUNCTION void add_column_product(const Array& a, int row_stride, int inner_stride, int rows,
                                        int inner, const Array& x, const Factor& factor,
                                        const Array& out) {
  using Real = std::decay_t<decltype(a[0])>;
  int i = 0;
  for (; i + 4 <= rows; i += 4) {
    const auto from = a.from(i * row_stride);
    Quad<Array> sum, entries;
    sum.set(Real(0));
    for (int k = 0; k < inner; ++k) {
      if (row_stride == 1)
        entries.load(from, k * inner_stride);
      else
        entries.gather(from, k * inner_stride, row_stride);
      sum.add(x[k], entries);
    }
    entries.load(out, i);
    entries.add(Real(factor), sum);
    entries.store(out, i);
  }
  const auto rest = [&](auto count) {
    add_product_rest<decltype(count)::value, 1>(a.from(i * row_stride), row_stride, inner_stride,
                                                inner, x, 1, factor, out.from(i));
  };
  if (rows - i == 3) return rest(std::integral_constant<int, 3>());
  if (rows - i == 2) return rest(std::integral_constant<int, 2>());
  if (rows - i == 1) rest(std::integral_constant<int, 1>());
}

template <class Array, class Factor>
GRADUS_FUNCTION void add_strided_product(const Array& a, int row_stride, int inner_stride, int rows,
                                         int inner, const Array& x, int columns,
                                         const Factor& factor, const Array& out) {
  if (kProductRows > 1 && columns == 1)
    return add_column_product(a, row_stride, inner_stride, rows, inner, x, factor, out);
  const auto strip = [&](auto quads, auto rest, int c) {
    add_product_strip<decltype(quads)::value, decltype(rest)::value>(
        a, row_stride, inner_stride, rows, inner, x.from(c), columns, factor, out.from(c));
  };
  constexpr std::integral_constant<int, 0> none;
  constexpr std::integral_constant<int, 1> one;
  int c = 0;
  constexpr int Q = wide_quads<Array>(2);
  for (; c + 4 * Q <= columns; c += 4 * Q) strip(std::integral_constant<int, Q>(), none, c);
  for (; c + 4 <= columns; c += 4) strip(one, none, c);
  if constexpr (kProductRest == 3) {
    if (columns - c == 3) return strip(none, std::integral_constant<int, 3>(), c);
    if (columns - c == 2) return strip(none, std::integral_constant<int, 2>(), c);
  }
  for (; c < columns; ++c) strip(none, one, c);
}

// out [rows, columns] += factor * a [rows, inner] * x [inner, columns]
template <class Array, class Factor>
GRADUS_FUNCTION void add_product(const Array& a, int rows, int inner, const Array& x, int columns,
                                 const Factor& factor, const Array& out) {
  add_strided_product(a, inner, 1, rows, inner, x, columns, factor, out);
}

// The same with a transposed: a [inner, rows].
template <class Array, class Factor>
GRADUS_FUNCTION void add_transposed_product(const Array& a, int rows, int inner, const Array& x,
                                            int columns, const Factor& factor, const Array& out) {
  add_strided_product(a, 1, rows, rows, inner, x, columns, factor, out);
}

GRADUS_KERNELS_END
