// What a failed design tells its user.
#pragma once

#include <string>

#include "kernels/core/status.hpp"
#include "src/plan/plan.hpp"

namespace gradus {

// `blamed` is the row of the constraints (from 1 on) or the objective (from -1 down) that is to
// blame, if one is, and `time` that of the failure [s].
std::string failure_message(kernels::Status status, const Plan& plan, double blamed, double time);

}  // namespace gradus
