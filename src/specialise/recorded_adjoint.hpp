// Kernels of steps that an adjoint takes back on the scalar that records, a source of their own.
#pragma once

#include "kernels/core/arguments.hpp"
#include "kernels/launch/kernel_table.hpp"
#include "src/specialise/recorded.hpp"

namespace gradus::specialise {

// Whether this is such a kernel; if so, its body runs on the recorded numbers.
bool record_step_back(kernels::KernelId kernel,
                      const kernels::KernelArguments<Recorded, false>& arguments);

}  // namespace gradus::specialise
