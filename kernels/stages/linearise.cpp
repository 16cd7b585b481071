// Launches linearise.hpp on the host.
#include "kernels/stages/linearise.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(linearise, Linearise)
GRADUS_HOST_KERNEL(linearise_columns, LineariseColumns)
