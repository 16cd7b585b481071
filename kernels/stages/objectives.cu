// Launches objectives.hpp on the device.
#include "kernels/stages/objectives.hpp"

#include "kernels/launch/device_grid.cuh"

GRADUS_DEVICE_KERNEL(accumulate_objectives, AccumulateObjectives)
GRADUS_DEVICE_KERNEL(accumulate_gradients, AccumulateGradients)
GRADUS_DEVICE_KERNEL(evaluate_signals, EvaluateSignals)
