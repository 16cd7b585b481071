// States -> discs, joints, forces and sensors.
#include "src/model/states.hpp"

#include <algorithm>
#include <utility>

#include "src/model/force_kind.hpp"
#include "src/model/keys.hpp"

namespace gradus {
namespace {

std::string name_of_state(const Force& force, const ForceState& state) {
  return force.name + "." + std::string(state.name);
}

void add_disc(const std::string& disc, const Number& initial, Model& model) {
  Body body;
  body.name = disc;
  body.mass = 0;
  body.com = {0, 0, 0};
  body.inertia = {0.5, 0.5, 1, 0, 0, 0, "com"};
  Joint joint;
  joint.name = disc;
  joint.parent = "ground";
  joint.child = disc;
  // The search for an equilibrium has states for positions: kernels/stages/resting_states.hpp.
  if (model.start == keys::equilibrium)
    joint.start = {{initial, 0, false, false}};
  else
    joint.start = {{0, initial, false, false}};
  joint.cut = false;
  model.bodies.push_back(std::move(body));
  model.joints.push_back(std::move(joint));
}

Number initial_of(const Force& force, const ForceState& state) {
  const ForceValue* const said = force.find(state.initial);
  return said == nullptr ? Number(0) : said->number();
}

}  // namespace

std::string disc_of_state(std::string state) {
  std::replace(state.begin(), state.end(), '.', ' ');
  return "state " + state;
}

std::vector<std::string> states_of(const Model& model) {
  std::vector<std::string> states;
  for (const State& state : model.states) states.push_back(state.name);
  for (const Force& force : model.forces)
    for (const ForceState& state : states_of(force)) states.push_back(name_of_state(force, state));
  return states;
}

bool has_discs(const Model& model) {
  return std::any_of(model.states.begin(), model.states.end(),
                     [](const State& state) { return state.has_disc; }) ||
         std::any_of(model.forces.begin(), model.forces.end(),
                     [](const Force& force) { return force.has_discs; });
}

Model with_discs(Model model) {
  for (State& state : model.states) {
    if (std::exchange(state.has_disc, true)) continue;
    const std::string disc = disc_of_state(state.name);
    add_disc(disc, state.initial, model);
    if (!is_sampled(state))
      model.forces.push_back({disc, "joint-force", {{"joint", disc}, {"value", state.rate}}});
    model.sensors.push_back({state.name, "state", state.name});
  }
  for (Force& force : model.forces)
    if (!std::exchange(force.has_discs, true))
      for (const ForceState& state : states_of(force))
        add_disc(disc_of_state(name_of_state(force, state)), initial_of(force, state), model);
  return model;
}

}  // namespace gradus
