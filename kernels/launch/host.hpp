// Running kernels on the host. They are translated several times, for the instruction sets that
// processors may have and for what checks the others; each translation is told from the rest by an
// inline namespace of its own.
#pragma once

#include <vector>

#include "kernels/launch/kernel_table.hpp"
#include "kernels/math/dual.hpp"

// Designs in a pack: as many as a vector register holds. The plainest translation is for the
// registers that every processor has.
#if !defined(GRADUS_LANES)
#define GRADUS_LANES 2
#endif

namespace gradus::kernels {

// Parameters that one run of dual numbers differentiates at once.
inline constexpr int kDualDirections = 5;

// One kernel over all designs of a chunk on the calling thread, and the ways in which it runs; null
// where it does not.
using HostLoop = void (*)(const LaunchArguments&);
struct HostLoops {
  HostLoop alone, packs, interleaved, dual;
};

// Any of the kernels in one of these ways.
using Launch = void (*)(KernelId, const LaunchArguments&);

// The kernels as translated for one instruction set; a launch that it does not have is null.
struct Translation {
  const char* name;  // of the instruction set
  Launch alone;      // designs one after another
  int lanes;         // designs in a pack
  Launch packs;      // packs: the memory is [layout.size, lanes], aligned to a pack, and
                     // `design_count` a multiple of the lanes
};

// Those that were built and run on this processor, the plainest first; none if the build was made
// for newer ones.
const std::vector<Translation>& translations();

// Designs one after another, by the latest translation that runs here; null if there is none.
Launch launch_alone();

// What only checks ask for, a library of its own (src/backend/checks).
struct CheckKernels {
  Launch interleaved;  // designs interleaved, as on a device
  Launch dual;         // designs one after another in dual numbers
};

}  // namespace gradus::kernels

GRADUS_KERNELS_BEGIN

using DualNumber = Dual<double, kDualDirections>;

GRADUS_KERNELS_END
