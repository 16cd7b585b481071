// Launches predict.hpp on the device.
#include "kernels/stages/predict.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(predict, Predict)
