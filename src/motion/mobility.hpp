// What ties the tree of a mechanism, and how it is assembled at the start.
#pragma once

#include <string>
#include <vector>

#include "src/plan/plan.hpp"

namespace gradus {

// Names of what ties the tree beyond the joints that it is made of: cut joints and constraints, but
// not the normalisation of Euler parameters, nor, unless asked for, what holds at the start only.
// Each once, in the plan's order; none in an open tree.
std::vector<std::string> ties(const Plan& plan, bool at_start = false);

// "pendulum", "ball about x": what a row of the start holds.
std::string held_name(const Plan& plan, const HeldRow& row);

// A law of an algebraic unknown, and a component of a reaction that it reads.
struct OpenReading {
  int law;
  std::string signal;
};

// What the constraints do at the start, at the nominal parameters.
struct Mobility {
  int redundant = 0;               // equations beyond the rank of the constraints
  std::vector<HeldRow> completed;  // guesses that are held since the constraints leave them free
  std::vector<OpenReading> open_readings;  // of reactions that redundant equations share
};

// Assembles the mechanism from its start values and guesses, and holds as many of the guesses as
// the constraints leave free, those that move most first.
Mobility complete_start(Plan& plan, bool begins_beside);

}  // namespace gradus
