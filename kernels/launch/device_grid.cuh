// The device launcher of a kernel body: a grid of threads, one for each design or slice of its
// columns. Included by the sources that cmake/GradusKernels.cmake makes, one for each header of
// bodies.
#pragma once

#include <type_traits>

#include "kernels/base/tile.hpp"
#include "kernels/launch/body.hpp"
#include "kernels/launch/device.cuh"

namespace gradus::kernels {

// Threads share nothing, so a block is one warp: few designs still spread over all multiprocessors,
// and with 64 registers per thread or more, as most kernels have, small blocks do not lower the
// number of warps that fit. Each works on a tile.
inline constexpr int kBlockSize = kTile;

// The body lies in constant memory, its arguments with it: no thread copies them.
template <class Body>
__global__ void __launch_bounds__(kBlockSize)
    run_body(const __grid_constant__ Body body, std::ptrdiff_t places) {
  const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(blockIdx.x) * kBlockSize + threadIdx.x;
  if (place < places) body(place);
}

template <class Body, class Arguments>
cudaError_t launch_grid(const Arguments& arguments, cudaStream_t stream) {
  static_assert(std::is_trivially_copyable_v<Arguments> && std::is_trivially_copyable_v<Body>,
                "what is handed to a device is copied byte by byte");
  static_assert(sizeof(Body) <= 4096, "a launch carries at most 4 KiB on every GPU");
  const std::ptrdiff_t places = Body::count(arguments.chunk);
  if (places < 1) return cudaSuccess;
  cudaLaunchConfig_t grid{};
  grid.gridDim = dim3(static_cast<unsigned>((places + kBlockSize - 1) / kBlockSize));
  grid.blockDim = dim3(kBlockSize);
  grid.stream = stream;
  return cudaLaunchKernelEx(&grid, run_body<Body>, Body{arguments}, places);
}

// Asking for anything loads it.
template <class Body>
cudaError_t load_grid() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, run_body<Body>);
}

}  // namespace gradus::kernels

#define GRADUS_DEVICE_KERNEL(NAME, RUNS, PLACES)                                                   \
  GRADUS_KERNEL(NAME)                                                                              \
  using Body_##NAME = Body<Kernel_##NAME, Places::PLACES, double, true>;                           \
  cudaError_t load_##NAME() {                                                                      \
    return load_grid<Body_##NAME>();                                                               \
  }                                                                                                \
  cudaError_t launch_##NAME(const KernelArguments<double, true>& arguments, cudaStream_t stream) { \
    return launch_grid<Body_##NAME>(arguments, stream);                                            \
  }

// The launchers of one header.
#define GRADUS_KERNELS_OF(HEADER)                  \
  namespace gradus::kernels {                      \
  GRADUS_KERNELS_OF_##HEADER(GRADUS_DEVICE_KERNEL) \
  }
