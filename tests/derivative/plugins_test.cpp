// Forces of plug-ins against the same forces as laws of the model: the same numbers, by every
// method, on every backend; and their own derivatives.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::derivative {
namespace {

// Loaded before any test runs.
const bool loaded = [] {
  load_plugin(GRADUS_TEST_PLUGIN);
  return true;
}();

// Joints of every kind, and sensors that the laws use.
Model mechanism() {
  Model m = every_joint();
  for (Body& body : m.bodies)
    if (body.name == "plate") body.points["grip"] = {0.17, -0.08, 0.11};
  m.ground.points["anchor"] = {0.6, -0.4, 0.3};
  m.parameters = {make_parameter("k", 9.1),    make_parameter("rest", 0.4),
                  make_parameter("beat", 2.7), make_parameter("c", 0.7),
                  make_parameter("lag", 0.3),  make_parameter("size", 0.8)};
  const std::vector<Sensor> more{
      {"near", "position", "plate.grip"},   {"far", "velocity", "plate.grip"},
      {"spin", "angular_velocity", "rod"},  {"slide", "coordinate", "sleeve"},
      {"slip", "rate", "sleeve"},           {"carried", "reaction_force", "pin"},
      {"shaken", "acceleration", "rod.tip"}};
  m.sensors.insert(m.sensors.end(), more.begin(), more.end());
  m.analysis.duration = 0.06;
  return m;
}

const std::string command = "2*sin(beat*t)*(1 + spin.x) + 0.3*near.y";
const std::string head_wind = "0.2*far.x";

// The same, where what is added to two of the laws reads a reaction and an acceleration.
struct Added {
  std::string command, head_wind;
};
const Added nothing{};
const Added reactions{" + 0.05*carried.x*beat - 0.1*shaken.y", " + 0.1*carried.z"};

Model with_plugin(const Added& added = nothing) {
  Model m = mechanism();
  m.forces.push_back({"muscle",
                      "muscle",
                      {{"from", "ground.anchor"},
                       {"to", "plate.grip"},
                       {"stiffness", "k"},
                       {"rest", "rest"},
                       {"command", command + added.command}}});
  m.forces.push_back({"brake",
                      "brake",
                      {{"joint", "sleeve.0"},
                       {"forwards", "c"},
                       {"backwards", "2*c"},
                       {"lag", "lag"},
                       {"start", "0.1*k"},
                       {"kind", "fade"}}});
  m.forces.push_back({"wind",
                      "wind",
                      {{"at", "plate.grip"},
                       {"drag", {"c", 0.5, "c*beat"}},
                       {"wind", {"sin(beat*t)", head_wind + added.head_wind, 0.4}}}});
  m.forces.push_back({"gyro", "gyro", {{"body", "rod"}, {"size", "size"}, {"beat", "beat"}}});
  m.sensors.push_back({"warm", "state", "brake.warmth"});
  m.sensors.push_back({"turned", "state", "brake.turns"});
  m.objectives.push_back({"warmth", ObjectiveKind::integral, "warm^2 + turned", "", ""});
  return m;
}

Model with_laws(const Added& added = nothing) {
  Model m = mechanism();
  m.definitions = {
      {"forced", command + added.command},
      {"held", "-(c*max(slip.0, 0) + 2*c*min(slip.0, 0)) - 0.3*slide.0"},
      {"gyro_size", "size*sin(beat*t)"},
  };
  std::string law =
      "k*(length - rest) + tanh(rate) + (asin(0.3*sin(X)) + acos(0.3*cos(X)) + atan(X) + "
      "atan2(rate, 1 + X*X) + tan(0.1*X)) + (sinh(0.1*rate) + cosh(0.1*rate) + exp(-X) + "
      "log(1 + X*X) + sqrt(2 + X) + (1 + X*X)^1.5) - (abs(rate) + min(X, 0.7) + max(rate, 0))/4 + "
      "forced";
  for (std::size_t at = law.find('X'); at != std::string::npos; at = law.find('X', at))
    law.replace(at, 1, "(length - rest)");
  m.forces.push_back(make_spring_law("muscle", "ground.anchor", "plate.grip", law));
  m.forces.push_back(make_joint_force("brake", "sleeve.0", "held*exp(-warm) + 0.1*turned"));
  const auto blown = [](const std::string& drag, const std::string& wind, const std::string& k) {
    return drag + "*(" + wind + " - far." + k + ")*(1 + 0.5*near.y)";
  };
  m.forces.push_back(
      make_force("wind", "plate.grip",
                 {blown("c", "sin(beat*t)", "x"), blown("0.5", head_wind + added.head_wind, "y"),
                  blown("c*beat", "0.4", "z")}));
  m.forces.push_back(
      make_torque("gyro", "rod", {"-gyro_size*spin.y", "gyro_size*spin.x", "-0.1*norm(spin)"}));
  m.states = {{"warm", "slip.0*slip.0 - warm/lag", "0.1*k"}, {"turned", "slip.0", 0}};
  m.objectives.push_back({"warmth", ObjectiveKind::integral, "warm^2 + turned", "", ""});
  return m;
}

void expect_the_same(Model plugin, Model laws, const std::string& formulation) {
  plugin.analysis.formulation = laws.analysis.formulation = formulation;
  for (const char* method : {"direct", "adjoint", "dual"}) {
    const Result a = run_gradient(plugin, method), b = run_gradient(laws, method);
    ASSERT_EQ(a.objective_values.size(), b.objective_values.size());
    for (std::size_t o = 0; o < a.objective_values.size(); ++o)
      EXPECT_NEAR(a.objective_values[o], b.objective_values[o],
                  1e-13 * std::max(1.0, std::abs(b.objective_values[o])))
          << formulation << method << o;
    EXPECT_LT(largest_deviation(a.gradient, b.gradient, a.parameters.size()), 1e-11)
        << formulation << " " << method;
  }
}

TEST(Plugins, ComputeWhatLawsCompute) {
  for (const char* formulation : {"ali3p", "semi-recursive", "fully-recursive"})
    expect_the_same(with_plugin(), with_laws(), formulation);
}

TEST(Plugins, ReadReactionsAsLawsDo) {
  Model plugin = with_plugin(reactions), laws = with_laws(reactions);
  plugin.analysis.integrator = laws.analysis.integrator = "rk4";  // the same steps of both
  for (const char* formulation : {"semi-recursive", "matrix-r"})
    expect_the_same(plugin, laws, formulation);
  plugin.analysis.formulation = "semi-recursive";
  for (const char* integrator : {"rk4", "radau5"}) {
    plugin.analysis.integrator = integrator;
    expect_exact_gradient(ended_after(6, plugin));
  }
}

// One force that a law can state in the same order is the same to the bit.
TEST(Plugins, AreLawsToTheBit) {
  Model plugin = mechanism(), law = mechanism();
  plugin.forces.push_back({"gyro", "gyro", {{"body", "rod"}, {"size", "size"}, {"beat", "beat"}}});
  law.definitions = {{"gyro_size", "size*sin(beat*t)"}};
  law.forces.push_back(
      make_torque("gyro", "rod", {"-gyro_size*spin.y", "gyro_size*spin.x", "-0.1*norm(spin)"}));
  Options options;
  options.designs.count = 9;
  options.designs.spread = 0.02;
  for (const char* backend : {"cpu:2", "debug"})
    for (const std::string method : {"direct", "adjoint", "dual"}) {
      if (method == "dual" && backend[0] != 'c') continue;
      options.backend = backend;
      options.method = method;
      const Result a = gradient(plugin, options), b = gradient(law, options);
      ASSERT_TRUE(a.all_ok()) << a.status[0].message;
      EXPECT_EQ(a.objective_values, b.objective_values) << backend << method;
      EXPECT_EQ(a.gradient, b.gradient) << backend << method;
    }
}

// A force between two bodies, and what sensors show of it. It stores no energy for them.
Model tied(const std::string& type) {
  Model m = mechanism();
  for (auto o = m.objectives.begin(); o != m.objectives.end();)
    o = o->name.find("energy") != std::string::npos ? m.objectives.erase(o) : o + 1;
  m.forces.push_back(make_bushing("rubber", "rod.tip", "plate.grip", {"k", 7.0, 5.0},
                                  {"c", 0.5, 0.4}, {1.1, "0.2*k", 1.7}, {0.04, 0.05, "0.1*c"}));
  m.forces.back().type = type;
  m.parameters = {make_parameter("k", 9.1), make_parameter("c", 0.7), make_parameter("beat", 2.7)};
  m.sensors.push_back({"pressed", "applied_force", "rubber"});
  m.sensors.push_back({"wrung", "applied_torque", "rubber"});
  m.sensors.push_back({"taken", "power", "rubber"});
  m.objectives.push_back({"load", ObjectiveKind::integral,
                          "dot(pressed, [1, 2, 3]) + dot(wrung, wrung) + taken", "", ""});
  return m;
}

// And one that no model can state, which is the slope of nothing.
Model with_rubber() {
  Model m = tied("rubber");
  m.forces.back()["progression"] = "2*c";
  m.forces.back()["preload"] = "3*sin(beat*t) + spin.y";
  return m;
}

TEST(Plugins, TieBodiesAsBushingsDo) {
  for (const char* formulation : {"ali3p", "semi-recursive", "fully-recursive"})
    expect_the_same(tied("rubber"), tied("bushing"), formulation);
  EXPECT_GT(std::abs(run_gradient(with_rubber(), "direct").objective_values.back() /
                         run_gradient(tied("rubber"), "direct").objective_values.back() -
                     1.0),
            1e-3);
}

TEST(Plugins, HaveExactGradients) {
  expect_exact_gradient(ended_after(6, with_plugin()));
  expect_exact_gradient(ended_after(6, with_rubber()));
}

TEST(Plugins, AreTheSameEverywhere) {
  Options options;
  options.designs.count = 9;
  options.designs.spread = 0.02;
  expect_same_bits_everywhere(with_plugin(), options);
  expect_same_bits_everywhere(with_rubber(), options);
}

Model disc() {
  Model m = test::one_body("disc", 1.0, "axle", JointType::revolute, {0, 0, 1}, 0.0, 0.0, "angle");
  m.bodies[0].inertia = {1, 1, 1, 0, 0, 0, "com"};
  m.parameters = {{"size", 500.0, "", {}, ""}, {"at", 0.7, "", {}, ""}};
  m.sensors.push_back({"w", "rate", "axle"});
  m.objectives = {{"rate", ObjectiveKind::terminal, "w", "", ""}};
  m.analysis.duration = 2.0;
  m.analysis.formulation = "auto";
  return m;
}

// A body at rest sees nothing of a blow to come: what a formula says of time alone is known before
// the motion. 4 ms of it are 4/3 of 2 ms times the size.
TEST(Plugins, AreFoundByStepsWhenTheyWakeUp) {
  Model m = disc();
  m.forces = {{"blow", "blow", {{"joint", "axle"}, {"size", "size"}, {"at", "at"}}}};
  const Result r = run_gradient(m, "direct");
  EXPECT_NEAR(r.objective_values[0], 500.0 * 0.002 * 4 / 3, 1e-8);
  EXPECT_NEAR(r.gradient[0], 0.002 * 4 / 3, 1e-10);
  EXPECT_NEAR(r.gradient[1], 0.0, 1e-6);
  // The same hidden in a law that the formula makes a pulse of: the half sides of a parabola.
  m.forces = {
      {"blow",
       "blow",
       {{"joint", "axle"}, {"size", 0}, {"at", 0}, {"signal", "size*(1 - ((t - at)/0.002)^2)"}}}};
  EXPECT_NEAR(run_gradient(m, "direct").objective_values[0], 500.0 * 0.002 * 4 / 3, 1e-8);
}

// A key that is positive: a design in which it is not fails, and the others do not.
TEST(Plugins, FailDesignsWithoutAPositiveKey) {
  Options options;
  options.backend = "cpu:1";
  const Model m = with_plugin();
  std::vector<double> designs;
  for (const double k : {9.1, -1.0}) {
    for (const Parameter& p : m.parameters) designs.push_back(p.value.value());
    designs[designs.size() - m.parameters.size()] = k;
  }
  options.designs.values = designs;
  const Result r = gradient(m, options);
  EXPECT_TRUE(r.status[0].ok) << r.status[0].message;
  EXPECT_FALSE(r.status[1].ok);
}

TEST(Plugins, AreSensed) {
  Model m = with_plugin();
  m.sensors.push_back({"pull", "tension", "muscle"});
  m.sensors.push_back({"push", "applied_force", "brake"});
  m.sensors.push_back({"blown", "applied_force", "wind"});
  m.sensors.push_back({"twist", "applied_torque", "gyro"});
  m.sensors.push_back({"power", "power", "wind"});
  Model laws = with_laws();
  laws.sensors.insert(laws.sensors.end(), m.sensors.end() - 5, m.sensors.end());
  Options options;
  options.backend = "cpu:1";
  options.record = true;
  const Result a = simulate(m, options), b = simulate(laws, options);
  ASSERT_TRUE(a.all_ok() && b.all_ok());
  const std::size_t n = a.sensor_components.size();
  ASSERT_EQ(n, b.sensor_components.size());
  std::size_t compared = 0;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j) {
      if (a.sensor_components[k].name != b.sensor_components[j].name) continue;
      ++compared;
      EXPECT_NEAR(a.trajectories[0].sensors[3 * n + k], b.trajectories[0].sensors[3 * n + j],
                  1e-11 * std::max(1.0, std::abs(b.trajectories[0].sensors[3 * n + j])))
          << a.sensor_components[k].name;
    }
  EXPECT_GT(compared, 25U);
}

}  // namespace
}  // namespace gradus::derivative
