// States at an equilibrium: controllers that hold loads, filters and actuators at rest against
// closed forms, what keeps its initial value, and derivatives through all of it.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::derivative {
namespace {

using test::expect_part;

constexpr double kFall = 9.81;

// A block of mass m on a vertical rail, which it begins far from where it will rest.
Model block() {
  Model m = test::one_body("block", "m", "rail", JointType::prismatic, {0, 0, 1}, 0.7, 0.0, "x");
  m.gravity = {0, 0, "-g"};
  m.parameters = {{"m", 2.5, "", {}, ""}, {"g", kFall, "", {}, ""}};
  m.sensors.push_back({"v", "rate", "rail"});
  m.start = "equilibrium";
  m.analysis.duration = 0.01;
  m.analysis.step = 0.001;
  return m;
}

void add_parameters(Model& m, const std::vector<std::pair<std::string, double>>& parameters) {
  for (const auto& [name, value] : parameters) m.parameters.push_back({name, value, "", {}, ""});
}

// Objectives: what the sensors show at time 0.
void show_start(Model& m, const std::vector<std::string>& expressions) {
  for (const std::string& expression : expressions) {
    m.objectives.push_back({expression, ObjectiveKind::value, expression, "", ""});
    m.objectives.back().at = {0.0};
  }
}

struct Expected {
  double value;
  std::vector<double> gradient;
};

void expect_closed_forms(const Model& m, const std::vector<Expected>& rows) {
  for (const char* method : {"direct", "adjoint", "dual"}) {
    const Result r = run_gradient(m, method);
    ASSERT_TRUE(r.all_ok());
    for (std::size_t o = 0; o < rows.size(); ++o) {
      const Expected& row = rows[o];
      EXPECT_NEAR(r.objective_values[o], row.value, 1e-13 * (1 + std::abs(row.value)))
          << method << " " << m.objectives[o].name;
      for (std::size_t p = 0; p < row.gradient.size(); ++p)
        EXPECT_NEAR(r.gradient[o * m.parameters.size() + p], row.gradient[p],
                    1e-12 * (1 + std::abs(row.gradient[p])))
            << method << " d " << m.objectives[o].name << " / d " << m.parameters[p].name;
    }
  }
}

// A spring of stiffness k from x0, and a PI controller that brings the block to `aim`.
Model held_block() {
  Model m = block();
  add_parameters(m, {{"kp", 300.0}, {"ki", 80.0}, {"k", 40.0}, {"x0", 0.1}, {"aim", 0.4}});
  m.states = {{"wound", "aim - x", 1.7}};
  m.forces = {make_joint_force("spring", "rail", "-k*(x - x0) - 3*v"),
              make_joint_force("motor", "rail", "kp*(aim - x) + ki*wound")};
  return m;
}

TEST(RestingStates, IntegralsHoldLoads) {
  Model m = held_block();
  show_start(m, {"wound", "x"});
  const double load = 2.5 * kFall + 40 * (0.4 - 0.1);
  expect_closed_forms(
      m, {{load / 80,
           {kFall / 80, 2.5 / 80, 0, -load / 6400, (0.4 - 0.1) / 80, -40.0 / 80, 40.0 / 80}},
          {0.4, {0, 0, 0, 0, 0, 0, 1}}});
  EXPECT_EQ(describe(m).start, "equilibrium, stable");
}

// The state of a pid-controller is the force of its integral part.
TEST(RestingStates, AreThoseOfForcesToo) {
  for (const char* saturation : {"", "smooth"}) {
    Model m = block();
    add_parameters(m, {{"ki", 80.0}, {"aim", 0.4}, {"top", 60.0}});
    Force pid{"pid",
              "pid-controller",
              {{"joint", "rail"},
               {"target", "aim"},
               {"proportional", 300},
               {"integral", "ki"},
               {"derivative", 20}}};
    const double load = 2.5 * kFall;
    Expected part{load, {kFall, 2.5, 0, 0, 0}};
    if (*saturation != '\0') {
      pid["limit"] = "top";
      pid["saturation"] = saturation;
      const double share = load / 60;
      const double slope = 1 / (1 - share * share);
      part = {60 * std::atanh(share),
              {kFall * slope, 2.5 * slope, 0, 0, std::atanh(share) - share * slope}};
    }
    m.forces = {pid};
    m.sensors.push_back({"part", "state", "pid.integral"});
    show_start(m, {"part", "x"});
    expect_closed_forms(m, {part, {0.4, {0, 0, 0, 1, 0}}});
    EXPECT_EQ(describe(m).start, "equilibrium, stable") << saturation;
  }
}

// Filters, one behind the other, of a block on a spring: they show where it rests, and change
// nothing about that.
TEST(RestingStates, FiltersShowTheirInput) {
  Model m = block();
  add_parameters(m, {{"k", 400.0}, {"gain", 3.0}});
  m.states = {{"first", "(gain*x^2 - first)/0.02", 5}, {"second", "(first - second)/0.1", -3}};
  m.forces = {make_joint_force("spring", "rail", "-k*x")};
  show_start(m, {"second", "x"});
  const double x = -2.5 * kFall / 400;
  const double slope = 2 * 3 * x;
  expect_closed_forms(
      m,
      {{3 * x * x, {slope * -kFall / 400, slope * -2.5 / 400, slope * 2.5 * kFall / 160000, x * x}},
       {x, {-kFall / 400, -2.5 / 400, 2.5 * kFall / 160000, 0}}});
  EXPECT_EQ(describe(m).start, "equilibrium, stable");
  m.states[1].rate = "(second - first)/0.1";
  EXPECT_EQ(describe(m).start, "equilibrium, unstable in \"state second\"");
}

// A cylinder whose valve follows the position: the pressure carries the load, and leakage lets the
// position give way to it. Stiffnesses are unlike by 15 decades.
TEST(RestingStates, PressuresCarryLoads) {
  Model m = block();
  add_parameters(m, {{"area", 2e-3}, {"valve", 2e-4}, {"leak", 4e-12}, {"aim", 0.4}});
  m.states = {{"p", "1.5e12*(valve*(aim - x) - leak*p - area*v)", 1e5, "Pa"}};
  m.forces = {make_joint_force("piston", "rail", "area*p")};
  show_start(m, {"1e-4*p", "x"});
  const double p = 2.5 * kFall / 2e-3;
  const double give = 4e-12 * p / 2e-4;
  expect_closed_forms(
      m, {{1e-4 * p, {1e-4 * p / 2.5, 1e-4 * p / kFall, -1e-4 * p / 2e-3, 0, 0, 0}},
          {0.4 - give, {-give / 2.5, -give / kFall, give / 2e-3, give / 2e-4, -give / 4e-12, 1}}});
  EXPECT_EQ(describe(m).start, "equilibrium, stable");
}

// A hanging rod keeps to its stable equilibrium, wherever it begins, and whether something watches
// it or acts on it by a rate that it has filtered.
TEST(RestingStates, LeaveTheWayDown) {
  for (const char* law : {"0", "-0.3*rate"})
    for (const double position : {0.1, 1.5, -3.0}) {
      Model m =
          test::one_body("rod", 2.0, "hinge", JointType::revolute, {0, 0, 1}, position, 0.0, "q");
      m.bodies[0].com = {0.4, 0, 0};
      m.bodies[0].inertia = {0.1, 0.1, 0.2, 0, 0, 0, "com"};
      m.gravity = {0, -kFall, 0};
      m.parameters = {{"beat", 20.0, "", {}, ""}};
      m.sensors.push_back({"w", "rate", "hinge"});
      m.states = {{"seen", "(q - seen)*beat", 4}, {"rate", "(w - rate)*beat", 2}};
      m.forces = {make_joint_force("brake", "hinge", law)};
      m.start = "equilibrium";
      m.analysis.duration = 0.01;
      show_start(m, {"q", "seen", "rate"});
      const Result r = run_gradient(m, "direct");
      EXPECT_NEAR(r.objective_values[0], -std::acos(0.0), 1e-12) << law << position;
      EXPECT_NEAR(r.objective_values[1], -std::acos(0.0), 1e-12) << law << position;
      EXPECT_NEAR(r.objective_values[2], 0.0, 1e-12) << law << position;
      EXPECT_EQ(describe(m).start, "equilibrium, stable");
    }
}

// What nothing brings to rest stays what it was, and loads the equilibrium as it is: what
// velocities alone change, powers among it, samples, and what is of a joint that is driven.
TEST(RestingStates, KeepWhatNothingMoves) {
  Model m = block();
  add_parameters(m, {{"k", 400.0}, {"s0", 0.2}, {"u0", 30.0}, {"e0", 4.0}});
  State sampled;
  sampled.name = "u";
  sampled.next = "-x";
  sampled.every = 0.005;
  sampled.offset = 0.005;
  sampled.initial = "u0";
  m.states = {{"travelled", "v", "s0"}, {"work", "-k*x*v", "e0"}, sampled};
  m.forces = {make_joint_force("spring", "rail", "-k*x + 50*travelled + u + work")};
  show_start(m, {"x", "travelled", "u", "work"});
  const double load = -2.5 * kFall + 50 * 0.2 + 30 + 4;
  expect_closed_forms(
      m,
      {{load / 400, {-kFall / 400, -2.5 / 400, -load / 160000, 50.0 / 400, 1.0 / 400, 1.0 / 400}},
       {0.2, {0, 0, 0, 1, 0, 0}},
       {30, {0, 0, 0, 0, 1, 0}},
       {4, {0, 0, 0, 0, 0, 1}}});
  expect_part(describe(m).start, "equilibrium, of unknown stability (forces read states that are");
  m.states = {{"wound", "0.3 - x", "s0"}};
  m.forces = {make_joint_force("motor", "rail", "50*wound")};
  m.constraints = {{"drive", "coordinate", "rail", "", 0.3}};
  m.joints[0].start[0].position_is_guess = m.joints[0].start[0].velocity_is_guess = true;
  m.objectives.clear();
  show_start(m, {"wound"});
  expect_closed_forms(m, {{0.2, {0, 0, 0, 1, 0, 0}}});
  EXPECT_EQ(describe(m).start, "equilibrium, stable");
}

std::string failure_of(const Model& m) {
  Options options;
  options.backend = "cpu:1";
  const Result r = simulate(m, options);
  return r.all_ok() ? "no failure" : r.status[0].message;
}

TEST(RestingStates, ThatCannotRestAreNamed) {
  Model m = held_block();
  m.states.push_back({"clock", 1, 0});
  expect_part(failure_of(m), "the rate of \"state clock\" does not vanish");
  m.states.back() = {"path", "x", 0};  // of a position that is 0.4
  expect_part(failure_of(m), "the rate of \"state path\" does not vanish");
  m.states.back() = {"error", "(aim - x)^2", 0};  // is none there
  EXPECT_EQ(failure_of(m), "no failure");
  m.states.back() = {"far", "2 + (far - x)^2", 0};
  expect_part(failure_of(m), "no static equilibrium was found");
  m.states.pop_back();
  m.forces[1]["value"] = "20*tanh(kp*(aim - x) + ki*wound)";  // and cannot hold the block
  expect_part(failure_of(m), "the rate of \"state wound\" does not vanish");
}

// Nothing moves: the motion stays where it begins.
TEST(RestingStates, StartMotionsAtRest) {
  Model m = held_block();
  m.states.push_back({"seen", "(x - seen)*30", 0});
  m.analysis.duration = 0.5;
  m.objectives = {{"x", ObjectiveKind::terminal, "x - aim", "", ""},
                  {"v", ObjectiveKind::terminal, "v", "", ""},
                  {"wound", ObjectiveKind::terminal, "wound", "", ""},
                  {"seen", ObjectiveKind::terminal, "seen - aim", "", ""}};
  const double load = 2.5 * kFall + 40 * (0.4 - 0.1);
  for (const char* formulation : {"ali3p", "semi-recursive", "fully-recursive"}) {
    m.analysis.formulation = formulation;
    const Result r = run_gradient(m, "direct");
    for (const std::size_t k : {0U, 1U, 3U})
      EXPECT_NEAR(r.objective_values[k], 0.0, 1e-11) << formulation << k;
    EXPECT_NEAR(r.objective_values[2], load / 80, 1e-11) << formulation;
  }
}

TEST(RestingStates, TellWhetherTheyAreStable) {
  Model m = held_block();
  m.forces[0]["value"] = "-k*(x - x0)";  // x''' + 0 x'' + ...: an integral without damping grows
  expect_part(describe(m).start, "equilibrium, unstable in \"rail\"");
  m.states[0].rate = "aim - x - wound/0.5";
  m.states.push_back({"filtered", "(v - filtered)/0.01", 0});
  m.forces[0]["value"] = "-k*(x - x0) - 30*filtered";
  EXPECT_EQ(describe(m).start, "equilibrium, stable");
  m.forces[0]["value"] = "-k*(x - x0) + 30*filtered";
  expect_part(describe(m).start, "equilibrium, unstable in \"rail\"");
}

const char* const kControlledFourBar = R"json({ "schema": "gradus-model/1", "name": "four-bar",
  "gravity": [0, -9.81, 0],
  "parameters": { "m": 1.2, "a": 0.3, "b": 0.8, "k": 60, "v": 0.4, "aim": 0.8, "ki": 7, "beat": 9,
                  "s0": 0.3, "u0": 0.2 },
  "ground": { "points": { "A": [0, 0, 0], "D": [0.9, 0, 0], "S": [0.2, 0.9, 0] } },
  "bodies": {
    "crank": { "mass": "m", "com": ["a/2", 0, 0], "inertia": { "xx": 0.01, "yy": 0.01, "zz": 0.01 },
               "points": { "B": ["a", 0, 0] } },
    "coupler": { "mass": "2*m", "com": ["b/2", 0.05, 0],
                 "inertia": { "xx": 0.05, "yy": 0.05, "zz": 0.05 },
                 "points": { "C": ["b", 0, 0], "P": ["b/2", 0.1, 0] } },
    "rocker": { "mass": "m", "com": [0.3, 0, 0],
                "inertia": { "xx": 0.02, "yy": 0.02, "zz": 0.02 }, "points": { "C": [0.6, 0, 0] } } },
  "joints": {
    "A": { "type": "revolute", "parent": "ground.A", "child": "crank",
           "initial": { "position": 1.0, "velocity": "v" } },
    "B": { "type": "revolute", "parent": "crank.B", "child": "coupler",
           "initial": { "position": { "guess": -0.6 } } },
    "D": { "type": "revolute", "parent": "ground.D", "child": "rocker",
           "initial": { "position": { "guess": 2.0 } } } },
  "loops": { "C": { "type": "revolute", "parent": "coupler.C", "child": "rocker.C" } },
  "states": {
    "wound": { "rate": "aim - q - 0.1*wound" },
    "seen": { "rate": "(P.x - seen)*beat", "initial": 2 },
    "stroke": { "rate": "speed" },
    "speed": { "rate": "beat^2*(0.3*q + P.y - stroke) - 2*speed" },
    "travelled": { "rate": "w", "initial": "s0" },
    "u": { "next": "0.2*u + q - 0.5*seen", "every": 0.02, "offset": 0.02, "initial": "u0" } },
  "forces": {
    "spring": { "type": "spring-damper", "from": "ground.S", "to": "coupler.P",
                "stiffness": "k", "damping": 1, "length": 0.35 },
    "motor": { "type": "joint-force", "joint": "A",
               "value": "20*(aim - q) + ki*wound + 2*stroke - 0.5*travelled + u - seen" } },
  "start": "equilibrium",
  "sensors": { "q": { "coordinate": "A" }, "w": { "rate": "A" }, "P": { "position": "coupler.P" } },
  "objectives": { "end": { "terminal": "P.x + q + wound + speed" },
                  "path": { "integral": "dot(P, P) + stroke*wound + u*seen" } },
  "analysis": { "duration": 0.04, "step": 0.01 } })json";

const char* const kControlledBox =
    R"json({ "schema": "gradus-model/1", "name": "box", "gravity": [1, -9.81, 2],
  "parameters": { "m": 3, "k": 900, "kt": 12, "x": 0.15, "w": 0.3, "ki": 40, "beat": 6, "s0": 0.4 },
  "bodies": { "box": { "mass": "m", "com": ["x", 0.05, -0.04],
                       "inertia": { "xx": 0.15, "yy": 0.17, "zz": 0.18, "xy": 0.005 },
                       "points": { "P": [0.2, 0.1, 0.1] } } },
  "joints": { "free": { "type": "floating", "parent": "ground", "child": "box",
                        "initial": { "position": [0, 0, 0, 1, 0, 0, 0],
                                     "velocity": [0, 0, 0, "w", 0, 0.1] } } },
  "states": {
    "wound": { "rate": "0.1 - P.y - 0.2*wound" },
    "seen": { "rate": "(P.x*P.z - seen)*beat", "initial": 2 },
    "travelled": { "rate": "vP.y", "initial": "s0" } },
  "forces": {
    "mount": { "type": "bushing", "from": "ground", "to": "box", "stiffness": ["k", "2*k", "k"],
               "damping": [5, 5, 5], "torsional_stiffness": ["kt", "kt", "2*kt"] },
    "push": { "type": "force", "at": "box.P", "axes": "body",
              "components": ["0.4*m + travelled", "ki*wound", "0.3 + seen + sin(t)"] } },
  "start": "equilibrium",
  "sensors": { "P": { "position": "box.P" }, "vP": { "velocity": "box.P" } },
  "objectives": { "end": { "terminal": "P.x + P.y + wound + seen" },
                  "path": { "integral": "dot(P, P) + wound*travelled + 3*seen" } },
  "analysis": { "duration": 0.04, "step": 0.01 } })json";

class RestingStatesOf : public testing::TestWithParam<test::Method> {};

TEST_P(RestingStatesOf, HaveExactGradients) {
  const test::Method& method = GetParam();
  Model m = parse_model(method.formulation.loops ? kControlledFourBar : kControlledBox);
  method.use_closely_in(m);
  expect_exact_gradient(m, tolerances_of(method));
}

INSTANTIATE_TEST_SUITE_P(Methods, RestingStatesOf, testing::ValuesIn(test::tested_methods(false)),
                         [](const auto& method) { return method.param.label(); });

TEST(RestingStates, HaveTheSameBitsInLanesAndOnDevices) {
  for (const char* text : {kControlledFourBar, kControlledBox})
    for (const char* method : {"direct", "adjoint"}) {
      Options options;
      options.method = method;
      options.designs.count = 11;
      options.designs.spread = 0.05;
      options.formulation = "ali3p";
      expect_same_bits_everywhere(parse_model(text), options);
    }
}

TEST(RestingStates, GoThroughProductsWithTheJacobian) {
  const Mechanism mechanism(parse_model(kControlledFourBar));
  const Result r = mechanism.gradient();
  ASSERT_TRUE(r.all_ok()) << r.status[0].message;
  Session session(mechanism);
  const std::vector<double> at(mechanism.nominal().begin(), mechanism.nominal().end());
  const std::vector<double> direction{0.3, -0.1, 0.2, 5, 0.4, -0.2, 0.7, 0.5, 0.1, -0.3};
  std::vector<double> along(2);
  EXPECT_EQ(session.jacobian_vector(at, direction, along), 0U);
  for (std::size_t o = 0; o < 2; ++o) {
    double sum = 0.0;
    for (std::size_t p = 0; p < 10; ++p) sum += r.gradient[10 * o + p] * direction[p];
    EXPECT_NEAR(along[o], sum, 1e-8 * std::abs(sum)) << o;
  }
}

}  // namespace
}  // namespace gradus::derivative
