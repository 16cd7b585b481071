// Launches solve_apart.hpp on the host.
#include "kernels/stages/solve_apart.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL_ALONE(reduce_matrix, ReduceMatrix)
GRADUS_HOST_KERNEL_ALONE(prepare_columns, PrepareColumns)
GRADUS_HOST_KERNEL_ALONE(finish_columns, FinishColumns)
