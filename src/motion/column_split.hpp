// How the columns of designs are spread over the threads of a device, and over runs of the motion
// where its memory does not hold all of them.
#pragma once

#include <cstddef>

#include "src/motion/request.hpp"

namespace gradus {

struct ColumnSplit {
  int width = 0;           // columns of a slice
  std::size_t slices = 1;  // of all columns
  // Slices share one motion; else each has a run of its own, as blocks on the host do.
  bool shares_motion = false;
};

// So many threads fill a device.
inline constexpr std::size_t kFullDevice = 16384;

// `apart`: a solver outside the kernels serves either one slice of each design, or one design.
ColumnSplit split_columns(const MotionRequest& request, bool apart = false);

// What travels together.
struct ChunkSize {
  std::size_t designs;
  std::size_t slices;
};

// As many designs as fit into `available` scalars with all their columns, else one with as many
// slices as fit, all in whole tiles. `shared` and `slice` are the scalars of a design and of a
// slice.
ChunkSize choose_chunk(const ColumnSplit& split, std::size_t designs, std::size_t available,
                       std::size_t shared, std::size_t slice);

}  // namespace gradus
