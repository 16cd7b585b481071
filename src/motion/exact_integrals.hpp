// Integrals that need no motion, among what a run has found.
#pragma once

#include <span>

#include "src/motion/request.hpp"

namespace gradus {

// Adds to objectives and gradients what Plan::exact_integrals has of them, for designs with
// `parameters` [n_design, n_parameter] that have been judged; those where it is not finite fail.
void add_exact_integrals(const MotionRequest& request, std::span<const double> parameters,
                         MotionOutcome& outcome);

}  // namespace gradus
