// Time loops on the host: each thread drives the loop of one design after another, whose working
// set stays in cache.
#pragma once

#include "src/motion/request.hpp"

namespace gradus {

MotionOutcome run_on_host(const MotionRequest& request, int threads);

// The motion in dual numbers: the gradient comes out of differentiating every operation of the time
// loop itself.
MotionOutcome run_dual_on_host(const MotionRequest& request, int threads);

}  // namespace gradus
