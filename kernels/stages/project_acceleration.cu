// Launches project_acceleration.hpp on the device.
#include "kernels/stages/project_acceleration.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(project_acceleration, ProjectAcceleration)
