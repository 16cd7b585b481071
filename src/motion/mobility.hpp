// How many motions the constraints leave free, and which coordinates are held for them at the
// start.
#pragma once

#include <string>
#include <vector>

#include "src/plan/plan.hpp"

namespace gradus {

// Names of what ties the tree beyond the joints that it is made of: cut joints and constraints, but
// not the normalisation of Euler parameters, nor what holds at the start only. Each once, in the
// plan's order; none in an open tree.
std::vector<std::string> ties(const Plan& plan);

// What the constraints do at the start, at the nominal parameters.
struct Mobility {
  int rank = 0;                    // of the constraints
  int redundant = 0;               // equations beyond it
  double violation = 0.0;          // largest constraint that the assembly leaves
  std::vector<HeldRow> completed;  // guesses that are held since the constraints leave them free
};

// Assembles the mechanism from its start values and guesses, and holds as many of the guesses as
// the constraints leave free, those that move most first.
Mobility complete_start(Plan& plan);

}  // namespace gradus
