// Integrators that cannot go on as they were told: steps of adaptive ones that become too short.
#include <gtest/gtest.h>

#include <string>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"

namespace gradus::derivative {
namespace {

// A wheel that a brake of this law slows.
Model wheel(const std::string& brake) {
  Model m;
  m.gravity = {0, 0, 0};
  m.parameters = {make_parameter("c", 1e9)};
  m.bodies = {make_body("wheel", 1.0, {0, 0, 0}, {0.1, 0.1, 0.1, 0, 0, 0, "com"}, {})};
  m.joints = {make_joint("axle", JointType::revolute, "ground", "wheel", {0, 0, 1}, 0.3, 1.0)};
  m.sensors = {{"q", SensorKind::coordinate, "axle"}, {"w", SensorKind::rate, "axle"}};
  m.joint_forces = {{"brake", "axle", brake}};
  m.objectives = {{"end", ObjectiveKind::terminal, "q", "", ""}};
  m.analysis.formulation = "semi-recursive";
  m.analysis.duration = 1.0;
  return m;
}

// So stiff that an explicit method would take a billion steps: it says so after ten thousand.
TEST(StepLimits, CrawlingIntegratorsFail) {
  Model m = wheel("-c*(w - sin(t))");
  for (const char* integrator : {"dopri5", "dop853"})
    for (const char* method : {"direct", "adjoint", "dual"}) {
      m.analysis.integrator = integrator;
      Options options;
      options.backend = "cpu:1";
      options.method = method;
      const Result r = gradient(m, options);
      ASSERT_FALSE(r.all_ok());
      EXPECT_NE(r.status[0].message.find("the motion is stiff there"), std::string::npos)
          << r.status[0].message;
      EXPECT_NE(r.status[0].message.find("radau5"), std::string::npos);
      EXPECT_GT(r.status[0].time, 0.0);
      EXPECT_LT(r.status[0].time, 1e-4);
    }
  m.analysis.integrator = "radau5";
  EXPECT_TRUE(run_gradient(m, "direct").all_ok());
}

// The same numbers of a slower clock: what counts is the duration.
TEST(StepLimits, ManyStepsAreNoCrawl) {
  Model m = wheel("-c*(w - sin(t))");
  m.analysis.integrator = "dopri5";
  m.analysis.duration = 2e-5;
  const Result r = run_gradient(m, "direct");
  EXPECT_GT(r.step_count[0], 20000.0);
}

}  // namespace
}  // namespace gradus::derivative
