// Kernels that no time loop on a device asks for yet: adjoints run on the host.
#include "kernels/launch/device.cuh"

namespace gradus::kernels {

#define GRADUS_HOST_ONLY(NAME)                                                    \
  cudaError_t launch_##NAME(const KernelArguments<double, true>&, cudaStream_t) { \
    return cudaErrorNotSupported;                                                 \
  }
GRADUS_HOST_ONLY(add_objective_rows)
GRADUS_HOST_ONLY(solve_adjoint)
GRADUS_HOST_ONLY(keep_step)
GRADUS_HOST_ONLY(restore_step)
GRADUS_HOST_ONLY(reverse_step)
GRADUS_HOST_ONLY(reverse_begin)
GRADUS_HOST_ONLY(reverse_instant)
GRADUS_HOST_ONLY(gather_elements)
GRADUS_HOST_ONLY(gather_gradient)
GRADUS_HOST_ONLY(continuous_begin)
GRADUS_HOST_ONLY(continuous_step)
GRADUS_HOST_ONLY(continuous_clear)
GRADUS_HOST_ONLY(continuous_keep)
GRADUS_HOST_ONLY(continuous_final)
GRADUS_HOST_ONLY(continuous_instant)
GRADUS_HOST_ONLY(continuous_correct)
#undef GRADUS_HOST_ONLY

}  // namespace gradus::kernels
