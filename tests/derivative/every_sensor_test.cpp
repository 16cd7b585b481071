// A sensor of every kind that there is, in objectives and where laws may use it: gradients of whole
// runs, and the same bits on a device.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "src/model/force_kind.hpp"
#include "src/model/sensor_kind.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"

namespace gradus::derivative {
namespace {

// What sensors name in a mechanism.
struct Places {
  std::string point, second_point, vector, second_vector, body, joint;
};

// The first of these that the kind can be of; none if there is no such thing in the model.
std::vector<Sensor> first_of(const Model& model, const SensorKind& kind,
                             const std::vector<std::string>& targets) {
  for (const std::string& target : targets) {
    const Sensor sensor{"", std::string(kind.key), target};
    try {
      if (kind.check != nullptr) kind.check(model, References(model), sensor, "");
      return {sensor};
    } catch (const InputError&) {
    }
  }
  return {};
}

template <class Element>
std::vector<std::string> names_of(const std::vector<Element>& elements) {
  std::vector<std::string> names;
  for (const Element& element : elements) names.push_back(element.name);
  return names;
}

std::vector<Sensor> sensors_of(const Model& model, const SensorKind& kind, const Places& at) {
  const std::string key(kind.key);
  switch (kind.of) {
    case SensorOf::point:
      return {{"", key, at.point}};
    case SensorOf::two_points:
      return {{"", key, at.point, at.second_point}};
    case SensorOf::vector:
      return {{"", key, at.vector}};
    case SensorOf::two_vectors:
      return {{"", key, at.vector, at.second_vector}};
    case SensorOf::body:
      return {{"", key, at.body}};
    case SensorOf::joint:
    case SensorOf::joint_or_loop:
      return {{"", key, at.joint}};
    case SensorOf::force:
      return first_of(model, kind, names_of(model.forces));
    case SensorOf::constraint:
      return first_of(model, kind, names_of(model.constraints));
    case SensorOf::state:
      return first_of(model, kind, names_of(model.states));
    case SensorOf::system:
      break;
  }
  std::vector<Sensor> all;
  for (const std::string_view choice : kind.choices) all.push_back({"", key, std::string(choice)});
  return all;
}

// A number made of all components.
std::string mixed(const Model& model, const Sensor& sensor) {
  const int size = sensor_size(model, sensor);
  if (size == 1) return sensor.name;
  if (size == 3) return "dot(" + sensor.name + ", [1, -0.6, 0.8])";
  std::string sum = "0";
  for (int k = 0; k < size; ++k)
    sum += " + " + std::to_string(0.7 + 0.4 * k) + "*" + sensor.name + "." + std::to_string(k);
  return "(" + sum + ")";
}

// The model with an objective of each, and small shares of those that laws can use in such laws: of
// a force that reads what `place` allows, and, where that is more than every formulation takes, of
// the rate of a state.
Model with_every_sensor(Model model, const Places& at, LawPlace place) {
  model.objectives.clear();
  std::string motion, positions;
  for (const SensorKind* const kind : sensor_kinds())
    for (Sensor sensor : sensors_of(model, *kind, at)) {
      sensor.name = "every_" + std::to_string(model.sensors.size());
      model.sensors.push_back(sensor);
      const std::string value = mixed(model, sensor);
      model.objectives.push_back({sensor.type + " " + sensor.target, ObjectiveKind::integral,
                                  value + "*(1 + t) + 0.1*" + value + "^2", "", ""});
      if (is_usable_in(place, *kind)) motion += " + 0.02*" + value;
      if (is_usable_in(LawPlace::constraint, *kind))
        positions += " + 0.1*t*" + value;  // which leaves the start
    }
  for (Force& force : model.forces)
    if (force.name == "servo") force["value"] = force["value"].text() + motion;
  for (Constraint& constraint : model.constraints)
    if (constraint.name == "guide") constraint.value = constraint.value.expression() + positions;
  if (place == LawPlace::force) {
    model.states.push_back({"mixture", "-3*mixture" + motion, 0.1});
    model.objectives.push_back(
        {"mixture", ObjectiveKind::integral, "mixture^2 + mixture*t", "", ""});
  }
  return model;
}

Model only(const Model& model, const std::vector<std::string>& paths) {
  return parametrise(model, [&](const std::string& path) {
    return std::find(paths.begin(), paths.end(), path) != paths.end();
  });
}

// What laws of every formulation may use.
constexpr LawPlace kEverywhere = LawPlace::sample;

Model tree(LawPlace place = kEverywhere) {
  Model m = every_force();
  m.ground.vectors["up"] = {0.3, -0.2, 1.1};
  // So large that they touch all the time.
  m.forces.push_back({"skid",
                      "contact",
                      {{"from", "ground.anchor"},
                       {"to", "knob.grip"},
                       {"normal", Vector3{0.2, -0.1, 1}},
                       {"radius", 3.0},
                       {"stiffness", 0.4},
                       {"damping", 0.1},
                       {"dynamic", 0.3},
                       {"transition_speed", 5.0}}});
  m.forces.push_back({"tread",
                      "tyre",
                      {{"from", "yoke.grip"},
                       {"to", "plate.grip"},
                       {"height", "0.1*sin(3*surface_x + t)*surface_y"},
                       {"axis", Vector3{0.3, 1, -0.2}},
                       {"radius", 2.0},
                       {"stiffness", 0.7},
                       {"damping", 0.2},
                       {"longitudinal_friction", 0.8},
                       {"critical_slip", 0.6},
                       {"lateral_friction", 0.5},
                       {"critical_angle", 0.7},
                       {"least_speed", 2.0}}});
  m = with_every_sensor(m, {"plate.grip", "rod.grip", "rod.mark", "ground.up", "rod", "cross"},
                        place);
  return only(
      m, {"mass ball", "com rod.y", "inertia plate.xy", "point rod.grip.z", "point plate.grip.x",
          "vector rod.mark.y", "axis sleeve.x", "child_axis pin.y", "stiffness s1", "damping s2",
          "gravity.y", "position socket.1", "velocity socket.2", "load wind.y"});
}

// Little friction, in a hinge or slide.
Force rubbing(const Model& model, const std::string& name) {
  Force force{"rub", "joint-friction", {{"joint", name}, {"load", "force"}}};
  for (const char* const coefficient : {"static", "dynamic"}) force[coefficient] = 0.05;
  force["transition_speed"] = 0.2;
  force["smoothing"] = 0.1;
  for (const Joint& joint : model.joints)
    if (joint.name == name && joint.type == JointType::revolute) force["radius"] = 0.02;
  return force;
}

Model loops(LawPlace place = kEverywhere) {
  Model m = guided_loop();
  m.bodies[3].vectors["mark"] = {0.4, 0.7, -0.5};
  m.bodies[8].vectors["mark"] = {-0.3, 0.8, 0.6};
  const auto mark = [&](std::size_t body) { return m.bodies[body].name + ".mark"; };
  m.forces.push_back(rubbing(m, "j3"));
  m = with_every_sensor(m, {"b4.tip", "c4.tip", mark(3), mark(8), "c2", "j3"}, place);
  return only(m,
              {"mass b2", "mass c3", "point b4.tip.y", "point c4.tip.x", "axis j3.y", "axis k2.x",
               "vector " + mark(3) + ".x", "gravity.y", "position j3", "velocity j3"});
}

// `formulation` and `integrator` of a model, as few steps as serve.
Model run_by(Model m, const char* formulation, const char* integrator) {
  m = ended_after(4, m);
  m.analysis.formulation = formulation;
  m.analysis.integrator = integrator;
  return m;
}

TEST(EverySensor, OfTreesHasExactGradients) {
  expect_exact_gradient(run_by(tree(), "ali3p", "newmark"));
  expect_exact_gradient(run_by(tree(), "semi-recursive", "rk4"));
}

TEST(EverySensor, OfLoopsHasExactGradients) {
  expect_exact_gradient(run_by(loops(), "ali3p", "newmark"));
  expect_exact_gradient(run_by(loops(), "index1", "rk4"));
}

// Accelerations, reactions and what constraints exert among them: forces that are found together
// with what they read.
TEST(EverySensor, OfLawsOfForcesHasExactGradients) {
  expect_exact_gradient(run_by(tree(LawPlace::force), "semi-recursive", "rk4"));
  for (const char* formulation : {"index1", "matrix-r"})
    expect_exact_gradient(run_by(loops(LawPlace::force), formulation, "rk4"));
}

// Nothing of a kind is left out for want of what it could be of.
TEST(EverySensor, IsThere) {
  const Model in_tree = tree();
  const Model in_loops = loops();
  for (const SensorKind* const kind : sensor_kinds()) {
    const auto is_kind = [&](const Sensor& sensor) {
      return sensor.type == kind->key && sensor.name.rfind("every_", 0) == 0;
    };
    const auto has = [&](const Model& m) {
      return std::any_of(m.sensors.begin(), m.sensors.end(), is_kind);
    };
    EXPECT_TRUE(has(in_tree) || has(in_loops)) << kind->key;
    EXPECT_FALSE(kind->formula == nullptr && kind->write == nullptr) << kind->key;
  }
}

TEST(EverySensor, HasTheSameBitsInLanesAndOnADevice) {
  Options options;
  options.designs.count = 9;
  options.designs.spread = 1e-3;
  expect_same_bits_everywhere(run_by(tree(), "ali3p", "newmark"), options);
  expect_same_bits_everywhere(run_by(loops(), "index1", "rk4"), options);
  expect_same_bits_everywhere(run_by(loops(LawPlace::force), "index1", "rk4"), options);
}

}  // namespace
}  // namespace gradus::derivative
