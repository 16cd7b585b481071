// Motions that begin as points are said to be and to move, instead of coordinates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>

#include "gradus/error.hpp"
#include "gradus/gradus.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/messages.hpp"

namespace gradus::derivative {
namespace {

// Five-bar linkage whose two degrees of freedom are those of its middle point, of which parameters
// say where it starts and how fast.
Model led_by_a_point() {
  Model model = parametrise_plane(five_bar(false), {"position", "velocity"});
  model.sensors.push_back({"middle", "position", "a2.tip"});
  for (Joint& joint : model.joints)
    for (CoordinateStart& start : joint.start) {
      start.position_is_guess = start.velocity_is_guess = true;
    }
  return model;
}

struct Start {
  double x, y, vx, vy;
};

Start start_of(const Model& model) {
  Model sensed = model;
  sensed.sensors.push_back({"middle", "position", "a2.tip"});
  sensed.sensors.push_back({"pace", "velocity", "a2.tip"});
  Options options;
  options.record = true;
  options.backend = "cpu:1";
  const Result r = simulate(sensed, options);
  EXPECT_TRUE(r.all_ok()) << r.status[0].message;
  const auto value = [&](const std::string& name) {
    for (std::size_t k = 0; k < r.sensor_components.size(); ++k)
      if (r.sensor_components[k].name == name) return r.trajectories[0].sensors[k];
    ADD_FAILURE() << name;
    return 0.0;
  };
  return {value("middle.x"), value("middle.y"), value("pace.x"), value("pace.y")};
}

void lead(Model& model, const Start& start) {
  model.parameters.push_back(make_parameter("x0", start.x));
  model.parameters.push_back(make_parameter("y0", start.y));
  model.parameters.push_back(make_parameter("vx0", start.vx));
  model.parameters.push_back(make_parameter("vy0", start.vy));
  Constraint x{"x", "expression", "", "", "middle.x - x0 - vx0*t"};
  Constraint y{"y", "expression", "", "", "middle.y - y0 - vy0*t"};
  x.at_start = y.at_start = true;
  model.constraints.insert(model.constraints.end(), {x, y});
}

class StartConstraints : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(StartConstraints, BeginTheSameMotionAsCoordinates) {
  const Start start = start_of(five_bar(false));
  Model led = led_by_a_point();
  lead(led, start);
  Model plain = parametrise_plane(five_bar(false), {"position", "velocity"});
  plain.analysis.formulation = led.analysis.formulation = GetParam().first;
  plain.analysis.integrator = led.analysis.integrator = GetParam().second;
  plain.analysis.rtol = led.analysis.rtol = 1e-11;
  plain.analysis.atol = led.analysis.atol = 1e-12;
  const Result expected = run_gradient(plain, "direct");
  const Result result = run_gradient(led, "direct");
  ASSERT_FALSE(testing::Test::HasFailure());
  // Explicit methods close the loops with other coordinates held, which differs by the error of
  // steps.
  const bool same_steps = std::string(GetParam().first) == "ali3p";
  expect_equal_values(result, expected, same_steps ? 1e-10 : 1e-8);
}

TEST_P(StartConstraints, AreDifferentiatedExactly) {
  const Start start = start_of(five_bar(false));
  Model led = led_by_a_point();
  lead(led, start);
  led.analysis.formulation = GetParam().first;
  led.analysis.integrator = GetParam().second;
  led.analysis.rtol = 1e-11;
  led.analysis.atol = 1e-12;
  expect_exact_gradient(led);
}

INSTANTIATE_TEST_SUITE_P(Methods, StartConstraints,
                         testing::Values(std::pair{"ali3p", "newmark"},
                                         std::pair{"matrix-r", "dop853"},
                                         std::pair{"index1", "rk4"}),
                         [](const auto& named) {
                           std::string name = named.param.first;
                           name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                           return name;
                         });

// An open tree stays one: what ties it at the start does not tie its motion.
TEST(StartConstraintsOfATree, LeaveItOpen) {
  Model model;
  model.gravity = {0, -9.81, 0};
  model.bodies = {
      make_body("bob", 2.0, {0, -0.5, 0}, {0.1, 0.1, 0.1, 0, 0, 0}, {{"tip", {0, -1, 0}}})};
  model.joints = {make_guess("pin", JointType::revolute, "ground", "bob", {0, 0, 1}, 0.1)};
  model.parameters = {make_parameter("reach", 0.3), make_parameter("pace", 0.5)};
  model.sensors = {
      {"tip", "position", "bob.tip"}, {"angle", "coordinate", "pin"}, {"spin", "rate", "pin"}};
  model.objectives.push_back({"sum", ObjectiveKind::integral, "angle^2 + spin", "", ""});
  model.objectives.push_back({"end", ObjectiveKind::terminal, "tip.x*spin", "", ""});
  Constraint start{"start", "expression", "", "", "tip.x - reach - pace*t"};
  start.at_start = true;
  model.constraints = {start};
  model.analysis.duration = 0.1;
  model.analysis.step = 0.01;
  Options options;
  options.backend = "cpu:1";
  options.record = true;
  const std::pair<const char*, const char*> methods[] = {
      {"semi-recursive", "rk4"}, {"fully-recursive", "rk4"}, {"matrix-r", "rk4"},
      {"matrix-r", "dop853"},    {"index1", "rk4"},          {"penalty", "rk4"},
      {"ali3p", "newmark"}};
  for (const auto& [formulation, integrator] : methods) {
    SCOPED_TRACE(formulation);
    model.analysis.formulation = formulation;
    model.analysis.integrator = integrator;
    const Result r = simulate(model, options);
    ASSERT_TRUE(r.all_ok()) << r.status[0].message;
    EXPECT_NEAR(r.trajectories[0].coordinates[0], std::asin(0.3), 1e-12);
    EXPECT_NEAR(r.trajectories[0].rates[0], 0.5 / std::cos(std::asin(0.3)), 1e-12);
    expect_exact_gradient(model);
  }
}

TEST(StartConstraintsErrors, SayThatTheyAreTooMany) {
  const Start start = start_of(five_bar(false));
  Model led = led_by_a_point();
  lead(led, start);
  Constraint more{"more", "expression", "", "", "middle.x + middle.y - 0.1"};
  more.at_start = true;
  led.constraints.push_back(more);
  Options options;
  options.backend = "cpu:1";
  const Result r = simulate(led, options);
  ASSERT_FALSE(r.all_ok());
  std::cout << r.status[0].message << "\n";
}

// A driver says what the start is already.
TEST(StartConstraints, MustLeaveSomethingToDetermine) {
  const auto rod = [](const std::string& start) {
    return parse_model(R"json({"schema": "gradus-model/1", "name": "rod",
      "bodies": {"rod": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1},
                         "points": {"tip": [1, 0, 0]}}},
      "joints": {"q": {"type": "revolute", "parent": "ground", "child": "rod", "axis": [0, 0, 1],
                       "initial": {"position": {"guess": 0.0}}}},
      "sensors": {"tip": {"position": "rod.tip"}},
      "constraints": {"drive": {"coordinate": "q", "value": "0.5*sin(3*t)"},
                      "tip": {"expression": ")json" +
                       start + R"json(", "at": "start"}},
      "analysis": {"duration": 0.1}})json");
  };
  for (const char* start : {"tip.y - 0.5*t", "tip.y - 0.5*sin(3*t)"})
    test::expect_part(
        test::message_of([&] { simulate(rod(start)); }),
        "/constraints/tip: found 1 equation of the start, of which joints and the other "
        "constraints leave 0");
}

}  // namespace
}  // namespace gradus::derivative
