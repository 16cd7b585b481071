// Time loops on a device: chunks of designs, all of which advance one step together.
#pragma once

#include "src/backend/device.hpp"
#include "src/motion/request.hpp"

namespace gradus {

MotionOutcome run_on_device(const MotionRequest& request, Device& device);

}  // namespace gradus
