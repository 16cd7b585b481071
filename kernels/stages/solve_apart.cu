// Launches solve_apart.hpp on the device.
#include "kernels/stages/solve_apart.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(reduce_matrix, ReduceMatrix)
GRADUS_DEVICE_KERNEL(prepare_columns, PrepareColumns)
GRADUS_DEVICE_KERNEL(finish_columns, FinishColumns)
