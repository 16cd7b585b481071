// What a failed design tells its user.
#pragma once

#include <string>

#include "kernels/core/status.hpp"
#include "src/plan/plan.hpp"

namespace gradus {

std::string failure_message(kernels::Status status, const Plan& plan);

}  // namespace gradus
