// States -> discs, joints, forces and sensors.
#include "src/model/states.hpp"

#include <utility>

namespace gradus {
namespace {

void add_disc(const State& state, Model& model) {
  Body body;
  body.name = disc_of_state(state.name);
  body.mass = 0;
  body.com = {0, 0, 0};
  body.inertia = {0.5, 0.5, 1, 0, 0, 0, "com"};
  Joint joint;
  joint.name = body.name;
  joint.parent = "ground";
  joint.child = body.name;
  joint.start = {{0, state.initial, false, false}};
  joint.cut = false;
  model.forces.push_back({body.name, "joint-force", {{"joint", body.name}, {"value", state.rate}}});
  model.sensors.push_back({state.name, SensorKind::state, state.name});
  model.bodies.push_back(std::move(body));
  model.joints.push_back(std::move(joint));
}

}  // namespace

Model with_discs(Model model) {
  for (State& state : model.states)
    if (!std::exchange(state.has_disc, true)) add_disc(State(state), model);
  return model;
}

}  // namespace gradus
