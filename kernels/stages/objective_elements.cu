// Launches objective_elements.hpp on the device.
#include "kernels/stages/objective_elements.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(add_objective_rows, AddObjectiveRows)
