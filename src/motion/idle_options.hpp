// Options that are given but change nothing.
#pragma once

#include <string>
#include <vector>

#include "src/motion/request.hpp"

namespace gradus {

// A line for each option that cannot matter to runs of this request, which has its formulation and
// integrator: what has no effect, and why.
std::vector<std::string> idle_options(const Options& options, const MotionRequest& request);

}  // namespace gradus
