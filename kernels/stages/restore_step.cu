// Launches restore_step.hpp on the device.
#include "kernels/stages/restore_step.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(keep_step, KeepStep)
GRADUS_DEVICE_KERNEL(keep_projected, KeepProjected)
GRADUS_DEVICE_KERNEL(restore_step, RestoreStep)
