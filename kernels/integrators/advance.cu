// Launches the steps of advance.hpp on the device.
#include "kernels/integrators/advance.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(advance, Advance)
