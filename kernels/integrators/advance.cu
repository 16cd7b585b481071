// Launches advance.hpp and kinematic_step.hpp on the device, together: the evaluations that they
// call take the compiler minutes.
#include "kernels/integrators/advance.hpp"

#include "kernels/integrators/kinematic_step.hpp"
#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(advance, Advance)
GRADUS_DEVICE_KERNEL(begin_integration, BeginIntegration)
GRADUS_DEVICE_KERNEL(interpolate, Interpolate)
GRADUS_DEVICE_KERNEL(kinematic_step, KinematicStep)
