// States -> discs, joints, forces and sensors.
#include "src/model/states.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/force_kind.hpp"
#include "src/model/keys.hpp"
#include "src/model/lexer.hpp"

namespace gradus {
namespace {

std::string name_of_state(const Force& force, const ForceState& state) {
  return force.name + "." + std::string(state.name);
}

// The disc with its joint; the state is its rate, or, if a constraint follows it, its position.
void add_disc(const std::string& disc, const Number& initial, bool is_followed, Model& model) {
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
  if (is_followed || model.start == keys::equilibrium)
    joint.start = {{initial, 0, false, false}};
  else
    joint.start = {{0, initial, false, false}};
  joint.cut = false;
  model.bodies.push_back(std::move(body));
  model.joints.push_back(std::move(joint));
}

// The names that an expression mentions, and those that its definitions do. What cannot be read is
// told by who validates it.
std::unordered_set<std::string> mentioned(const Model& model, const Number& law) {
  std::unordered_set<std::string> found;
  std::vector<std::string> open;
  const auto open_names = [&](const std::string& text) {
    try {
      for (std::string& name : expression::names_in(text, ""))
        if (found.insert(name).second) open.push_back(std::move(name));
    } catch (const InputError&) {
    }
  };
  if (law.is_expression()) open_names(law.expression());
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    for (const Definition& definition : model.definitions)
      if (definition.name == name) open_names(definition.expression);
  }
  return found;
}

// What keeps a constraint has to be known where it is given back to a state.
void show_forces_on(const std::vector<std::string>& states, Model& model) {
  for (const Constraint& c : model.constraints)
    if (!c.at_start && std::any_of(states.begin(), states.end(), [&](const std::string& state) {
          return reads_state(model, c.value, state);
        }))
      model.sensors.push_back({free_name(model, "force_of_" + c.name), "constraint_force", c.name});
}

// What forces on joints read of their joints has to be known.
void show_loads_of_joints(Model& model) {
  const auto has = [&model](std::string_view kind, const std::string& joint) {
    return std::any_of(model.sensors.begin(), model.sensors.end(), [&](const Sensor& sensor) {
      return sensor.type == kind && sensor.target == joint;
    });
  };
  for (const Force& force : model.forces) {
    const ForceKind* const kind = find_force_kind(force.type);
    const Joint* const joint = joint_of(model, force);
    if (kind == nullptr || kind->on_joint == nullptr || joint == nullptr) continue;
    for (const std::string_view shown : kind->on_joint->reads(force, joint->type))
      if (!has(shown, joint->name))
        model.sensors.push_back({free_name(model, std::string(shown) + "_of_" + joint->name),
                                 std::string(shown), joint->name, "", true});
  }
}

void add_impulse(const Event& event, Model& model) {
  State state;
  state.name = impulse_of(event);
  state.unit = "N s";
  state.has_disc = true;
  state.impulse = event.name;
  add_disc(disc_of_state(state.name), 0, false, model);
  model.states.push_back(std::move(state));
}

Number initial_of(const Force& force, const ForceState& state) {
  const ForceValue* const said = force.find(state.initial);
  return said == nullptr ? Number(0) : said->number();
}

}  // namespace

std::string free_name(const Model& model, const std::string& wanted) {
  const auto has = [](const auto& elements, const std::string& name) {
    return std::any_of(elements.begin(), elements.end(),
                       [&](const auto& element) { return element.name == name; });
  };
  std::string name = wanted;
  for (char& c : name)
    if (!expression::is_identifier("_" + std::string(1, c))) c = '_';
  while (has(model.sensors, name) || has(model.parameters, name) || has(model.definitions, name) ||
         has(model.states, name))
    name += '_';
  return name;
}

std::string disc_of_state(std::string state) {
  std::replace(state.begin(), state.end(), '.', ' ');
  return "state " + state;
}

std::vector<std::string> states_of(const Model& model) {
  std::vector<std::string> states;
  for (const State& state : model.states) states.push_back(state.name);
  for (const Force& force : model.forces)
    for (const ForceState& state : states_of(model, force))
      states.push_back(name_of_state(force, state));
  return states;
}

bool has_discs(const Model& model) {
  return std::any_of(model.states.begin(), model.states.end(),
                     [](const State& state) { return state.has_disc; }) ||
         std::any_of(model.forces.begin(), model.forces.end(),
                     [](const Force& force) { return force.has_discs; });
}

const State* find_state(const Model& model, std::string_view name) {
  const auto found = std::find_if(model.states.begin(), model.states.end(),
                                  [name](const State& state) { return state.name == name; });
  return found == model.states.end() ? nullptr : &*found;
}

bool can_be_followed(const Model& model, std::string_view name) {
  const State* const state = find_state(model, name);
  return state != nullptr && !is_sampled(*state);
}

bool mentions(const Model& model, const Number& law, const std::string& sensor) {
  return mentioned(model, law).count(sensor) > 0;
}

bool reads_state(const Model& model, const Number& law, std::string_view state) {
  const std::unordered_set<std::string> names = mentioned(model, law);
  return names.count(std::string(state)) > 0 ||
         std::any_of(model.sensors.begin(), model.sensors.end(), [&](const Sensor& sensor) {
           return sensor.type == "state" && sensor.target == state && names.count(sensor.name) > 0;
         });
}

const Sensor* find_force_sensor(const Model& model, std::string_view constraint) {
  const auto found =
      std::find_if(model.sensors.begin(), model.sensors.end(), [&](const Sensor& sensor) {
        return sensor.type == "constraint_force" && sensor.target == constraint;
      });
  return found == model.sensors.end() ? nullptr : &*found;
}

void add_turn_count(const std::string& coordinate, const Number& initial, Model& model) {
  State state;
  state.name = "turns of " + coordinate;
  while (find_state(model, state.name) != nullptr) state.name += '_';
  state.initial = initial;
  state.unit = "rad";
  state.has_disc = true;
  state.turn = coordinate;
  add_disc(disc_of_state(state.name), state.initial, false, model);
  model.states.push_back(std::move(state));
}

const State* find_turn_count(const Model& model, std::string_view coordinate) {
  const auto found = std::find_if(model.states.begin(), model.states.end(),
                                  [&](const State& state) { return state.turn == coordinate; });
  return found == model.states.end() ? nullptr : &*found;
}

std::string impulse_of(const Event& event) {
  return "impulse of " + event.name;
}

bool is_held(const Model& model, const State& state) {
  const bool has_rate = state.rate.is_expression() || state.rate.value() != 0.0;
  return !has_rate && !is_sampled(state) && state.turn.empty() && state.impulse.empty() &&
         std::any_of(model.events.begin(), model.events.end(),
                     [&](const Event& event) { return event.set.count(state.name) > 0; });
}

Model with_discs(Model model) {
  for (Event& event : model.events)
    if (!std::exchange(event.has_disc, true) && is_impact(event)) add_impulse(event, model);
  std::vector<std::string> followed;
  for (State& state : model.states) {
    if (std::exchange(state.has_disc, true)) continue;
    model.sensors.push_back({state.name, "state", state.name});
    state.is_followed =
        can_be_followed(model, state.name) &&
        std::any_of(model.constraints.begin(), model.constraints.end(),
                    [&](const Constraint& c) { return reads_state(model, c.value, state.name); });
    const std::string disc = disc_of_state(state.name);
    add_disc(disc, state.initial, state.is_followed, model);
    if (state.is_followed)
      followed.push_back(state.name);
    else if (!is_sampled(state))
      model.forces.push_back({disc, "joint-force", {{"joint", disc}, {"value", state.rate}}});
  }
  show_forces_on(followed, model);
  show_loads_of_joints(model);
  for (Force& force : model.forces)
    if (!std::exchange(force.has_discs, true))
      for (const ForceState& state : states_of(model, force))
        add_disc(disc_of_state(name_of_state(force, state)), initial_of(force, state), false,
                 model);
  return model;
}

}  // namespace gradus
