// Adjoints on a device: chunks of designs that go forwards and back together.
#pragma once

#include "src/backend/device.hpp"
#include "src/motion/request.hpp"

namespace gradus {

// Motion and gradient of every design of the request, whose sensitivity is `adjoint` or
// `continuous`.
MotionOutcome run_adjoint_on_device(const MotionRequest& request, Device& device);

}  // namespace gradus
