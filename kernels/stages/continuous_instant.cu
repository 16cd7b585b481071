// Launches continuous_instant.hpp on the device.
#include "kernels/stages/continuous_instant.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(continuous_clear, ContinuousClear)
GRADUS_DEVICE_KERNEL(continuous_keep, ContinuousKeep)
GRADUS_DEVICE_KERNEL(continuous_final, ContinuousFinal)
GRADUS_DEVICE_KERNEL(continuous_instant, ContinuousInstant)
GRADUS_DEVICE_KERNEL(continuous_correct, ContinuousCorrect)
