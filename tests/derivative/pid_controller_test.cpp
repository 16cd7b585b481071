// PID controllers: the same as what states and joint forces say, limits, and what limits do to the
// integral.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::derivative {
namespace {

// A cart that is to follow a target.
Model cart() {
  Model m = test::one_body("cart", 2.0, "rail", JointType::prismatic, {1, 0, 0}, 0.1, 0.0, "x");
  m.parameters = {{"kp", 40.0, "", {}, ""}, {"ki", 30.0, "", {}, ""},  {"kd", 9.0, "", {}, ""},
                  {"i0", 2.0, "", {}, ""},  {"top", 15.0, "", {}, ""}, {"tt", 0.2, "", {}, ""}};
  m.sensors.push_back({"v", "rate", "rail"});
  m.analysis.duration = 1.2;
  m.analysis.step = 2e-3;
  m.analysis.tolerance = 1e-12;
  return m;
}

Model controlled(const std::string& saturation) {
  Model m = cart();
  Force pid{"pid",
            "pid-controller",
            {{"joint", "rail"},
             {"target", "1 + 0.2*sin(4*t)"},
             {"target_rate", "0.8*cos(4*t)"},
             {"proportional", "kp"},
             {"integral", "ki"},
             {"derivative", "kd"},
             {"initial", "i0"}}};
  if (!saturation.empty()) {
    pid["limit"] = "top";
    pid["saturation"] = saturation;
    pid["tracking"] = "tt";
  }
  m.forces = {pid};
  m.sensors.push_back({"part", "state", "pid.integral"});
  m.sensors.push_back({"f", "applied_force", "pid"});
  return m;
}

Model stated(const std::string& saturation) {
  Model m = cart();
  m.definitions = {{"e", "1 + 0.2*sin(4*t) - x"}, {"u", "kp*e + part + kd*(0.8*cos(4*t) - v)"}};
  const std::string limited = saturation.empty()       ? "u"
                              : saturation == "smooth" ? "top*tanh(u/top)"
                                                       : "max(-top, min(top, u))";
  m.forces = {make_joint_force("pid", "rail", limited)};
  m.states = {{"part", saturation.empty() ? "ki*e" : "ki*e + (" + limited + " - u)/tt", "i0"}};
  m.sensors.push_back({"f", "applied_force", "pid"});
  return m;
}

Model with_objectives(Model m) {
  m.objectives = {{"x", ObjectiveKind::terminal, "x", "", ""},
                  {"part", ObjectiveKind::terminal, "part", "", ""},
                  {"work", ObjectiveKind::integral, "f*v", "", ""}};
  return m;
}

TEST(PidControllers, DoWhatTheirLawsSay) {
  for (const char* saturation : {"", "hard", "smooth"}) {
    SCOPED_TRACE(saturation);
    for (const char* method : {"direct", "adjoint", "dual"}) {
      const Result pid = run_gradient(with_objectives(controlled(saturation)), method);
      const Result laws = run_gradient(with_objectives(stated(saturation)), method);
      expect_equal_values(pid, laws, 1e-12);
      EXPECT_LT(largest_deviation(pid.gradient, laws.gradient, 6), 1e-11);
      double least = 1e300;
      for (std::size_t k = 0; k < (*saturation == '\0' ? 4U : 6U); ++k)
        least = std::min(least, std::abs(pid.gradient[k]));
      EXPECT_GT(least, 1e-6);
    }
  }
}

TEST(PidControllers, StayWithinTheirLimit) {
  for (const char* saturation : {"hard", "smooth"}) {
    Options options;
    options.record = true;
    options.backend = "cpu:1";
    const Result r = simulate(controlled(saturation), options);
    ASSERT_TRUE(r.all_ok()) << r.status[0].message;
    const std::size_t components = r.sensor_components.size();
    double largest = 0.0;
    for (std::size_t k = components - 1; k < r.trajectories[0].sensors.size(); k += components)
      largest = std::max(largest, std::abs(r.trajectories[0].sensors[k]));
    EXPECT_LE(largest, 15.0);
    EXPECT_GT(largest, 14.0);
  }
}

// P, PD and PID controllers whose force before the limit is 4, 7 and 8 N at time 0, or minus that.
Model at_limit(int parts, double sign, const std::string& saturation, double limit) {
  Model m =
      test::one_body("cart", 2.0, "rail", JointType::prismatic, {1, 0, 0}, 0.25, -1.5 * sign, "x");
  m.parameters = {{"kp", 8.0, "", {}, ""},
                  {"kd", 2.0, "", {}, ""},
                  {"i0", sign, "", {}, ""},
                  {"top", limit, "", {}, ""}};
  Force pid{"pid",
            "pid-controller",
            {{"joint", "rail"},
             {"target", 0.25 + 0.5 * sign},
             {"proportional", "kp"},
             {"limit", "top"},
             {"saturation", saturation}}};
  if (parts > 1) pid["derivative"] = "kd";
  if (parts > 2) {
    pid["integral"] = 3;
    pid["initial"] = "i0";
  }
  m.forces = {pid};
  m.sensors.push_back({"f", "applied_force", "pid"});
  m.objectives = {{"f", ObjectiveKind::value, "f", "", ""}};
  m.objectives[0].at = {0.0};
  m.analysis.duration = 0.01;
  return m;
}

// Beside a hard limit derivatives are those of that side, at it wholly those of one; a smooth one
// has them everywhere.
TEST(PidControllers, HaveTheDerivativesOfOneSideAtTheirLimits) {
  for (int parts = 1; parts <= 3; ++parts)
    for (const double sign : {1.0, -1.0})
      for (const char* method : {"direct", "adjoint", "dual"}) {
        SCOPED_TRACE(std::string(method) + std::to_string(sign * parts));
        const double u = parts == 1 ? 4.0 : parts == 2 ? 7.0 : 8.0;
        const std::vector<double> inside{0.5 * sign, parts > 1 ? 1.5 * sign : 0.0,
                                         parts > 2 ? 1.0 : 0.0, 0.0};
        const std::vector<double> outside{0.0, 0.0, 0.0, sign};
        const auto slopes = [&](const std::string& saturation, double limit) {
          return run_gradient(at_limit(parts, sign, saturation, limit), method).gradient;
        };
        EXPECT_EQ(slopes("hard", u * (1 + 1e-12)), inside);
        EXPECT_EQ(slopes("hard", u * (1 - 1e-12)), outside);
        const std::vector<double> there = slopes("hard", u);
        EXPECT_TRUE(there == inside || there == outside) << there[0] << " " << there[3];
        const std::vector<double> smooth = slopes("smooth", u);
        const double share = std::tanh(1.0);
        for (std::size_t p = 0; p < 3; ++p)
          EXPECT_NEAR(smooth[p], inside[p] * (1 - share * share), 1e-14) << p;
        EXPECT_NEAR(smooth[3], sign * (share - (1 - share * share)), 1e-14);
      }
}

// Back-calculation leaves the integral smaller while the limit holds.
TEST(PidControllers, TrackTheirLimit) {
  Options options;
  options.backend = "cpu:1";
  Model winding = controlled("hard");
  winding.forces[0].values.erase("tracking");
  winding.analysis.duration = 0.3;
  Model tracking = controlled("hard");
  tracking.analysis.duration = 0.3;
  const double wound = simulate(winding, options).final_sensors[2];
  EXPECT_LT(simulate(tracking, options).final_sensors[2], wound - 5.0);
}

// A negative limit is no limit: a design that has one fails, whatever the nominal one.
TEST(PidControllers, FailWithoutAPositiveLimit) {
  for (const char* saturation : {"hard", "smooth"})
    for (const char* parameter : {"top", "tt"}) {
      Options options;
      options.backend = "cpu:1";
      options.set[parameter] = -1.0;
      EXPECT_FALSE(simulate(controlled(saturation), options).all_ok()) << parameter;
    }
}

TEST(PidControllers, KeepTheirStatesFromOtherForces) {
  Model m = controlled("");
  m.forces.push_back(make_joint_force("pid.integral", "rail", 2));
  m.sensors.push_back({"other", "applied_force", "pid.integral"});
  Options options;
  options.backend = "cpu:1";
  const Result r = simulate(m, options);
  ASSERT_TRUE(r.all_ok());
  EXPECT_EQ(r.final_sensors.back(), 2.0);
  m.forces.push_back(m.forces[0]);
  m.forces[0].name = "a b";
  m.forces.back().name = "a.b";
  m.sensors.resize(2);
  EXPECT_THROW(validate(m), InputError);
  m.forces.pop_back();
  m.forces[0].name = "pid";
  validate(m);
}

// Without an integral part there is no state.
TEST(PidControllers, HaveStatesIfTheyIntegrate) {
  Model m = controlled("");
  const Description description = describe(m);
  EXPECT_EQ(description.coordinates, 2U);
  EXPECT_EQ(description.states, std::vector<std::string>{"pid.integral"});
  ASSERT_EQ(description.tree.size(), 1U);
  Options options;
  options.backend = "cpu:1";
  EXPECT_EQ(simulate(m, options).sensor_components[2].unit, "N");
  m.forces[0].values.erase("integral");
  m.forces[0].values.erase("initial");
  m.sensors.erase(m.sensors.begin() + 2);
  EXPECT_EQ(describe(m).coordinates, 1U);
}

TEST(PidControllers, AreChecked) {
  const auto after = [](const auto& change) -> std::string {
    Model m = controlled("hard");
    change(m.forces[0]);
    try {
      validate(m);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  const auto expect = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  EXPECT_EQ(after([](Force&) {}), "no error");
  expect(after([](Force& f) { f["limit"] = 0; }),
         "/forces/pid/limit: found 0 (it has to be above 0)");
  expect(after([](Force& f) { f["initial"] = "1/0"; }), "/forces/pid/initial: found");
  expect(after([](Force& f) { f["tracking"] = -1; }), "/forces/pid/tracking: found -1");
  expect(after([](Force& f) { f["saturation"] = "soft"; }), "/saturation: found \"soft\"");
  expect(after([](Force& f) { f.values.erase("limit"); }), "without \"limit\"");
  expect(after([](Force& f) { f.values.erase("target"); }), "the key \"target\" is missing");
  expect(after([](Force& f) { f["target"] = "y"; }), "/forces/pid/target: ");
  expect(after([](Force& f) {
           f.values = {{"joint", "rail"}, {"target", 1}};
         }),
         "neither \"proportional\"");
}

}  // namespace
}  // namespace gradus::derivative
