// Launches sensor_columns.hpp on the host.
#include "kernels/stages/sensor_columns.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(sensor_columns, SensorColumns)
