// What matrix-r integrates where a model says so: expressions of positions, such as a point, a
// component of a vector or a distance, in the place of coordinates of joints. Each gets a body
// without mass that follows it, so that formulations, columns and adjoints see a coordinate.
// docs/theory.md, section 13.
#pragma once

#include <string>

#include "gradus/run.hpp"
#include "src/plan/plan.hpp"

namespace gradus {

// Whether runs with these options integrate what the model's analysis lists. Says so where they do
// not.
bool integrates_independents(const Model& model, const Options& options,
                             const Extension& extension);

// Adds the bodies, which begin where the expressions are at the model's own start. Throws
// InputError.
void add_followers(Model& model, const Options& options);

// In the plan of such a model, before its start is complete: the start is that of the joints.
void follow_from_the_start(Plan& plan, const Model& model);

// Then: what is held throughout. Throws InputError if they are not as many as motions are free.
void hold_followers(Plan& plan, const Model& model, const std::string& origin);

}  // namespace gradus
