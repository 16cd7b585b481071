// Running kernels on the host: the launcher of each kernel, and the loop that they are.
#pragma once

#include "kernels/launch/kernel_id.hpp"
#include "kernels/math/dual.hpp"

namespace gradus::kernels {

// Parameters that one run of dual numbers differentiates at once.
inline constexpr int kDualDirections = 5;
using DualNumber = Dual<double, kDualDirections>;

// Runs a kernel over all designs of the chunk, one after another on the calling thread.
void launch_on_host(KernelId kernel, const KernelArguments<double, false>& arguments);
void launch_on_host(KernelId kernel, const KernelArguments<double, true>& arguments);
void launch_on_host(KernelId kernel, const KernelArguments<DualNumber, false>& arguments);

}  // namespace gradus::kernels
