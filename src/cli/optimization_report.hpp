// The report of an optimisation for terminals.
#pragma once

#include <string>

#include "gradus/optimize.hpp"

namespace gradus::cli {

// Tables of the optimum, its constraints, starts and check. The result has starts.
std::string optimization_report(const OptimizationResult& result);

}  // namespace gradus::cli
