// Launches project_velocity.hpp on the device.
#include "kernels/stages/project_velocity.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(project_velocity, ProjectVelocity)
