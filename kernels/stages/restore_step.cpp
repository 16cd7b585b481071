// Launches restore_step.hpp on the host.
#include "kernels/stages/restore_step.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(keep_step, KeepStep)
GRADUS_HOST_KERNEL(keep_projected, KeepProjected)
GRADUS_HOST_KERNEL(restore_step, RestoreStep)
