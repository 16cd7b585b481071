// What a design that failed at an event tells its user.
#pragma once

#include <string>

#include "kernels/core/status.hpp"
#include "src/plan/plan.hpp"

namespace gradus {

// Of a status of events; `blamed` is the number of the event, from 1 on, if one is to blame.
std::string event_failure(kernels::Status status, const Plan& plan, double blamed);

}  // namespace gradus
