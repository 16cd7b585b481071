// Which lines begin without a direction, for people.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/motion/request.hpp"

namespace gradus {

// Names of the laws that read the length, or its rate, of a line whose ends coincide at the start
// of a design with these parameters.
std::vector<std::string> laws_of_coincident_ends(const MotionRequest& request,
                                                 std::span<const double> parameters);

}  // namespace gradus
