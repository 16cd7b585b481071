// Launches solve_columns.hpp on the device.
#include "kernels/stages/solve_columns.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(solve_columns, SolveColumns)
