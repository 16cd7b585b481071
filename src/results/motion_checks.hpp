// What motions say of themselves beside their numbers: how far they violated constraints, whether
// they passed through singular configurations, whether they extrapolated splines, and what joints
// with friction did.
#pragma once

#include <span>

#include "gradus/result.hpp"
#include "src/results/json_text.hpp"

namespace gradus {

GRADUS_JSON(SurfaceMotion, force, joint, slip, threshold, smoothing, halved, sticking, changes,
            resolution, verdict)

}  // namespace gradus

namespace gradus::results {

// Adds to a document: "constraint_violation", the largest by level of all designs that succeeded,
// and, if motions passed through singular configurations, "singular_passages", how many and the
// first of them. `violation` [n_design, 3] is NaN for designs that failed, `passage` [n_design] the
// time of the passage, 0: none.
void add_motion_checks(std::span<const double> violation, std::span<const double> passage,
                       Json& document);

// Adds, if motions extrapolated splines, "extrapolations": for each such spline its name, how many
// motions, and of the first of them the time and by how much at most.
void add_extrapolations(const Result& result, Json& document);

// The same for studies: how many designs extrapolated a spline, and the first of them.
// `splines` [n_design]: how many each did.
void add_extrapolations(std::span<const double> splines, Json& document);

}  // namespace gradus::results
