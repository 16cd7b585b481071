// Pulses of forces in time that are short beside the steps that the motion would take without them,
// for adaptive methods: a body at rest does not know of them before they come.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/forces.hpp"

namespace gradus::derivative {
namespace {

constexpr double kEnd = 10.0;

// A body of 1 kg at rest that a force pushes.
Model sledge(const std::string& force) {
  Model m;
  m.gravity = {0, 0, 0};
  m.parameters = {make_parameter("A", 2.0), make_parameter("t0", 3.00137)};
  m.bodies = {make_body("sledge", 1.0, {0, 0, 0}, {1, 1, 1, 0, 0, 0, "com"}, {})};
  m.joints = {make_joint("rail", JointType::prismatic, "ground", "sledge", {1, 0, 0}, 0.0, 0.0)};
  m.sensors = {{"x", "coordinate", "rail"}, {"v", "rate", "rail"}};
  m.forces.push_back(make_joint_force("push", "rail", force));
  m.objectives = {{"speed", ObjectiveKind::terminal, "v", "", ""},
                  {"way", ObjectiveKind::terminal, "x", "", ""}};
  m.analysis.formulation = "semi-recursive";
  m.analysis.integrator = "dop853";
  m.analysis.duration = kEnd;
  return m;
}

struct Pulse {
  const char* force;  // symmetric about t0
  double area;        // of a height of 1
  bool is_continuous;
};

const Pulse kPulses[] = {
    {"A*exp(-((t - t0)/0.005)^2)", 0.005 * 1.7724538509055159, true},
    {"A*exp(-((t - t0)/1e-4)^2)", 1e-4 * 1.7724538509055159, true},
    {"A*max(0, 1 - abs(t - t0)/0.01)", 0.01, true},
    {"A*max(0, 1 - abs(t - t0)/1e-5)", 1e-5, true},
    {"A*max(0, min(1, (t - t0)/0.001 + 5, 5 - (t - t0)/0.001))", 0.009, true},
    {"A*(tanh((t - t0 + 0.005)/1e-4) - tanh((t - t0 - 0.005)/1e-4))/2", 0.01, true},
    {"A*spline(t - t0, [-10, -0.01, 0, 0.01, 10], [0, 0, 1, 0, 0], 'linear')", 0.01, true},
    {"A*((t - 3)/abs(t - 3) - (t - 3.00274)/abs(t - 3.00274))/2", 0.00274, false}};

// By whatever takes steps.
TEST(Pulses, GradientsAreThoseOfTheImpulse) {
  for (const Pulse& pulse : kPulses)
    for (const char* integrator : {"dop853", "dopri5"})
      for (const std::string method : {"direct", "adjoint", "dual"}) {
        SCOPED_TRACE(std::string(pulse.force) + " " + integrator + " " + method);
        Model m = sledge(pulse.force);
        m.analysis.integrator = integrator;
        const Result r = run_gradient(m, method);
        const double impulse = 2.0 * pulse.area;
        const double left = kEnd - 3.00137;
        const double bound = 1e-3 * impulse;
        EXPECT_NEAR(r.objective_values[0], impulse, bound);
        EXPECT_NEAR(r.objective_values[1], impulse * left, bound * left);
        EXPECT_NEAR(r.gradient[0], pulse.area, bound);
        EXPECT_NEAR(r.gradient[1], 0.0, bound * left);
        EXPECT_NEAR(r.gradient[2], pulse.area * left, bound * left);
        EXPECT_NEAR(r.gradient[3], pulse.is_continuous ? -impulse : 0.0, bound * left);
      }
}

// Motions alone, on a device as well, and steps that sensitivities do not decide on.
TEST(Pulses, AreSeenByMotionsAlone) {
  for (const Pulse& pulse : kPulses)
    for (const char* backend : {"cpu:1", "debug"}) {
      SCOPED_TRACE(std::string(pulse.force) + " " + backend);
      Options options;
      options.backend = backend;
      options.designs.values = {2.0, 3.00137, 1.0, 3.00137, 0.0, 3.00137};
      const Result r = simulate(sledge(pulse.force), options);
      for (std::size_t d = 0; d < 3; ++d)
        EXPECT_NEAR(r.objective_values[2 * d], (2.0 - static_cast<double>(d)) * pulse.area,
                    1e-3 * pulse.area);
      options.columns_in_error = false;
      options.method = "adjoint";
      EXPECT_NEAR(gradient(sledge(pulse.force), options).gradient[0], pulse.area,
                  1e-3 * pulse.area);
    }
}

// What objectives say of time is as well hidden from a body at rest.
TEST(Pulses, AreSeenByIntegralsOfObjectives) {
  Model m = sledge("0");
  m.objectives = {{"sum", ObjectiveKind::integral, "A*exp(-((t - t0)/0.002)^2) + x", "", ""}};
  for (const char* method : {"direct", "adjoint", "dual"}) {
    const Result r = run_gradient(m, method);
    EXPECT_NEAR(r.gradient[0], 0.002 * 1.7724538509055159, 1e-6);
  }
}

// A long table ends no steps at its knots; only what is narrow in it counts.
TEST(Pulses, LongTablesOfMeasurements) {
  const auto table = [](bool has_spike) {
    std::string knots, values;
    for (int k = 0; k <= 1000; ++k) {
      knots += (k > 0 ? ", " : "") + std::to_string(0.01 * k);
      values += (k > 0 ? ", " : "") + std::string(has_spike && k == 300 ? "1" : "0");
    }
    return "A*spline(t, [" + knots + "], [" + values + "], 'linear')";
  };
  Options options;
  options.backend = "cpu:1";
  EXPECT_NEAR(simulate(sledge(table(true)), options).objective_values[0], 0.02, 1e-5);
  EXPECT_LT(simulate(sledge(table(false)), options).step_count[0], 50.0);
}

// A jump at a time that no parameter changes takes nothing from derivatives; at others it does.
TEST(Pulses, RemarksAreOnJumpsThatParametersMove) {
  for (const std::string at : {"3", "t0"}) {
    std::string said;
    Options options;
    options.backend = "cpu:1";
    options.log = [&](const std::string& line) { said += line; };
    gradient(sledge("A*(t - " + at + ")/abs(t - " + at + ")"), options);
    EXPECT_EQ(said.find("jump") != std::string::npos, at == "t0") << said;
  }
}

// A kink that lies behind the last stages of a step is none.
TEST(Pulses, KinksOfTheMotionAreNoJumps) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    std::string said;
    Options options;
    options.backend = "cpu:1";
    options.log = [&](const std::string& line) { said += line; };
    Model m = sledge("A*max(0, sin(50*t) - v)");
    m.analysis.duration = 1.0;
    m.analysis.rtol = m.analysis.atol = tolerance;
    gradient(m, options);
    EXPECT_EQ(said.find("jump"), std::string::npos) << said;
  }
}

// What is slow, or the same at all times, limits no steps.
TEST(Pulses, SlowLawsKeepTheirSteps) {
  Options options;
  options.backend = "cpu:1";
  EXPECT_LT(simulate(sledge("A*t^2"), options).step_count[0], 20.0);
  EXPECT_LT(simulate(sledge("A*sin(2*t)"), options).step_count[0], 60.0);
}

}  // namespace
}  // namespace gradus::derivative
