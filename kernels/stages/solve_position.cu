// Launches solve_position.hpp on the device.
#include "kernels/stages/solve_position.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(solve_position, SolvePosition)
