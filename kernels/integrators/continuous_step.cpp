// Launches continuous_step.hpp on the host.
#include "kernels/integrators/continuous_step.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL_ALONE(continuous_begin, ContinuousBegin)
GRADUS_HOST_KERNEL_ALONE(continuous_step, ContinuousStep)
