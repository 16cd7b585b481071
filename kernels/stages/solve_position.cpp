// Launches solve_position.hpp on the host.
#include "kernels/stages/solve_position.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(solve_position, SolvePosition)
