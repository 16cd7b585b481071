// Launches continuous_instant.hpp on the host.
#include "kernels/stages/continuous_instant.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL_ALONE(continuous_clear, ContinuousClear)
GRADUS_HOST_KERNEL_ALONE(continuous_keep, ContinuousKeep)
GRADUS_HOST_KERNEL_ALONE(continuous_final, ContinuousFinal)
GRADUS_HOST_KERNEL_ALONE(continuous_instant, ContinuousInstant)
GRADUS_HOST_KERNEL_ALONE(continuous_correct, ContinuousCorrect)
