// Integrators that cannot go on as they were told: adaptive ones whose steps become too short, and
// implicit ones whose iteration does not converge and which halve steps.
#include <gtest/gtest.h>

#include <string>

#include "src/model/message.hpp"
#include "src/motion/host_run.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/forces.hpp"

namespace gradus::derivative {
namespace {

// A wheel that a brake of this law slows.
Model wheel(const std::string& brake) {
  Model m;
  m.gravity = {0, 0, 0};
  m.parameters = {make_parameter("c", 1e9)};
  m.bodies = {make_body("wheel", 1.0, {0, 0, 0}, {0.1, 0.1, 0.1, 0, 0, 0, "com"}, {})};
  m.joints = {make_joint("axle", JointType::revolute, "ground", "wheel", {0, 0, 1}, 0.3, 1.0)};
  m.sensors = {{"q", "coordinate", "axle"}, {"w", "rate", "axle"}};
  m.forces.push_back(make_joint_force("brake", "axle", brake));
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
      EXPECT_NE(r.status[0].message.find("radau9"), std::string::npos);
      EXPECT_GT(r.status[0].time, 0.0);
      EXPECT_LT(r.status[0].time, 1e-4);
    }
  for (const char* integrator : {"radau5", "auto"}) {
    m.analysis.integrator = integrator;
    EXPECT_TRUE(run_gradient(m, "direct").all_ok()) << integrator;
  }
}

// The same numbers of a slower clock: what counts is the duration.
TEST(StepLimits, ManyStepsAreNoCrawl) {
  Model m = wheel("-c*(w - sin(t))");
  m.analysis.integrator = "dopri5";
  m.analysis.duration = 2e-5;
  const Result r = run_gradient(m, "direct");
  EXPECT_GT(r.step_count[0], 20000.0);
}

// As many as a motion takes are enough, with the same bits, and one less is not.
TEST(StepLimits, NoMoreStepsThanAreAllowed) {
  Model m = wheel("c*w");  // which grows without bound
  m.parameters[0].value = 2.0;
  m.analysis.controls_error = true;
  for (const char* integrator : {"dopri5", "dop853", "radau9", "rodas5p"})
    for (const char* method : {"direct", "adjoint", "dual"}) {
      SCOPED_TRACE(std::string(integrator) + " " + method);
      m.analysis.integrator = integrator;
      const Result free = run_gradient(m, method);
      Options options;
      options.max_steps = free.step_count[0] + free.rejected_steps[0];
      EXPECT_EQ(run_gradient(m, method, options).gradient, free.gradient);
      options.backend = "cpu:1";
      options.method = method;
      *options.max_steps -= 1.0;
      const Result r = gradient(m, options);
      ASSERT_FALSE(r.all_ok());
      EXPECT_EQ(r.status[0].message.find(rounded_text(*options.max_steps, 9) + " steps (--max"), 0U)
          << r.status[0].message;
      EXPECT_GT(r.status[0].time, 0.5);
      EXPECT_LT(r.status[0].time, 1.0);
    }
}

// Each design of a pack counts its own.
TEST(StepLimits, AllowedStepsInLanes) {
  Model m = wheel("c*w");
  m.analysis.integrator = "dop853";
  Options options;
  options.backend = "cpu:1";
  options.lanes = possible_lanes().back();
  options.designs.values = {2.0, 30.0, 1.0, 3.0};
  options.max_steps = 300;
  const Result r = gradient(m, options);
  for (std::size_t design = 0; design < 4; ++design)
    EXPECT_EQ(r.status[design].ok, design != 1) << design;
  EXPECT_EQ(r.status[1].message.find("300 steps"), 0U) << r.status[1].message;
}

// Whose steps become too short for a jump is told which force jumps; nobody else is.
TEST(StepLimits, NameTheForceThatJumps) {
  for (const std::string start : {"the step became", "no step is short enough"}) {
    Model m = wheel(start[0] == 't' ? "-c*w/abs(w) + q" : "-c*w/abs(w)*(1 + t)");
    m.parameters[0].value = start[0] == 't' ? 2.0 : 1e4;
    m.analysis.integrator = "dop853";
    m.analysis.atol = m.analysis.rtol = start[0] == 't' ? 1e-9 : 1e-14;
    const Result r = gradient(m, Options());
    ASSERT_FALSE(r.all_ok());
    EXPECT_EQ(r.status[0].message.find(start), 0U) << r.status[0].message;
    EXPECT_NE(r.status[0].message.find("\"brake\" may jump"), std::string::npos)
        << r.status[0].message;
  }
  Model stiff = wheel("-c*(w - sin(t))");
  stiff.analysis.integrator = "dop853";
  EXPECT_EQ(simulate(stiff, Options()).status[0].message.find("may jump"), std::string::npos);
}

// Two rods and dry friction, over whose edge Newton's method with whole steps does not come.
Model rods(const std::string& formulation, const std::string& integrator) {
  Model m;
  m.gravity = {0, -9.81, 0};
  m.parameters = {make_parameter("k", 5.0), make_parameter("m", 1.3), make_parameter("L", 0.4)};
  m.bodies = {
      make_body("a", "m", {"L/2", 0, 0}, {0, 0.02, 0.02, 0, 0, 0, "com"}, {{"tip", {"L", 0, 0}}}),
      make_body("b", 0.7, {0.1, 0, 0}, {0.001, 0.01, 0.01, 0, 0, 0, "com"},
                {{"tip", {0.4, 0, 0}}})};
  m.joints = {make_joint("A", JointType::revolute, "ground", "a", {0, 0, 1}, 0.3, 1.0),
              make_joint("B", JointType::revolute, "a.tip", "b", {0, 0, 1}, 0.2, -1.0)};
  m.sensors = {{"q", "coordinate", "A"}, {"w", "rate", "A"}, {"p", "position", "b.tip"}};
  m.forces.push_back(make_joint_force("friction", "A", "-k*atan(300*w)"));
  m.objectives = {{"sum", ObjectiveKind::integral, "p.y^2 + q*w", "", ""},
                  {"end", ObjectiveKind::terminal, "p.x", "", ""},
                  {"value", ObjectiveKind::value, "p.y", "", "", {}, {0.1, 0.2}}};
  m.analysis.formulation = formulation;
  m.analysis.integrator = integrator;
  m.analysis.duration = 0.4;
  m.analysis.step = 0.02;
  m.analysis.tolerance = 1e-12;
  return m;
}

// Whatever was halved, the derivatives are those of the motion that was computed.
TEST(StepLimits, HalvedStepsAreDifferentiatedExactly) {
  for (const char* formulation : {"semi-recursive", "index1", "matrix-r"})
    for (const char* integrator :
         {"implicit-euler", "trapezoidal", "newmark", "generalised-alpha", "radau5"}) {
      SCOPED_TRACE(std::string(formulation) + " " + integrator);
      const Model m = rods(formulation, integrator);
      const Result direct = run_gradient(m, "direct");
      EXPECT_GT(direct.rejected_steps[0], 0.0);
      EXPECT_GT(direct.step_count[0], static_cast<double>(direct.steps));
      Options options;
      options.backend = "cpu:1";
      const CheckReport report = check(m, options);
      EXPECT_TRUE(report.derivative.passed) << report.derivative.message;
    }
}

// The adjoint of a motion that halves more steps than its budget of memory reckoned with.
TEST(StepLimits, HalvedStepsWithinABudget) {
  Model m = rods("semi-recursive", "trapezoidal");
  m.analysis.iteration = "fixed-point";
  const Result direct = run_gradient(m, "direct");
  const Result adjoint = run_gradient(m, "adjoint");
  EXPECT_EQ(adjoint.step_count, direct.step_count);
  EXPECT_LT(largest_deviation(adjoint.gradient, direct.gradient, 3), 1e-11);
  Options little;
  little.memory = 20000;
  const Result again = run_gradient(m, "adjoint", little);
  EXPECT_EQ(again.gradient, adjoint.gradient);
  EXPECT_GT(again.recomputation, 0.0);
}

// Those of a pack that need shorter steps are run alone; all have the bits that they have alone.
TEST(StepLimits, HalvedStepsInLanes) {
  Model m = rods("semi-recursive", "trapezoidal");
  m.forces[0]["value"] = "-k*atan(300*w) - max(0, k - 1e3)*atan(1e5*w)";
  Options options;
  options.backend = "cpu:1";
  for (const double k : {0.0, 5.0, 0.001, 6.0, 1e9}) {
    const double row[] = {k, 1.3, 0.4};
    options.designs.values.insert(options.designs.values.end(), row, row + 3);
  }
  for (const char* method : {"direct", "adjoint"}) {
    options.method = method;
    options.lanes = 1;
    const Result alone = gradient(m, options);
    options.lanes = possible_lanes().back();
    const Result pack = gradient(m, options);
    ASSERT_GT(pack.lanes, 1);
    for (std::size_t d = 0; d < 5; ++d) {
      EXPECT_EQ(pack.status[d].message, alone.status[d].message);
      EXPECT_EQ(pack.status[d].time, alone.status[d].time);
      EXPECT_EQ(alone.status[d].ok, d < 4) << alone.status[d].message;
      EXPECT_EQ(alone.rejected_steps[d] > 0.0, d == 1 || d == 3) << d;
      if (d == 4) continue;
      EXPECT_EQ(pack.rejected_steps[d], alone.rejected_steps[d]);
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(pack.objective_values[4 * d + i], alone.objective_values[4 * d + i]);
      for (std::size_t i = 0; i < 12; ++i)
        EXPECT_EQ(pack.gradient[12 * d + i], alone.gradient[12 * d + i]);
    }
    EXPECT_NE(alone.status[4].message.find("not even with a thousandth"), std::string::npos)
        << alone.status[4].message;
  }
}

}  // namespace
}  // namespace gradus::derivative
