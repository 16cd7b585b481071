// Launches objective_elements.hpp on the host.
#include "kernels/stages/objective_elements.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(add_objective_rows, AddObjectiveRows)
