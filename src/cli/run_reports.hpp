// What simulate, gradient and check print for people.
#pragma once

#include <string>

#include "gradus/run.hpp"

namespace gradus::cli {

// One design: objectives, and the gradient if there is one, else the final sensors. A batch: its
// first designs, statistics over all, failures.
std::string result_report(const Result& result);

// A line for every objective and parameter; of long arrays only what failed and some of the rest.
std::string check_table(const CheckReport& report);

// Whether the check passed, how many derivatives agree, and within which tolerances.
std::string check_verdict(const CheckReport& report);

}  // namespace gradus::cli
