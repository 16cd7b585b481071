// What laws of time say of the steps of adaptive methods before the motion: a step that passes over
// a short pulse may not see it, where nothing moves yet.
#pragma once

#include <span>
#include <vector>

#include "src/plan/plan.hpp"

namespace gradus {

// Spans of time in which steps are limited, [span, kernels::kStepLimitNumbers] as law_limit() reads
// them, for a design with so many parameters. Steps end beside the kinks and at the knots of what
// depends on time alone, and are no longer than twice the width of what is narrow in it.
std::vector<double> step_limits(const Plan& plan, std::span<const double> parameters,
                                double duration);

}  // namespace gradus
