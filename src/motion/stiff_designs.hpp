// Designs that an explicit method leaves because their motion is stiff run again, from the start,
// by an implicit one. docs/theory.md, section 13.
#pragma once

#include <functional>

#include "src/motion/request.hpp"

namespace gradus {

// Runs those that `outcome`, one of `request`, has left, and puts them into their places: by the
// request's integrator for stiff designs, and where that does not get through by the first one,
// which then goes on to the end. `run` runs a request, on whatever ran the first; its outcome stays
// until the next call.
using RunRequest = std::function<MotionOutcome&(const MotionRequest&)>;
void run_stiff_designs(const MotionRequest& request, MotionOutcome& outcome, const RunRequest& run);

// The request by the integrator that ran the first design of an outcome of it.
MotionRequest by_integrator_of(const MotionOutcome& outcome, MotionRequest request);

}  // namespace gradus
