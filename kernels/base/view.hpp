// Arrays as kernels see them: a pointer and the distance between consecutive entries, no owner.
// Alone in its chunk, a design's entries are contiguous; in a chunk of many they are interleaved,
// the design index running fastest.
#pragma once

#include <cstddef>

#include "kernels/base/decoration.hpp"

GRADUS_KERNELS_BEGIN

template <class Real, bool kInterleaved>
struct View;

template <class Real>
struct View<Real, false> {
  Real* data;

  View() = default;
  GRADUS_INLINE View(Real* start, std::ptrdiff_t) : data(start) {}
  GRADUS_INLINE Real& operator[](int i) const { return data[i]; }
  GRADUS_INLINE View from(int i) const { return View(data + i, 1); }
};

template <class Real>
struct View<Real, true> {
  Real* data;
  std::ptrdiff_t stride;

  View() = default;
  GRADUS_INLINE View(Real* start, std::ptrdiff_t distance) : data(start), stride(distance) {}
  GRADUS_INLINE Real& operator[](int i) const { return data[i * stride]; }
  GRADUS_INLINE View from(int i) const { return View(data + i * stride, stride); }
};

GRADUS_KERNELS_END
