// What a launch runs: a kernel, which is a function of a design and the arguments of the launch, at
// every place of a chunk.
#pragma once

#include "kernels/core/design.hpp"

GRADUS_KERNELS_BEGIN

// Where a kernel runs, as the table says. Slices, and once for all, are known where designs are
// interleaved.
enum class Places : int {
  designs,  // that have not failed
  slices,   // of the columns of these
  every,    // design, failed ones too
  once,     // for all designs
};

inline std::ptrdiff_t place_count(Places places, const Chunk& chunk) {
  if (places == Places::once) return 1;
  return places == Places::slices ? chunk.design_count * chunk.slice_count : chunk.design_count;
}

template <class Kernel, Places kPlaces, class Real, bool kInterleaved>
struct Body {
  HeldArguments<Real, kInterleaved> arguments;

  static std::ptrdiff_t count(const Chunk& chunk) {
    return kInterleaved ? place_count(kPlaces, chunk)
                        : chunk.design_count / ScalarTraits<Real>::kLanes;
  }
  GRADUS_FUNCTION void operator()(std::ptrdiff_t place) const {
    const Design<Real, kInterleaved> d(arguments.chunk, place);
    constexpr bool kFailedToo = kPlaces == Places::every || kPlaces == Places::once;
    if (kFailedToo || !d.failed()) Kernel()(d, arguments);
  }
};

// A kernel as a type.
#define GRADUS_KERNEL(NAME)                                                               \
  struct Kernel_##NAME {                                                                  \
    template <class D>                                                                    \
    GRADUS_FUNCTION void operator()(const D& d, const LaunchArguments& arguments) const { \
      NAME(d, arguments);                                                                 \
    }                                                                                     \
  };

GRADUS_KERNELS_END
