// Which formulation and integrator run a mechanism: what "auto" stands for, and what cannot be
// combined. All but the first throw InputError.
#pragma once

#include <string>

#include "src/motion/mobility.hpp"
#include "src/motion/request.hpp"

namespace gradus {

// The formulation of runs, "auto" included: that of the options, else of the model. Where a file
// names none, step, tolerance, projections and integrator mean among the options what they mean in
// the file: the first three ask for ali3p, an integrator for a formulation that can use it.
std::string stated_formulation(const Analysis& analysis, const Options& options);

// What suits stiff motions at the tolerance of an analysis.
std::string stiff_integrator(const Analysis& analysis);

// Puts the formulation into a request that has its plan and the analysis in force, as well as the
// integrator that `auto` means. `stated` is the analysis of the model.
void choose_formulation(const Analysis& stated, const Options& options, MotionRequest& request);

// Whether the formulation can take the mechanism.
void check_formulation(const MotionRequest& request, const Mobility& mobility);

// The integrator that is in force, with its tableau if it is a one-step method.
void choose_integrator(MotionRequest& request);

// What models with events need. Throws InputError.
void check_events(const MotionRequest& request, const std::string& origin);

// At index 3, accelerations and multipliers keep whatever error they have been given if neither
// projections nor the integrator take it away: they are wrong at any step, the positions are not.
void check_projections(const MotionRequest& request, const Model& model, const Options& options,
                       const std::string& origin);

}  // namespace gradus
