// Launches objectives.hpp and objectives.hpp on the host.
#include "kernels/stages/objectives.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(accumulate_objectives, AccumulateObjectives)
GRADUS_HOST_KERNEL(accumulate_gradients, AccumulateGradients)
GRADUS_HOST_KERNEL(evaluate_signals, EvaluateSignals)
