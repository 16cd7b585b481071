// Code that was compiled while the program runs: images for the driver of the GPU, which is opened
// when the first one is there, on the calling thread's current device.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <string>

namespace gradus {

struct UnloadModule {
  void operator()(CUmodule module) const;
};
using DriverModule = std::unique_ptr<std::remove_pointer_t<CUmodule>, UnloadModule>;

// All throw BackendError, starting with `where`.
DriverModule load_image(const std::string& image, const std::string& where);
CUfunction find_function(CUmodule module, const char* name, const std::string& where);
// With one argument, `blocks` of `threads` each.
void launch_function(CUfunction function, std::ptrdiff_t blocks, int threads, cudaStream_t stream,
                     void* argument, const std::string& where);

}  // namespace gradus
