// Making room for an outcome, and the columns of a trajectory.
#pragma once

#include "src/motion/request.hpp"

namespace gradus {

// Arrays of the right sizes, trajectories included if recording is asked for.
MotionOutcome make_outcome(const MotionRequest& request);

// Whether step k is recorded.
bool is_recorded(const MotionRequest& request, std::size_t k);

}  // namespace gradus
