// The mechanisms that are timed.
#include "bench/models.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "src/study/benchmark/measurement.hpp"

namespace gradus::bench {
Model five_bar() {
  return read_model(GRADUS_SOURCE_DIR "/models/five-bar/five-bar.json");
}

Model slider_crank() {
  return read_model(GRADUS_SOURCE_DIR "/models/slider-crank/slider-crank-spring.json");
}

Model stewart_platform() {
  return read_model(GRADUS_SOURCE_DIR "/models/stewart-platform/stewart-platform.json");
}

namespace {

Body bar(const char* name, const char* mass, const char* length) {
  Body body;
  body.name = name;
  body.mass = mass;
  body.com = {std::string(length) + "/2", 0, 0};
  body.inertia.zz = std::string(mass) + "*" + length + "^2/12";
  body.points = {{"root", {0, 0, 0}}, {"tip", {length, 0, 0}}};
  return body;
}

Joint hinge(const char* name, const char* parent, const char* child, double angle, bool is_guess) {
  Joint joint;
  joint.name = name;
  joint.parent = parent;
  joint.child = child;
  joint.start = {{angle, is_guess ? 0.0 : 1.0, is_guess, is_guess}};
  return joint;
}

// The tip of an open chain held where it is, the start values being guesses then.
Model held(const char* name, Model model) {
  model.name = name + ("-" + std::to_string(model.bodies.size()));
  Options options;
  options.step = 1e-6;
  options.duration = 1e-6;
  options.formulation = "index1";
  options.integrator = "rk4";
  options.record = true;
  const Result start = simulate(model, options);
  const std::vector<double>& tip = start.trajectories.at(0).sensors;
  model.ground.points["held"] = {tip[0], tip[1], tip[2]};
  Joint loop;
  loop.name = "held";
  loop.type = JointType::spherical;
  loop.parent = "ground.held";
  loop.child = model.bodies.back().name + ".tip";
  model.loops = {loop};
  model.sensors[0].target = model.bodies[model.bodies.size() / 2].name + ".tip";
  for (Joint& joint : model.joints)
    for (CoordinateStart& coordinate : joint.start)
      coordinate.position_is_guess = coordinate.velocity_is_guess = true;
  return model;
}

}  // namespace

Model pendulum() {
  Model model;
  model.name = "pendulum";
  model.gravity = {0, -9.81, 0};
  model.parameters = {{"L", 0.5, "m", {}, ""}, {"m", 2.0, "kg", {}, ""}};
  model.bodies = {bar("rod", "m", "L")};
  model.joints = {hinge("hinge", "ground", "rod.root", 0.3, false)};
  model.sensors = {{"tip", "position", "rod.tip"}};
  model.objectives = {{"height", ObjectiveKind::integral, "tip.y", "m s", ""}};
  return model;
}

Model four_bar() {
  Model model;
  model.name = "four-bar";
  model.gravity = {0, -9.81, 0};
  model.parameters = {{"L1", 0.5, "m", {}, ""}, {"L2", 1.2, "m", {}, ""}, {"L3", 0.9, "m", {}, ""}};
  model.definitions = {{"m", "1.5"}};
  model.ground.points = {{"A", {0, 0, 0}}, {"B", {1.3, 0.1, 0}}};
  model.bodies = {bar("crank", "m", "L1"), bar("coupler", "m", "L2"), bar("rocker", "m", "L3")};
  model.joints = {hinge("A", "ground.A", "crank.root", 1.0, false),
                  hinge("C", "crank.tip", "coupler.root", -0.56, true),
                  hinge("B", "ground.B", "rocker.root", 1.85, true)};
  Joint loop;
  loop.name = "D";
  loop.parent = "coupler.tip";
  loop.child = "rocker.tip";
  model.loops = {loop};
  model.sensors = {{"tip", "position", "rocker.tip"}};
  model.objectives = {{"height", ObjectiveKind::integral, "tip.y", "m s", ""}};
  return model;
}

Model chain(int bodies, int parameters) {
  return chain_of_bars("chain", bodies, parameters, false);
}

Model planar_chain(int bodies, int parameters) {
  return chain_of_bars("planar-chain", bodies, parameters, true);
}

Model mixed_chain(int bodies) {
  Model model = chain(bodies, 0);
  model.name = "mixed-chain-" + std::to_string(bodies);
  for (std::size_t i = 1; i < model.joints.size(); i += 2) {
    Joint& joint = model.joints[i];
    const bool spherical = i % 4 == 3;
    joint.type = spherical ? JointType::spherical : JointType::cardan;
    if (spherical) joint.axis.reset();
    joint.start.assign(spherical ? 4 : 2, CoordinateStart());
    joint.start[0].position = spherical ? 1.0 : 0.2;
  }
  return model;
}

Model held_chain(int bodies) {
  return held("held-chain", chain(bodies, 0));
}

Model driven_chain(int bodies) {
  Model bent = mixed_chain(bodies);  // where all lie in a plane, the start is singular
  for (Joint& joint : bent.joints)
    if (joint.type == JointType::cardan) joint.start[1].position = 0.3;
  Model model = held("driven-chain", std::move(bent));
  const double start = model.joints[0].start[0].position.value();
  model.constraints = {
      {"drive", "coordinate", model.joints[0].name, "", std::to_string(start) + " + 0.1*sin(5*t)"}};
  return model;
}

}  // namespace gradus::bench
