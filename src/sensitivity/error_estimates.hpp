// How far objectives and gradients of runs by fixed steps are from what ever shorter steps would
// make of them.
#pragma once

#include "src/sensitivity/run_comparison.hpp"

namespace gradus {

// Whether the errors of some designs of a run are to be estimated.
bool estimates_errors(const CompiledMechanism& mechanism, const Options& options);

// Estimates the errors of every n-th design of a solution by fixed steps, as the options say, from
// runs by twice the step and, where these change objectives or gradients by more than a hundredth,
// by half of it. Remarks on errors beyond 1 %; designs with one beyond 100 % fail.
void estimate_errors(const CompiledMechanism& mechanism, const Options& options, bool with_gradient,
                     Solution& solution);

}  // namespace gradus
