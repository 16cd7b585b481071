// Launches reverse_step.hpp on the device.
#include "kernels/integrators/reverse_step.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(reverse_step, ReverseStep)
GRADUS_DEVICE_KERNEL(reverse_begin, ReverseBegin)
GRADUS_DEVICE_KERNEL(reverse_instant, ReverseInstant)
