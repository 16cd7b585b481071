// Sensors that are formulas, against closed forms: a disc that turns at a constant rate w, with a
// tip at the radius r, and a ball that leaves x0 along the axis x at a constant speed u.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"

namespace gradus::derivative {
namespace {

constexpr double kDuration = 0.7;
constexpr std::array<double, 4> kNominal{0.4, 2.3, 1.1, 0.9};  // r, w, u, x0

Model disc_and_ball() {
  Model m;
  m.name = "disc and ball";
  m.parameters = {{"r", 0.4, "m", {}, ""},
                  {"w", 2.3, "rad/s", {}, ""},
                  {"u", 1.1, "m/s", {}, ""},
                  {"x0", 0.9, "m", {}, ""}};
  const Inertia inertia{0.1, 0.1, 0.1, 0, 0, 0, "com"};
  m.bodies = {make_body("disc", 1, {0, 0, 0}, inertia, {{"tip", {"r", 0, 0}}}),
              make_body("ball", 1, {0, 0, 0}, inertia, {})};
  m.bodies[0].vectors["arm"] = {"3*r", 0, 0};
  m.ground.vectors["along"] = {0.2, 0, 0};
  m.joints = {make_joint("axle", JointType::revolute, "ground", "disc", {0, 0, 1}, 0, "w"),
              make_joint("rail", JointType::prismatic, "ground", "ball", {1, 0, 0}, "x0", "u")};
  m.sensors = {{"fast", "speed", "disc.tip"},
               {"turn", "angle", "disc.arm", "ground.along"},
               {"parting", "distance_rate", "disc.tip", "ball"},
               {"seen", "relative_position", "disc.tip", "ball"},
               {"seen_pace", "relative_velocity", "disc.tip", "ball"},
               {"absolute", "relative_position", "ground", "ball"},
               {"absolute_pace", "relative_velocity", "ground", "ball"}};
  for (const char* value : {"fast", "turn", "parting", "seen.x", "seen.y", "seen_pace.x",
                            "seen_pace.y", "absolute.x", "absolute_pace.x"})
    m.objectives.push_back({value, ObjectiveKind::terminal, value, "", ""});
  m.analysis.duration = kDuration;
  m.analysis.step = 0.01;
  m.analysis.formulation = "semi-recursive";
  m.analysis.integrator = "rk4";
  return m;
}

std::array<double, 9> closed_form(const std::array<double, 4>& of) {
  const auto [r, w, u, x0] = of;
  const double turn = w * kDuration;
  const double x = x0 + u * kDuration;
  const double c = std::cos(turn);
  const double s = std::sin(turn);
  const double line[2] = {x - r * c, -r * s};
  const double rate[2] = {u + r * w * s, -r * w * c};
  return {r * w,
          turn,
          (line[0] * rate[0] + line[1] * rate[1]) / std::hypot(line[0], line[1]),
          x * c - r,
          -x * s,
          u * c - x * w * s,
          -u * s - x * w * c,
          x,
          u};
}

double slope(std::size_t objective, std::size_t parameter) {
  const double h = 1e-5;
  std::array<double, 4> above = kNominal;
  std::array<double, 4> below = kNominal;
  above[parameter] += h;
  below[parameter] -= h;
  return (closed_form(above)[objective] - closed_form(below)[objective]) / (2 * h);
}

TEST(SensorFormulas, FollowTheirClosedForms) {
  const std::array<double, 9> exact = closed_form(kNominal);
  for (const char* method : {"direct", "adjoint", "dual"}) {
    const Result r = run_gradient(disc_and_ball(), method);
    for (std::size_t o = 0; o < exact.size(); ++o) {
      EXPECT_NEAR(r.objective_values[o], exact[o], 1e-12) << r.objectives[o].name;
      for (std::size_t p = 0; p < kNominal.size(); ++p)
        EXPECT_NEAR(r.gradient[o * kNominal.size() + p], slope(o, p), 1e-8)
            << method << " d(" << r.objectives[o].name << ")/d(" << r.parameters[p].name << ")";
    }
  }
}

TEST(SensorFormulas, HaveUnits) {
  Options options;
  options.backend = "cpu:1";
  const Result r = simulate(disc_and_ball(), options);
  const auto unit = [&](std::size_t k) { return r.sensor_components[k].unit; };
  EXPECT_EQ(r.sensor_components.size(), 15U);
  EXPECT_EQ(unit(0), "m/s");
  EXPECT_EQ(unit(1), "rad");
  EXPECT_EQ(unit(2), "m/s");
  EXPECT_EQ(unit(3), "m");
  EXPECT_EQ(unit(6), "m/s");
}

// From rest the speed has a value and no derivative, and so has the angle of parallel vectors:
// gradients of what needs one fail.
TEST(SensorFormulas, FailWithoutDerivative) {
  Model rest = disc_and_ball();
  rest.parameters[1].value = 0;
  for (const char* value : {"fast", "turn"}) {
    rest.objectives = {{value, ObjectiveKind::integral, value, "", ""}};
    Options options;
    options.backend = "cpu:1";
    const Result r = simulate(rest, options);
    EXPECT_TRUE(r.all_ok());
    EXPECT_EQ(r.objective_values[0], 0.0);
    for (const char* method : {"direct", "adjoint", "dual"}) {
      options.method = method;
      const Result without = gradient(rest, options);
      EXPECT_FALSE(without.all_ok()) << value << method;
      EXPECT_NE(without.status[0].message.find("no derivative"), std::string::npos);
      EXPECT_TRUE(std::isnan(without.gradient[0]));
    }
  }
}

void expect_same_motion_at_end(const Model& a, const Model& b) {
  const Result ra = run_gradient(a, "direct");
  const Result rb = run_gradient(b, "direct");
  expect_equal_values(ra, rb, 1e-10);
  EXPECT_LT(largest_deviation(ra.gradient, rb.gradient, ra.parameters.size()), 1e-8);
}

// A damper by the rate of a distance is one by the rate of its own length.
TEST(SensorFormulas, AreWhatForcesMakeOfThem) {
  Model own = every_joint();
  own.sensors.push_back({"parting", "distance_rate", "ground.wall", "rod.tip"});
  own.parameters = {make_parameter("c", 0.4)};
  Model sensed = own;
  own.forces[0] = make_spring_law("s1", "ground.wall", "rod.tip", "31*(length - 0.6) + c*rate");
  sensed.forces[0] =
      make_spring_law("s1", "ground.wall", "rod.tip", "31*(length - 0.6) + c*parting");
  expect_same_motion_at_end(ended_after(10, own), ended_after(10, sensed));
}

// An angle that a constraint keeps is a product that it keeps. One coordinate is left to it, so
// that both begin at the same position.
TEST(SensorFormulas, AreWhatConstraintsMakeOfThem) {
  Model m = every_joint();
  for (Joint& joint : m.joints)
    if (joint.name == "pin")
      joint.start[0].position_is_guess = joint.start[0].velocity_is_guess = true;
  for (Body& body : m.bodies)
    if (body.name == "arm") body.vectors["mark"] = {1, 1, 2};
  m.parameters.push_back(make_parameter("tilt", 1.2));
  m.ground.vectors["up"] = {0, 3, 0};
  m.sensors.push_back({"lean", "angle", "arm.mark", "ground.up"});
  Model product = m;
  m.constraints = {{"kept", "expression", "", "", "lean - tilt - 0.3*sin(5*t)"}};
  product.constraints = {
      {"kept", "dot", "arm.mark", "ground.up", "3*sqrt(6)*cos(tilt + 0.3*sin(5*t))"}};
  expect_same_motion_at_end(ended_after(10, m), ended_after(10, product));
}

}  // namespace
}  // namespace gradus::derivative
