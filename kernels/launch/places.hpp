// How often a body runs where designs are interleaved: once for every design, for every slice of
// the columns of every design, or once for all of them.
#pragma once

#include <type_traits>

#include "kernels/core/arguments.hpp"

GRADUS_KERNELS_BEGIN

template <class Body, class = void>
struct RunsOf {
  static constexpr Runs kRuns = Runs::for_designs;
};
template <class Body>
struct RunsOf<Body, std::void_t<decltype(Body::kRuns)>> {
  static constexpr Runs kRuns = Body::kRuns;
};

template <class Body>
std::ptrdiff_t place_count(const Chunk& chunk) {
  constexpr Runs kRuns = RunsOf<Body>::kRuns;
  if (kRuns == Runs::once) return 1;
  return kRuns == Runs::for_slices ? chunk.design_count * chunk.slice_count : chunk.design_count;
}

GRADUS_KERNELS_END
