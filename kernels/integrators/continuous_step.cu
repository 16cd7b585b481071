// Launches continuous_step.hpp on the device.
#include "kernels/integrators/continuous_step.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(continuous_begin, ContinuousBegin)
GRADUS_DEVICE_KERNEL(continuous_step, ContinuousStep)
