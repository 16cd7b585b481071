// Launches what surrounds the steps of advance.hpp on the device, apart from them: each takes the
// compiler minutes.
#include "kernels/integrators/advance.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(begin_integration, BeginIntegration)
GRADUS_DEVICE_KERNEL(interpolate, Interpolate)
