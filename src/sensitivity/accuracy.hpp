// Runs to an accuracy that is asked for.
#pragma once

#include "src/motion/mechanism.hpp"

namespace gradus {

// Objectives and gradients whose estimated errors are no larger than Options::accuracy: steps or
// tolerances are made finer until two runs agree so far. Formulation and integrator are gradus'
// choice where the options name none. Designs that do not get there fail.
// Throws InputError, BackendError.
Result solve_to_accuracy(const CompiledMechanism& mechanism, const Options& options,
                         bool with_gradient);

}  // namespace gradus
