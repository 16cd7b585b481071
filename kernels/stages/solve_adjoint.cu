// Launches solve_adjoint.hpp on the device.
#include "kernels/stages/solve_adjoint.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(solve_adjoint, SolveAdjoint)
GRADUS_DEVICE_KERNEL(gather_elements, GatherElements)
GRADUS_DEVICE_KERNEL(gather_gradient, GatherGradient)
