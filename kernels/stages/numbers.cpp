// Launches numbers.hpp on the host.
#include "kernels/stages/numbers.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(prepare_numbers, PrepareNumbers)
GRADUS_HOST_KERNEL(poison_failures, PoisonFailures)
GRADUS_HOST_KERNEL_ALONE(advance_clock, AdvanceClock)
