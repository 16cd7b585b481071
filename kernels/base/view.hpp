// Arrays as kernels see them: a pointer to the first entry, no owner. Alone in its chunk, a
// design's entries are contiguous; in a chunk of many they lie in a tile, in a pack between those
// of other lanes.
#pragma once

#include <cstddef>

#include "kernels/base/decoration.hpp"
#include "kernels/base/tile.hpp"

GRADUS_KERNELS_BEGIN

template <class Real, std::ptrdiff_t kStride>
struct StridedView {
  Real* data;

  StridedView() = default;
  GRADUS_INLINE explicit StridedView(Real* start) : data(start) {}
  GRADUS_INLINE Real& operator[](int i) const { return data[i * kStride]; }
  GRADUS_INLINE StridedView from(int i) const { return StridedView(data + i * kStride); }
};

template <class Real, bool kInterleaved>
using View = StridedView<Real, kInterleaved ? kTile : 1>;

GRADUS_KERNELS_END
