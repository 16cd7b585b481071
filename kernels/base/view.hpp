// Arrays as kernels see them: a pointer to the first entry, no owner. Alone in its chunk, a
// design's entries are contiguous; in a chunk of many they lie in a tile.
#pragma once

#include <cstddef>

#include "kernels/base/decoration.hpp"
#include "kernels/base/tile.hpp"

GRADUS_KERNELS_BEGIN

template <class Real, bool kInterleaved>
struct View {
  static constexpr std::ptrdiff_t kStride = kInterleaved ? kTile : 1;
  Real* data;

  View() = default;
  GRADUS_INLINE explicit View(Real* start) : data(start) {}
  GRADUS_INLINE Real& operator[](int i) const { return data[i * kStride]; }
  GRADUS_INLINE View from(int i) const { return View(data + i * kStride); }
};

GRADUS_KERNELS_END
