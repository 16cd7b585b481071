// Running kernels on a GPU. The host compiler reads this header too: it holds no device code.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/launch/kernel_table.hpp"

namespace gradus::kernels {

// Starts a kernel over all designs of the chunk, on the calling thread's current device, after
// everything asked of the stream before. Failures while it runs show at a later call.
cudaError_t launch_on_device(KernelId kernel, const KernelArguments<double, true>& arguments,
                             cudaStream_t stream);

// Loads the code of a kernel for the calling thread's current device, unless it is loaded: nothing
// may be loaded while a stream is captured.
cudaError_t load_kernel(KernelId kernel);

// Whether this library holds machine code for the calling thread's current device.
cudaError_t find_device_code();

}  // namespace gradus::kernels
