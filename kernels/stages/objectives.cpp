// Launches objectives.hpp and objective_elements.hpp on the host.
#include "kernels/stages/objective_elements.hpp"

#include "kernels/launch/host_loop.hpp"

GRADUS_HOST_KERNEL(accumulate_objectives, AccumulateObjectives)
GRADUS_HOST_KERNEL(evaluate_signals, EvaluateSignals)
GRADUS_HOST_KERNEL(add_objective_rows, AddObjectiveRows)
