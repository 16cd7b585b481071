// Runs on a device: chunks of designs, all of which advance one step together.
#pragma once

#include "src/backend/device.hpp"
#include "src/motion/request.hpp"

namespace gradus {

// The motion, with columns if they are asked for.
MotionOutcome run_on_device(const MotionRequest& request, Device& device);

// The motion and its discrete or continuous adjoint: as many designs at a time as there is memory
// for, each with its steps or with some of its states.
MotionOutcome run_adjoint_on_device(const MotionRequest& request, Device& device);

}  // namespace gradus
