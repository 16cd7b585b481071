// Launches start.hpp on the device.
#include "kernels/stages/start.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(set_start, SetStart)
GRADUS_DEVICE_KERNEL(evaluate_constraints, EvaluateConstraints)
GRADUS_DEVICE_KERNEL(start_position, StartPosition)
GRADUS_DEVICE_KERNEL(start_velocity, StartVelocity)
GRADUS_DEVICE_KERNEL(start_acceleration, StartAcceleration)
GRADUS_DEVICE_KERNEL(start_partials, StartPartials)
GRADUS_DEVICE_KERNEL(start_columns, StartColumns)
