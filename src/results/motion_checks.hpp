// What motions say of themselves beside their numbers: how far they violated constraints, whether
// they passed through singular configurations, and whether they left the knots of splines.
#pragma once

#include <span>

#include "gradus/result.hpp"
#include "src/results/json_text.hpp"

namespace gradus::results {

// Adds to a document: "constraint_violation", the largest by level of all designs that succeeded,
// and, if motions passed through singular configurations, "singular_passages", how many and the
// first of them. `violation` [n_design, 3] is NaN for designs that failed, `passage` [n_design] the
// time of the passage, 0: none.
void add_motion_checks(std::span<const double> violation, std::span<const double> passage,
                       Json& document);

// Adds, if motions left the knots of splines that go on beyond them, "beyond_knots": for each such
// spline its name, how many motions, and of the first of them the time and by how much at most.
void add_spline_exits(const Result& result, Json& document);

// The same for studies: how many designs left the knots of some spline, and the first of them.
// `left` [n_design] counts splines.
void add_spline_exits(std::span<const double> left, Json& document);

}  // namespace gradus::results
