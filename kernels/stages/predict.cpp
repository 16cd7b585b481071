// Launches predict.hpp on the host.
#include "kernels/stages/predict.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(predict, Predict)
