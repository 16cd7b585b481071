// Finds the device launcher of a kernel, and what loads it, by its name.
#include "kernels/launch/device.cuh"

namespace gradus::kernels {

#define GRADUS_DECLARE(NAME, RUNS, PLACES) \
  cudaError_t load_##NAME();               \
  cudaError_t launch_##NAME(const KernelArguments<double, true>&, cudaStream_t);
GRADUS_FOR_EACH_KERNEL(GRADUS_DECLARE)

namespace {
__global__ void do_nothing() {}
}  // namespace

cudaError_t launch_on_device(KernelId kernel, const KernelArguments<double, true>& arguments,
                             cudaStream_t stream) {
#define GRADUS_LAUNCH(NAME, RUNS, PLACES) launch_##NAME,
  static constexpr decltype(&launch_advance) kLaunches[] = {GRADUS_FOR_EACH_KERNEL(GRADUS_LAUNCH)};
  return kLaunches[static_cast<int>(kernel)](arguments, stream);
}

cudaError_t load_kernel(KernelId kernel) {
#define GRADUS_LOAD(NAME, RUNS, PLACES) load_##NAME,
  static constexpr decltype(&load_advance) kLoads[] = {GRADUS_FOR_EACH_KERNEL(GRADUS_LOAD)};
  return kLoads[static_cast<int>(kernel)]();
}

cudaError_t find_device_code() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, do_nothing);
}

}  // namespace gradus::kernels
