// Launches solve_adjoint.hpp on the host.
#include "kernels/stages/solve_adjoint.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(solve_adjoint, SolveAdjoint)
GRADUS_HOST_KERNEL(gather_elements, GatherElements)
GRADUS_HOST_KERNEL(gather_gradient, GatherGradient)
