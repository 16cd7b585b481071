// What a failed design tells its user.
#pragma once

#include <string>

#include "kernels/core/status.hpp"
#include "src/plan/plan.hpp"

namespace gradus {

// `violated` is the row of the constraints that is to blame, if they are.
std::string failure_message(kernels::Status status, const Plan& plan, double violated);

}  // namespace gradus
