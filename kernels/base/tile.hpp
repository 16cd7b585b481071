// Tiles of what is interleaved: [tile][entry][32]. Entry by entry, 32 designs or systems lie side
// by side, as the lanes of a warp do that work on them; what a design has lies near by, and every
// row begins at the boundary of 256 bytes. The last tile of a chunk may be filled in part only.
#pragma once

#include "kernels/base/decoration.hpp"

namespace gradus::kernels {

inline constexpr int kTile = 32;

template <class Count>
GRADUS_ALWAYS_INLINE constexpr Count tiles_of(Count count) {
  return (count + kTile - 1) / kTile;
}

// Where the first entry of number `index` lies, tiles being `pitch` numbers apart.
template <class Count>
GRADUS_ALWAYS_INLINE constexpr Count offset_in_tiles(Count index, Count pitch) {
  return index / kTile * pitch + index % kTile;
}

}  // namespace gradus::kernels
