// A result as text for people.
#pragma once

#include <string>

#include "gradus/result.hpp"

namespace gradus::cli {

// One design: objectives, and the gradient if there is one, else the final sensors. A batch: its
// first designs, statistics over all, failures.
std::string result_report(const Result& result);

}  // namespace gradus::cli
