// First-order states as mechanics. A state is the rate of a coordinate of its own, that of a disc
// with the moment of inertia 1 on which a joint force, its rate, acts. So every formulation,
// integrator, method and backend has states at its own order, whatever it does with rates: see
// docs/theory.md, section 18. What sets the rates of sampled ones is in kernels/stages/sample.hpp.
// A state that a constraint reads is the coordinate itself: src/plan/followed_states.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gradus/model.hpp"

namespace gradus {

// `wanted`, or more, as a name that nothing in expressions has yet.
std::string free_name(const Model& model, const std::string& wanted);

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

// Null if the model has no state of that name of its own.
const State* find_state(const Model& model, std::string_view name);

// Whether constraints may read a state: it is one of the model and moves without jumps.
bool can_be_followed(const Model& model, std::string_view name);

// Whether a law names a sensor, itself or by definitions.
bool mentions(const Model& model, const Number& law, const std::string& sensor);

// Whether a law names a sensor of the state, itself or by definitions.
bool reads_state(const Model& model, const Number& law, std::string_view state);

// The sensor of the force that keeps a constraint; null if there is none.
const Sensor* find_force_sensor(const Model& model, std::string_view constraint);

// Whether the discs of the states are among the bodies already.
bool has_discs(const Model& model);

// A state that counts the turns of a coordinate "joint" or "joint.k" of a joint that is cut, with
// its disc; it begins at `initial`, less than half a turn from where the coordinate does.
void add_turn_count(const std::string& coordinate, const Number& initial, Model& model);

// The state that counts the turns of the coordinate; null if none does.
const State* find_turn_count(const Model& model, std::string_view coordinate);

inline bool is_impact(const Event& event) {
  return event.restitution || event.impulse;
}

// The state whose value is the size of the impulse of an impact, zero but in the impact itself.
std::string impulse_of(const Event& event);

// Whether nothing but events sets a state.
bool is_held(const Model& model, const State& state);

// The model with a disc for each state that has none yet, behind all others, a sensor for each of
// the model's own, one for the force of each constraint that follows states, and those of reactions
// that forces on joints read; and with a disc for each impulse.
Model with_discs(Model model);

}  // namespace gradus
