// Mechanisms whose start states and outputs are exchanged, and what one call takes and hands over.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/forces.hpp"
#include "tests/unit/mechanism/small_models.hpp"

namespace gradus::test {

inline Body rod(const std::string& name) {
  Body body;
  body.name = name;
  body.mass = "2*L";
  body.com = {"L/2", 0.05, 0.02};
  body.inertia.xx = 0.01;
  body.inertia.yy = "L^3/6";
  body.inertia.zz = "L^3/5";
  body.points["tip"] = {"L", 0, 0.1};
  return body;
}

// An open chain: a revolute, a spherical and a prismatic joint; no start value says how it begins.
inline Model open_chain() {
  Model model;
  model.name = "open chain";
  model.gravity = {0, -9.81, 0.5};
  model.parameters = {{"L", 0.5, "m", {}, ""}, {"k", 30.0, "N/m", {}, ""}};
  model.bodies = {rod("first"), rod("second"), rod("third")};
  Joint hinge;
  hinge.name = "hinge";
  hinge.parent = "ground";
  hinge.child = "first";
  Joint ball;
  ball.name = "ball";
  ball.type = JointType::spherical;
  ball.parent = "first.tip";
  ball.child = "second";
  Joint slide;
  slide.name = "slide";
  slide.type = JointType::prismatic;
  slide.parent = "second.tip";
  slide.child = "third";
  slide.axis = {1, 0, 0};
  model.joints = {hinge, ball, slide};
  model.forces.push_back(make_torsional_spring("spring", "slide", "k", 0.4, "0.1*L"));
  model.sensors = {{"tip", "position", "third.tip"},    {"spin", "angular_velocity", "second"},
                   {"turn", "coordinate", "ball"},      {"pull", "reaction_force", "hinge"},
                   {"coil", "applied_force", "spring"}, {"effort", "power", "spring"}};
  model.objectives = {{"height", ObjectiveKind::integral, "L*tip.y + dot(spin, spin)", "", ""},
                      {"end", ObjectiveKind::terminal, "tip.x^2 + k*L", "", ""},
                      {"middle", ObjectiveKind::value, "tip.z*k", "", "", {}, {0.02}}};
  model.analysis.duration = 0.04;
  model.analysis.step = 0.01;
  return model;
}

// A crank and a rocker about skew axes, and a coupler between them that spins on ball joints: of
// its three turns the loop leaves one free.
inline Model spatial_four_bar() {
  Model model;
  model.name = "spatial four-bar";
  model.gravity = {0.5, -9.81, 1.0};
  model.parameters = {{"L", 0.5, "m", {}, ""}, {"k", 3.0, "N m/rad", {}, ""}};
  model.ground.points["far"] = {"2*L", 0.1, 0.2};
  model.bodies = {rod("crank"), rod("coupler"), rod("rocker")};
  model.bodies[1].points["tip"] = {1.1, 0, 0};
  Joint hinge;
  hinge.name = "hinge";
  hinge.parent = "ground";
  hinge.child = "crank";
  hinge.start = {{1.0, 2.0, false, false}};
  Joint ball;
  ball.name = "ball";
  ball.type = JointType::spherical;
  ball.parent = "crank.tip";
  ball.child = "coupler";
  Joint far;
  far.name = "far";
  far.parent = "ground.far";
  far.child = "rocker";
  far.axis = {0.3, 0.2, 1};
  far.start = {{1.2, 0.0, true, true}};
  model.joints = {hinge, ball, far};
  Joint closing;
  closing.name = "closing";
  closing.type = JointType::spherical;
  closing.parent = "rocker.tip";
  closing.child = "coupler.tip";
  model.loops = {closing};
  model.forces.push_back(make_torsional_spring("spring", "far", "k", 0.4, 0.2));
  model.sensors = {{"mid", "position", "coupler.com"}, {"spin", "angular_velocity", "coupler"}};
  model.objectives = {{"height", ObjectiveKind::integral, "L*mid.y + dot(spin, spin)", "", ""}};
  model.analysis.duration = 0.02;
  model.analysis.step = 0.005;
  return model;
}

inline Model stewart_platform() {
  Model model = read_model(source_path("models/stewart-platform/stewart-platform.json"));
  model.analysis.duration = 0.01;
  model.analysis.step = 0.005;
  return model;
}

inline Model closed_five_bar() {
  Model model = short_five_bar();
  model.analysis.step = 5e-3;
  return model;
}

// Numbers of all inputs or all outputs of designs, kind by kind.
struct InputNumbers {
  std::vector<double> parameters, start_states;
  operator Inputs() const { return {parameters, start_states}; }
  InputArrays<double> to() { return {parameters, start_states}; }
};
struct OutputNumbers {
  std::vector<double> objectives, sensors, final_states;
  operator OutputArrays<const double>() const { return {objectives, sensors, final_states}; }
  Outputs to() { return {objectives, sensors, final_states}; }
};

inline OutputNumbers make_outputs(const Mechanism& m, std::size_t designs = 1) {
  const std::size_t components = m.exchanged_component_count();
  OutputNumbers numbers;
  numbers.objectives.resize(designs * m.objective_count());
  numbers.sensors.resize(designs * m.exchange().times.size() * components);
  numbers.final_states.resize(m.exchange().final_state ? designs * 2 * m.coordinate_count() : 0);
  return numbers;
}
inline InputNumbers make_inputs(const Mechanism& m, std::size_t designs = 1) {
  InputNumbers numbers;
  numbers.parameters.resize(designs * m.parameter_count());
  numbers.start_states.resize(m.exchange().start_states ? designs * 2 * m.coordinate_count() : 0);
  return numbers;
}

// Everything, at two times within the motion and at its end.
inline Exchange all_of(const Model& model) {
  Exchange exchange;
  exchange.start_states = true;
  exchange.final_state = true;
  exchange.times = {0.0, 0.5 * model.analysis.duration, model.analysis.duration};
  return exchange;
}

// Nominal parameters from start states that are not those of the model, one after another.
inline InputNumbers some_designs(const Mechanism& m, std::size_t designs) {
  InputNumbers at;
  const std::vector<double> start = m.start_state();
  for (std::size_t d = 0; d < designs; ++d) {
    for (const double p : m.nominal()) at.parameters.push_back(p);
    for (std::size_t c = 0; c < start.size(); ++c) {
      const double k = static_cast<double>(c + 3 * d);
      at.start_states.push_back(start[c] + 0.02 * std::sin(1.0 + k));
    }
  }
  return at;
}

inline void fill(std::vector<double>& numbers, double phase) {
  for (std::size_t k = 0; k < numbers.size(); ++k)
    numbers[k] = std::sin(phase + 1.3 * static_cast<double>(k));
}
inline void fill(InputNumbers& numbers, double phase) {
  fill(numbers.parameters, phase);
  fill(numbers.start_states, phase + 0.5);
}
inline void fill(OutputNumbers& numbers, double phase) {
  fill(numbers.objectives, phase);
  fill(numbers.sensors, phase + 0.5);
  fill(numbers.final_states, phase + 1.0);
}

// All numbers of the one or the other, in a row.
inline std::vector<double> row(const InputNumbers& n) {
  std::vector<double> all = n.parameters;
  all.insert(all.end(), n.start_states.begin(), n.start_states.end());
  return all;
}
inline std::vector<double> row(const OutputNumbers& n) {
  std::vector<double> all = n.objectives;
  all.insert(all.end(), n.sensors.begin(), n.sensors.end());
  all.insert(all.end(), n.final_states.begin(), n.final_states.end());
  return all;
}

}  // namespace gradus::test
