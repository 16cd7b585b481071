// Launches linearise.hpp on the device.
#include "kernels/stages/linearise.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(linearise, Linearise)
GRADUS_DEVICE_KERNEL(linearise_columns, LineariseColumns)
