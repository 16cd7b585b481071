// What a failed design tells its user.
#pragma once

#include <span>
#include <string>

#include "kernels/core/status.hpp"
#include "src/motion/request.hpp"

namespace gradus {

// Of a design with these parameters. `violated` is the row of the constraints that is to blame, if
// they are.
std::string failure_message(kernels::Status status, const MotionRequest& request, double violated,
                            std::span<const double> parameters);

}  // namespace gradus
