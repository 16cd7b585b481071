// What sweep, optimize and fit print for people.
#pragma once

#include <string>

#include "gradus/study.hpp"

namespace gradus::cli {

// Statistics of the objectives, what causes their spread, and failures.
std::string sweep_report(const SweepResult& result);

// The optimum, its constraints, starts and check. The result has starts.
std::string optimization_report(const OptimizationResult& result);

// What was fitted to what, the parameters with their errors, starts, and warnings. For a result
// without content (its folder has it) only the head.
std::string fit_report(const FitResult& result);

}  // namespace gradus::cli
