// What the commands print for people.
#pragma once

#include <string>

#include "gradus/run.hpp"
#include "gradus/study.hpp"

namespace gradus::cli {

// One design: objectives, and the gradient if there is one, else the final sensors. A batch: its
// first designs, statistics over all, failures.
std::string result_report(const Result& result);

// A line for each, and in which folder they are kept; empty: in none.
std::string kernels_report(const std::vector<MadeKernels>& kernels, const std::string& folder);

// A line for every objective and parameter; of long arrays only what failed and some of the rest.
std::string check_table(const CheckReport& report);

// What was found about derivative, accuracy and model, a line each.
std::string check_findings(const CheckReport& report);

// Whether the check passed, and what failed.
std::string check_verdict(const CheckReport& report);

// Statistics of the objectives, what causes their spread, and failures.
std::string sweep_report(const SweepResult& result);

// The optimum, its constraints, starts and check. The result has starts.
std::string optimization_report(const OptimizationResult& result);

// What was fitted to what, the parameters with their errors, starts, and warnings. For a result
// without content (its folder has it) only the head.
std::string fit_report(const FitResult& result);

}  // namespace gradus::cli
