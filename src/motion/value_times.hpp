// Times at which objectives take values.
#pragma once

#include <string>

#include "src/motion/request.hpp"

namespace gradus {

// Moves them to the instants of the motion they stand for, to the last bit. Throws InputError if
// one lies outside the motion, or no step ends there.
void settle_value_times(const MotionRequest& request, Plan& plan, const std::string& origin);

}  // namespace gradus
