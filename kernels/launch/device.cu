// Finds the device launcher of a kernel, and what loads it, by its name.
#include "kernels/launch/device.cuh"

namespace gradus::kernels {

#define GRADUS_DECLARE(NAME, BODY, RUNS) \
  cudaError_t load_##NAME();             \
  cudaError_t launch_##NAME(const KernelArguments<double, true>&, cudaStream_t);
GRADUS_FOR_EACH_KERNEL(GRADUS_DECLARE)
#undef GRADUS_DECLARE

namespace {

__global__ void do_nothing() {}

}  // namespace

cudaError_t launch_on_device(KernelId kernel, const KernelArguments<double, true>& arguments,
                             cudaStream_t stream) {
  switch (kernel) {
#define GRADUS_CASE(NAME, BODY, RUNS) \
  case KernelId::NAME:                \
    return launch_##NAME(arguments, stream);
    GRADUS_FOR_EACH_KERNEL(GRADUS_CASE)
#undef GRADUS_CASE
  }
  return cudaErrorInvalidValue;
}

cudaError_t load_kernel(KernelId kernel) {
  switch (kernel) {
#define GRADUS_CASE(NAME, BODY, RUNS) \
  case KernelId::NAME:                \
    return load_##NAME();
    GRADUS_FOR_EACH_KERNEL(GRADUS_CASE)
#undef GRADUS_CASE
  }
  return cudaErrorInvalidValue;
}

cudaError_t find_device_code() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, do_nothing);
}

}  // namespace gradus::kernels
