// Launches sensor_columns.hpp on the device.
#include "kernels/stages/sensor_columns.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(sensor_columns, SensorColumns)
