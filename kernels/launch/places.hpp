// How often a body runs where designs are interleaved: once for every design, or for every slice of
// the columns of every design.
#pragma once

#include <type_traits>

#include "kernels/core/arguments.hpp"

GRADUS_KERNELS_BEGIN

template <class Body, class = void>
struct RunsBySlice : std::false_type {};
template <class Body>
struct RunsBySlice<Body, std::void_t<decltype(Body::kBySlice)>> : std::true_type {};

template <class Body>
std::ptrdiff_t place_count(const Chunk& chunk) {
  return RunsBySlice<Body>::value ? chunk.design_count * chunk.slice_count : chunk.design_count;
}

GRADUS_KERNELS_END
