// Launches kinematic_step.hpp on the host.
#include "kernels/integrators/kinematic_step.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(kinematic_step, KinematicStep)
