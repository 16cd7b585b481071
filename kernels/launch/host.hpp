// Running kernels on the host: the launcher of each kernel, and the loop that they are.
#pragma once

#include <vector>

#include "kernels/launch/kernel_id.hpp"
#include "kernels/math/dual.hpp"

namespace gradus::kernels {

// Parameters that one run of dual numbers differentiates at once.
inline constexpr int kDualDirections = 5;

// The kernels as translated for one instruction set.
struct Translation {
  using Launch = void (*)(KernelId, const KernelArguments<double, false>&);
  const char* name;     // of the instruction set
  int lanes;            // designs in a pack
  Launch launch;        // designs one after another; null if a plainer translation does as well
  Launch launch_lanes;  // packs: the memory is [layout.size, lanes], aligned to a pack, and
                        // `design_count` a multiple of the lanes
};

// Those that run on this processor, the plainest first.
const std::vector<Translation>& translations();

}  // namespace gradus::kernels

GRADUS_KERNELS_BEGIN

using DualNumber = Dual<double, kDualDirections>;

// Runs a kernel over all designs of the chunk, one after another on the calling thread, by the
// plainest translation.
void launch_on_host(KernelId kernel, const KernelArguments<double, false>& arguments);
void launch_on_host(KernelId kernel, const KernelArguments<double, true>& arguments);
void launch_on_host(KernelId kernel, const KernelArguments<DualNumber, false>& arguments);

GRADUS_KERNELS_END
