// The instants at which states are sampled, as ends of the steps of a motion.
#pragma once

#include <string>

#include "src/motion/request.hpp"

namespace gradus {

// Lists them in the plan. Throws InputError if there are too many, or if steps of fixed length do
// not end there.
void settle_sample_times(const MotionRequest& request, Plan& plan, const Model& model,
                         const std::string& origin);

}  // namespace gradus
