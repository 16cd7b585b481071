// Launches numbers.hpp on the device.
#include "kernels/stages/numbers.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(prepare_numbers, PrepareNumbers)
GRADUS_DEVICE_KERNEL(poison_failures, PoisonFailures)
GRADUS_DEVICE_KERNEL(advance_clock, AdvanceClock)
