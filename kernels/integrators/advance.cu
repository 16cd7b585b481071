// One-step methods are not launched on the device: a whole way of steps in one kernel is more than
// its compiler takes in reasonable time. Sessions do not ask for it.
#include "kernels/launch/device.cuh"

namespace gradus::kernels {

#define GRADUS_HOST_ONLY(NAME)                                                    \
  cudaError_t launch_##NAME(const KernelArguments<double, true>&, cudaStream_t) { \
    return cudaErrorNotSupported;                                                 \
  }
GRADUS_HOST_ONLY(begin_integration)
GRADUS_HOST_ONLY(advance)
GRADUS_HOST_ONLY(interpolate)
GRADUS_HOST_ONLY(kinematic_step)
#undef GRADUS_HOST_ONLY

}  // namespace gradus::kernels
