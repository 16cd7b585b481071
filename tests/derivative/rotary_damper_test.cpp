// A disc that a rotary damper stops, against its closed form: w' = -(a + b w) w / J.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "gradus/run.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::derivative {
namespace {

Model disc() {
  Model m = test::one_body("disc", 1.0, "axle", JointType::revolute, {0, 0, 1}, 0.0, "w0", "angle");
  m.bodies[0].inertia = {1, 1, 0.4, 0, 0, 0, "com"};
  m.parameters = {{"a", 0.3, "", {}, ""}, {"b", 0.2, "", {}, ""}, {"w0", 5.0, "", {}, ""}};
  m.forces = {
      {"damper", "rotary-damper", {{"joint", "axle"}, {"linear", "a"}, {"quadratic", "b"}}}};
  m.sensors.push_back({"w", "rate", "axle"});
  m.sensors.push_back({"p", "power", "damper"});
  m.objectives = {{"rate", ObjectiveKind::terminal, "w", "", ""},
                  {"work", ObjectiveKind::integral, "p", "", ""}};
  m.analysis.duration = 1.5;
  m.analysis.step = 2e-3;
  m.analysis.formulation = "semi-recursive";
  m.analysis.integrator = "rk4";
  return m;
}

double rate_of_disc(double a, double b, double w0, double t, double inertia = 0.4) {
  const double left = std::exp(-a * t / inertia);
  return a * w0 * left / (a + b * w0 * (1.0 - left));
}

TEST(RotaryDamper, StopsADiscAsTheClosedFormSays) {
  const double a = 0.3, b = 0.2, w0 = 5.0, t = 1.5, step = 1e-5;
  const double w = rate_of_disc(a, b, w0, t);
  const double by[3] = {
      (rate_of_disc(a + step, b, w0, t) - rate_of_disc(a - step, b, w0, t)) / (2 * step),
      (rate_of_disc(a, b + step, w0, t) - rate_of_disc(a, b - step, w0, t)) / (2 * step),
      (rate_of_disc(a, b, w0 + step, t) - rate_of_disc(a, b, w0 - step, t)) / (2 * step)};
  for (const char* method : {"direct", "adjoint", "dual"}) {
    Options options;
    options.method = method;
    options.backend = "cpu:1";
    const Result r = gradient(disc(), options);
    ASSERT_TRUE(r.all_ok()) << r.status[0].message;
    EXPECT_NEAR(r.objective_values[0], w, 1e-10);
    EXPECT_NEAR(r.objective_values[1], 0.2 * (w * w - w0 * w0), 1e-9);
    for (std::size_t p = 0; p < 3; ++p) {
      EXPECT_NEAR(r.gradient[p], by[p], 1e-8) << method << p;
      EXPECT_NEAR(r.gradient[3 + p], 0.4 * (w * by[p] - (p == 2 ? w0 : 0.0)), 1e-8) << method << p;
    }
  }
}

// It slows down what turns backwards, too.
TEST(RotaryDamper, ActsAgainstBothDirections) {
  Model m = disc();
  m.parameters[2].value = -5.0;
  Options options;
  options.backend = "cpu:1";
  EXPECT_NEAR(simulate(m, options).objective_values[0], -rate_of_disc(0.3, 0.2, 5.0, 1.5), 1e-10);
}

// A trial step in which stages run away to infinity is too long, and not one without an error.
TEST(RotaryDamper, IsFollowedHoweverStiff) {
  for (const double b : {87.2, 1e3, 1e4, 3e4, 1e6})
    for (const double w0 : {3.0, 13.0}) {
      Model m = disc();
      m.bodies[0].inertia = {0.05, 0.05, 0.05, 0, 0, 0, "com"};
      m.parameters[1].value = b;
      m.parameters[2].value = w0;
      m.analysis.formulation = "auto";
      m.analysis.integrator = "";
      m.analysis.step = 1e-3;
      Options options;
      options.backend = "cpu:1";
      const Result r = gradient(m, options);
      ASSERT_TRUE(r.all_ok()) << b << " " << w0 << " " << r.status[0].message;
      const double exact = rate_of_disc(0.3, b, w0, 1.5, 0.05);
      EXPECT_NEAR(r.objective_values[0], exact, 1e-6 * exact + 1e-9) << b << " " << w0;
    }
}

TEST(RotaryDamper, IsChecked) {
  const auto message = [](const Model& m) -> std::string {
    try {
      validate(m);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(disc()), "no error");
  Model m = disc();
  m.forces[0]["linear"] = "1/0";
  EXPECT_NE(message(m).find("/forces/damper/linear: found \"1/0\""), std::string::npos);
  m.forces[0].values = {{"joint", "axle"}};
  EXPECT_NE(message(m).find("neither \"linear\" nor \"quadratic\""), std::string::npos);
  m.forces[0].values = {{"joint", "axle"}, {"linear", {1, 2, 3}}};
  EXPECT_NE(message(m).find("/forces/damper/linear: found a vector"), std::string::npos);
  m.forces[0].values = {{"joint", 3}, {"linear", 1}};
  EXPECT_NE(message(m).find("/forces/damper/joint: found no text"), std::string::npos);
  m.forces[0].values = {{"linear", 1}};
  EXPECT_NE(message(m).find("the key \"joint\" is missing"), std::string::npos);
  m.forces[0].values = {{"joint", "axle"}, {"linaer", 1}};
  EXPECT_NE(message(m).find("did you mean \"linear\"?"), std::string::npos);
  m.forces[0].type = "rotary-dumper";
  EXPECT_NE(message(m).find("did you mean \"rotary-damper\"?"), std::string::npos);
}

}  // namespace
}  // namespace gradus::derivative
