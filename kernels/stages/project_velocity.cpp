// Launches project_velocity.hpp on the host.
#include "kernels/stages/project_velocity.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(project_velocity, ProjectVelocity)
