// Four neighbouring entries of a row, which go through the same arithmetic: on the host one or two
// vector registers, elsewhere four numbers. Each entry meets the same operations in the same order
// as it would alone.
#pragma once

#include <type_traits>
#include <utility>

#include "kernels/base/view.hpp"

#if !defined(__CUDACC__)
#include <cstring>
#endif

GRADUS_KERNELS_BEGIN

template <class Array>
struct Quad {
  using Real = std::decay_t<decltype(std::declval<Array>()[0])>;
  Real entry[4];

  GRADUS_INLINE void set(const Real& value) {
    for (int w = 0; w < 4; ++w) entry[w] = value;
  }
  GRADUS_INLINE void load(const Array& a, int i) {
    for (int w = 0; w < 4; ++w) entry[w] = a[i + w];
  }
  // Entries i, i + stride, ...
  GRADUS_INLINE void gather(const Array& a, int i, int stride) {
    for (int w = 0; w < 4; ++w) entry[w] = a[i + w * stride];
  }
  GRADUS_INLINE void store(const Array& a, int i) const {
    for (int w = 0; w < 4; ++w) a[i + w] = entry[w];
  }
  // this += factor * x, this -= factor * x, this *= factor
  GRADUS_INLINE void add(const Real& factor, const Quad& x) {
    for (int w = 0; w < 4; ++w) entry[w] += factor * x.entry[w];
  }
  GRADUS_INLINE void subtract(const Real& factor, const Quad& x) {
    for (int w = 0; w < 4; ++w) entry[w] -= factor * x.entry[w];
  }
  GRADUS_INLINE void scale(const Real& factor) {
    for (int w = 0; w < 4; ++w) entry[w] *= factor;
  }
};

#if !defined(__CUDACC__)
// In vectors of the width that the processor at hand is compiled for.
template <>
struct Quad<View<double, false>> {
#if defined(__AVX__)
  static constexpr int kWidth = 4;
#else
  static constexpr int kWidth = 2;
#endif
  typedef double Vector __attribute__((vector_size(kWidth * sizeof(double))));
  static constexpr int kCount = 4 / kWidth;
  Vector part[kCount];

  GRADUS_INLINE void set(double value) {
    for (int v = 0; v < kCount; ++v) part[v] = Vector{} + value;
  }
  GRADUS_INLINE void load(const View<double, false>& a, int i) {
    for (int v = 0; v < kCount; ++v) std::memcpy(&part[v], a.data + i + v * kWidth, sizeof(Vector));
  }
  GRADUS_INLINE void gather(const View<double, false>& a, int i, int stride) {
    const double* const from = a.data + i;
#if defined(__AVX__)
    part[0] = Vector{from[0], from[stride], from[2 * stride], from[3 * stride]};
#else
    part[0] = Vector{from[0], from[stride]};
    part[1] = Vector{from[2 * stride], from[3 * stride]};
#endif
  }
  GRADUS_INLINE void store(const View<double, false>& a, int i) const {
    for (int v = 0; v < kCount; ++v) std::memcpy(a.data + i + v * kWidth, &part[v], sizeof(Vector));
  }
  GRADUS_INLINE void add(double factor, const Quad& x) {
    for (int v = 0; v < kCount; ++v) part[v] += factor * x.part[v];
  }
  GRADUS_INLINE void subtract(double factor, const Quad& x) {
    for (int v = 0; v < kCount; ++v) part[v] -= factor * x.part[v];
  }
  GRADUS_INLINE void scale(double factor) {
    for (int v = 0; v < kCount; ++v) part[v] *= factor;
  }
};
#endif

GRADUS_KERNELS_END
