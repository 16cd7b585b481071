// Launches kinematic_step.hpp on the device.
#include "kernels/integrators/kinematic_step.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(kinematic_step, KinematicStep)
