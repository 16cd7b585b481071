// First-order states as mechanics. A state is the rate of a coordinate of its own, that of a disc
// with the moment of inertia 1 on which a joint force, its rate, acts. So every formulation,
// integrator, method and backend has states at its own order, whatever it does with rates: see
// docs/theory.md, section 18. What sets the rates of sampled ones is in kernels/stages/sample.hpp.
#pragma once

#include <string>
#include <vector>

#include "gradus/model.hpp"

namespace gradus {

// The name of the disc of a state, of its joint and of the force on it. States of forces are called
// "FORCE.STATE".
std::string disc_of_state(std::string state);

// The names of all states of a model, those of its forces among them.
std::vector<std::string> states_of(const Model& model);

// Whether a state is sampled rather than integrated: nothing acts on its disc, whose rate is set at
// the instants of sampling.
inline bool is_sampled(const State& state) {
  return state.every != 0.0;
}

// Whether the discs of the states are among the bodies already.
bool has_discs(const Model& model);

// The model with a disc for each state that has none yet, behind all others, and a sensor for each
// of the model's own.
Model with_discs(Model model);

}  // namespace gradus
