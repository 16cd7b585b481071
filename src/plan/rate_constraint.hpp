// Nonholonomic constraints on their way into a plan: an expression psi of velocities, and linear in
// them, is kept at 0. docs/theory.md, section 24.
#pragma once

#include <functional>
#include <string>

#include "src/plan/draft.hpp"

namespace gradus {

// psi, as a node of the law that is asked.
using RateFormula = std::function<expression::Node(LawWriter&)>;

struct RateConstraint {
  RateFormula formula;
  std::string name;   // of the force or constraint that it belongs to
  std::string where;  // for messages
};

// Keeps psi at 0 from the start on: velocities begin so, and a force of its own, which works on psi
// alone, keeps it there. Returns the number of the algebraic unknown that is the size of the force.
// Throws InputError where psi reads no velocities, is not linear in them, or reads what has no
// second derivative.
int add_rate_constraint(Draft& draft, const RateConstraint& constraint);

// Of the velocities at the start alone.
void add_start_rate(Draft& draft, const RateConstraint& constraint);

// What the force of unknown number `unknown` delivers to the mechanism.
expression::Node power_of_rate(LawWriter& law, const RateFormula& formula, int unknown);

// The nonholonomic constraints of the model. After the forces.
void add_rate_constraints(Draft& draft);

}  // namespace gradus
