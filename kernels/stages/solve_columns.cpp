// Launches solve_columns.hpp on the host.
#include "kernels/stages/solve_columns.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(solve_columns, SolveColumns)
