// Launches advance.hpp on the host.
#include "kernels/integrators/advance.hpp"

#include "kernels/integrators/kinematic_step.hpp"
#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(begin_integration, BeginIntegration)
GRADUS_HOST_KERNEL(advance, Advance)
GRADUS_HOST_KERNEL(interpolate, Interpolate)
GRADUS_HOST_KERNEL(kinematic_step, KinematicStep)
