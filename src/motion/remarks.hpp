// Lines about what nobody asked for, but whoever runs the mechanism should know.
#pragma once

#include <vector>

#include "src/backend/choice.hpp"
#include "src/motion/request.hpp"

namespace gradus {

// What several motions of a result have met that their numbers do not show (singular
// configurations, jumps, halved steps, extrapolated splines): a line for each, which says how many
// motions, and the first of them.
void remark_on_motions(const Result& result, const Log& log);

// Motions that end after so many turns that angles have lost their digits.
void remark_on_angles(const LargestAngle& largest, const Plan& plan, const Options& options);

// Which of its ways a motion takes is nobody's decision.
void remark_on_singular_start(const Plan& plan, const std::string& singular, const Log& log);

// A motion that starts from where no mechanism stays is hardly meant.
void remark_on_equilibrium(const MotionRequest& request, const std::vector<double>& parameters,
                           const Options& options);

// Bounds say what is sensible; a value outside them is the user's choice.
void remark_on_bounds(const Model& model, const Options& options);

// Friction that is less at rest than in motion, and joints that have it twice.
void remark_on_friction(const Model& model, const Options& options);

}  // namespace gradus
