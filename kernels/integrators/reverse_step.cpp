// Launches reverse_step.hpp on the host.
#include "kernels/integrators/reverse_step.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(reverse_step, ReverseStep)
GRADUS_HOST_KERNEL(reverse_begin, ReverseBegin)
GRADUS_HOST_KERNEL(reverse_instant, ReverseInstant)
