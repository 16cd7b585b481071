// Discrete adjoints: the motion forwards, keeping what its steps leave, and back.
#pragma once

#include "src/motion/request.hpp"

namespace gradus {

// Motion and gradient of every design of the request, whose sensitivity is `adjoint`, on `threads`
// threads.
MotionOutcome run_adjoint_on_host(const MotionRequest& request, int threads);

}  // namespace gradus
