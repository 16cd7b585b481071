// Launches project_acceleration.hpp on the host.
#include "kernels/stages/project_acceleration.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(project_acceleration, ProjectAcceleration)
