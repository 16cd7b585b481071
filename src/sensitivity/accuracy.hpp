// How far objectives and gradients are from what ever shorter steps would make of them: estimated
// for runs by fixed steps, and asked for.
#pragma once

#include <memory>
#include <vector>

#include "src/motion/mechanism.hpp"

namespace gradus {

// Relative errors that are worth a remark.
inline constexpr double kRemarkableError = 0.01;

// A run and where its motions end.
struct Solution {
  Result result;
  // [n_design, 2 n_coordinate] coordinates and rates at the end, NaN for designs that failed; empty
  // if nobody asked.
  std::vector<double> final_states;
};

// One run of designs, by the method of the options, or of the motion alone if `with_gradient` is
// false. Throws InputError, BackendError.
Solution solve(const std::shared_ptr<const CompiledMechanism>& mechanism, const Options& options,
               bool with_gradient, bool with_final_states);

// Whether the errors of some designs of a run are to be estimated.
bool estimates_errors(const CompiledMechanism& mechanism, const Options& options);

// Estimates the errors of every n-th design of a solution by fixed steps, as the options say, from
// runs by twice the step and, where these change objectives or gradients by more than a hundredth,
// by half of it. Remarks on errors beyond 1 %; designs with one beyond 100 % fail.
void estimate_errors(const CompiledMechanism& mechanism, const Options& options, bool with_gradient,
                     Solution& solution);

// Objectives and gradients whose estimated errors are no larger than Options::accuracy: steps or
// tolerances are made finer until two runs agree so far. Formulation and integrator are gradus'
// choice where the options name none. Designs that do not get there fail.
Result solve_to_accuracy(const CompiledMechanism& mechanism, const Options& options,
                         bool with_gradient);

}  // namespace gradus
