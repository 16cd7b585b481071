// Whole-run gradients by parameters of unusual kinds: used in many places, without effect, of any
// size, where derivatives do not exist.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"

namespace gradus::derivative {
namespace {

// One parameter that is a length, a mass, a stiffness, a rate, part of an axis and of gravity, and
// appears in definitions and objectives; and two that meet it in expressions.
Model crowded(Model m) {
  m.parameters = {make_parameter("p", 0.35), make_parameter("angle", 0.4),
                  make_parameter("s", "sqrt(2)/2"), make_parameter("only objective", 1.3)};
  m.parameters[3].name = "w";
  m.definitions = {{"twice", "2*p"},
                   {"tip", "[twice/2 + 0.1*s, 0.05, 0.1*p*s]"},
                   {"direction", "[sin(angle)*p, 0.3, cos(angle)]"}};
  m.bodies[0].mass = "1 + p^2";
  m.bodies[0].points["tip"] = {"tip.x", "tip.y", "tip.z"};
  m.bodies[1].com = {"0.1 + s*0.1", "0.2*p", "-0.1*p*angle"};
  m.bodies[2].inertia.xy = "0.001*p*s";
  m.joints[0].axis = {"direction.x", "direction.y", "direction.z"};
  m.joints[0].start[0].velocity = "p + angle";
  m.joints[2].child_axis = Vector3{"direction.z", "direction.x", 0.4};
  m.forces[0]["stiffness"] = "60*p";
  m.forces[1]["length"] = "norm(tip)";
  m.forces[0]["damping"] = "s";
  m.gravity = {"p", -9.5, "angle"};
  m.objectives.push_back({"direct", ObjectiveKind::integral,
                          "w*p*r.x + angle*t + dot(tip, v) + twice*kinetic", "", ""});
  m.objectives.push_back(
      {"at the end", ObjectiveKind::terminal, "w*dot(tip, r) + s*total*p + t*q", "", ""});
  for (Objective& objective : m.objectives) objective.expression += " + 0.01*w*q";
  return m;
}

TEST(Parameters, OneInManyPlaces) {
  expect_exact_gradient(crowded(skew_chain()));
}

TEST(Parameters, OneInManyPlacesOfALoop) {
  Model m = four_bar(3);
  m.parameters = {make_parameter("p", 0.5), make_parameter("m", 1.1)};
  m.definitions = {{"long", "2.4*p"}};
  m.bodies[0].points["tip"][0] = "p";
  m.bodies[0].com[0] = "p/2";
  m.bodies[0].mass = "m";
  m.bodies[1].points["tip"][0] = "long";
  m.bodies[1].com[0] = "long/2";
  m.bodies[1].mass = "m*long";
  m.bodies[1].inertia.zz = "m*long^3/12";
  m.forces[0]["length"] = "1.6*p";
  m.joints[0].start[0].position = "2*p";
  m.objectives.push_back({"direct", ObjectiveKind::integral, "m*p*q*t + long*r.y", "", ""});
  m.objectives.push_back({"at the end", ObjectiveKind::terminal, "m*total + p*r.x", "", ""});
  expect_exact_gradient(m);
}

TEST(Parameters, WithoutEffectHaveZeroColumns) {
  Model m = parametrise(four_bar(3), [](const std::string& path) {
    return path.rfind("guess", 0) == 0 || path == "mass crank" || path == "com coupler.z";
  });
  m.parameters.push_back(make_parameter("idle", 1.0));
  const Result direct = run_gradient(m, "direct");
  const std::size_t count = m.parameters.size();
  ASSERT_EQ(count, 5U);
  for (std::size_t o = 0; o < m.objectives.size(); ++o)
    for (std::size_t p = 0; p < count; ++p) {
      const double entry = direct.gradient[o * count + p];
      if (m.parameters[p].name == "mass_crank")
        EXPECT_GT(std::abs(entry), 1e-6);
      else
        EXPECT_LT(std::abs(entry), 1e-14) << m.parameters[p].name;
    }
}

// The step of differences is relative to parameters above one: here 1e-6 itself would leave five
// digits.
TEST(Parameters, AboveOneHaveDifferencesOfTheirSize) {
  Model m = skew_chain();
  m.analysis.duration = m.analysis.step;
  m.parameters = {make_parameter("large", 1e6)};
  m.objectives = {{"square", ObjectiveKind::terminal, "1e-12*large^2 + 0*q", "", ""}};
  EXPECT_NEAR(run_gradient(m, "finite-difference").gradient[0], 2e-6, 1e-8 * 2e-6);
}

// Nothing but this sensor asks for the points and axes that it sees.
TEST(Parameters, OfWhatASingleSensorSees) {
  const std::vector<Sensor> sensors{
      {"s", "position", "b4.tip"},           {"s", "velocity", "b4.tip"},
      {"s", "acceleration", "b4.tip"},       {"s", "angular_velocity", "b4"},
      {"s", "distance", "b1.tip", "b4.tip"}, {"s", "distance", "b4.tip", "b1.tip"}};
  for (const Sensor& sensor : sensors) {
    Model m = skew_chain();
    m.forces.pop_back();
    m.forces.pop_back();
    m.sensors = {sensor};
    const bool is_scalar = sensor.type == "distance";
    const bool is_of_point = sensor.type != "angular_velocity";
    m.objectives = {
        {"end", ObjectiveKind::terminal, is_scalar ? "s" : "dot(s, [1, 2, -0.5])", "", ""}};
    m.analysis.duration = 5 * m.analysis.step;
    m = parametrise(m, [&](const std::string& path) {
      return path == "mass b4" || path == "axis j4.x" || (is_of_point && path == "point b4.tip.y");
    });
    ASSERT_EQ(m.parameters.size(), is_of_point ? 3U : 2U);
    expect_exact_gradient(m);
  }
}

TEST(Parameters, ArraysInEveryPlace) {
  Model m = skew_chain();
  add_array(m, "m", {1.3, 0.9, 0.7, 0.5, 0.3, 0.2});
  add_array(m, "p", {0.42, 0.1, -0.06});
  m.definitions = {{"load", "sum(m)"}, {"profile", "[m[5], m[4], 1, m[3]]"}};
  for (std::size_t k = 0; k < 4; ++k) m.bodies[k].mass = "m[" + std::to_string(k) + "]";
  m.bodies[0].points["tip"] = {"p[0]", "p[1]", "p[2]"};
  m.forces[0]["stiffness"] = "10*dot(profile, [1, 2, 3, 4])";
  m.forces[1]["damping"] = "0.1*load";
  m.objectives.push_back(
      {"direct", ObjectiveKind::integral, "load*r.x + dot(p, [r.x, r.y, r.z]) + m[5]*q", "", ""});
  expect_exact_gradient(m);
}

// The same length, written in other units: columns scale with the unit, which is no reason to fail.
TEST(Parameters, OfAnyUnit) {
  std::vector<double> reference;
  for (const double unit : {1.0, 1e-3, 1e-6, 1e-9, 1e6}) {
    SCOPED_TRACE(unit);
    Model m = four_bar(3);
    m.analysis.tolerance = 1e-10;
    m.analysis.step = 2e-3;
    m.parameters = {make_parameter("p", unit)};
    std::ostringstream length;
    length.precision(17);
    length << 0.5 / unit << "*p";
    m.bodies[0].points["tip"][0] = length.str();
    for (const char* method : {"direct", "dual"}) {
      Result r = run_gradient(m, method);
      for (double& entry : r.gradient) entry *= unit;
      if (reference.empty()) reference = r.gradient;
      EXPECT_LT(largest_deviation(reference, r.gradient, 1), 1e-8) << method;
    }
  }
}

// At the default tolerance, whose last increments Newton's method leaves, for coarse and fine steps
// alike.
TEST(Parameters, DefaultToleranceIsEnough) {
  const auto some = [](const std::string& path) {
    return path == "mass b2" || path == "com b3.y" || path == "axis j3.x" || path == "damping s1" ||
           path == "gravity.z" || path == "com rocker.y" || path == "point crank.tip.x" ||
           path == "mass coupler";
  };
  for (const Model& mechanism : {skew_chain(), four_bar(3)})
    for (const double step : {1e-2, 1e-3, 1e-4}) {
      Model m = parametrise(mechanism, some);
      m.analysis.tolerance = Analysis().tolerance;
      m.analysis.step = step;
      m.analysis.duration = 200 * step;
      const Result direct = run_gradient(m, "direct");
      const Result dual = run_gradient(m, "dual");
      EXPECT_LT(largest_deviation(dual.gradient, direct.gradient, m.parameters.size()), 1e-9)
          << m.name << " step " << step;
    }
}

// The square root has no derivative at 0.
TEST(Parameters, WithoutDerivativeAreReported) {
  Model m =
      parametrise(skew_chain(), [](const std::string& path) { return path.rfind("mass", 0) == 0; });
  m.parameters.insert(m.parameters.begin(), make_parameter("root", 0.0));
  m.parameters.push_back(make_parameter("more", 1.0));
  m.parameters.push_back(make_parameter("last", 1.0));
  m.forces[0]["length"] = "0.6 + sqrt(root)";
  for (const char* method : {"direct", "dual"}) {
    SCOPED_TRACE(method);
    Options options;
    options.backend = "cpu:1";
    options.method = method;
    const Result r = gradient(m, options);
    EXPECT_FALSE(r.all_ok());
    for (const double entry : r.gradient) EXPECT_TRUE(std::isnan(entry));
  }
  EXPECT_TRUE(simulate(m).all_ok());
}

}  // namespace
}  // namespace gradus::derivative
