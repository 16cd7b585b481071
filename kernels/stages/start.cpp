// Launches start.hpp on the host.
#include "kernels/stages/start.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(set_start, SetStart)
GRADUS_HOST_KERNEL(evaluate_constraints, EvaluateConstraints)
GRADUS_HOST_KERNEL(start_position, StartPosition)
GRADUS_HOST_KERNEL(start_velocity, StartVelocity)
GRADUS_HOST_KERNEL(start_acceleration, StartAcceleration)
GRADUS_HOST_KERNEL(start_partials, StartPartials)
GRADUS_HOST_KERNEL(start_columns, StartColumns)
