// Launches continuous_instant.hpp on the host.
#include "kernels/stages/continuous_instant.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(continuous_clear, ContinuousClear)
GRADUS_HOST_KERNEL(continuous_keep, ContinuousKeep)
GRADUS_HOST_KERNEL(continuous_final, ContinuousFinal)
GRADUS_HOST_KERNEL(continuous_instant, ContinuousInstant)
GRADUS_HOST_KERNEL(continuous_correct, ContinuousCorrect)
