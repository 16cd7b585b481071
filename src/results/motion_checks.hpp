// What motions say of themselves beside their numbers: how far they violated constraints, and
// whether they passed through singular configurations.
#pragma once

#include <span>

#include "src/results/json_text.hpp"

namespace gradus::results {

// Adds to a document: "constraint_violation", the largest by level of all designs that succeeded,
// and, if motions passed through singular configurations, "singular_passages", how many and the
// first of them. `violation` [n_design, 3] is NaN for designs that failed, `passage` [n_design] the
// time of the passage, 0: none.
void add_motion_checks(std::span<const double> violation, std::span<const double> passage,
                       Json& document);

}  // namespace gradus::results
