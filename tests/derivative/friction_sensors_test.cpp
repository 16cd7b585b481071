// What sensors show of friction in joints, and what is said of how joints stick and slip.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "gradus/gradus.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/joint_friction.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/messages.hpp"

namespace gradus::derivative {
namespace {

// A sledge of 1.3 kg on a slope, held by a spring that pulls it to and fro, and a pendulum on it.
Model sledge(const std::string& law) {
  Model m;
  m.gravity = {0, -9.81, 0};
  m.bodies = {make_body("sledge", 1.3, {0, 0, 0}, {0.01, 0.01, 0.01, 0, 0, 0, "com"}, {}),
              make_body("rod", 0.4, {0, -0.3, 0}, {0.01, 0.001, 0.01, 0, 0, 0, "com"}, {})};
  m.joints = {make_joint("slide", JointType::prismatic, "ground", "sledge", {1, 0.2, 0}, 0.1, 0.5),
              make_joint("pin", JointType::revolute, "sledge", "rod", {0, 0, 1}, 0.7, -2.0)};
  m.parameters = {make_parameter("mu", 0.2), make_parameter("radius", 0.02),
                  make_parameter("k", 20.0)};
  std::map<std::string, ForceValue> coefficients{
      {"law", law.c_str()}, {"dynamic", "mu"}, {"load", "force"}};
  if (law == "gonthier") {
    coefficients["static"] = "1.5*mu";
    coefficients["stribeck_speed"] = 0.05;
    coefficients["bristle_stiffness"] = 2000;
    coefficients["bristle_damping"] = 30;
    coefficients["dwell_time"] = 0.1;
  } else {
    coefficients["transition_speed"] = 0.02;
  }
  auto of_pin = coefficients;
  of_pin["radius"] = "radius";
  m.forces = {friction("slide", coefficients, "rub"),
              friction("pin", of_pin, "squeak"),
              {"coil", "torsional-spring-damper", {{"joint", "slide"}, {"stiffness", "k"}}}};
  m.sensors = {{"load", "normal_force", "rub"},   {"load_of_pin", "normal_force", "squeak"},
               {"speed", "sliding_speed", "rub"}, {"speed_of_pin", "sliding_speed", "squeak"},
               {"pull", "applied_force", "rub"},  {"pace", "rate", "slide"},
               {"pace_of_pin", "rate", "pin"},    {"down", "reaction_force", "slide"}};
  m.objectives = {{"load", ObjectiveKind::integral, "load^2 + load_of_pin*t", "", ""},
                  {"speed", ObjectiveKind::integral, "speed^2 + speed_of_pin", "", ""},
                  {"end", ObjectiveKind::terminal, "load + 0.1*load_of_pin + speed", "", ""}};
  use_exact_steps(m, 0.4);
  m.analysis.step = 1e-3;
  return m;
}

// Against what the law of friction, the reactions and the rates make of them.
TEST(FrictionSensors, ShowNormalForcesAndSpeeds) {
  Options options;
  options.record = true;
  const Result r = simulate(sledge("coulomb"), options);
  ASSERT_TRUE(r.all_ok()) << r.status[0].message;
  const Trajectory& motion = r.trajectories[0];
  const std::size_t n = r.sensor_components.size();
  bool moved = false;
  for (std::size_t i = 0; i < motion.time.size(); ++i) {
    const double* s = &motion.sensors[i * n];
    const double load = s[0], speed = s[2], speed_of_pin = s[3], pull = s[4], pace = s[5];
    EXPECT_NEAR(speed, pace, 1e-14);
    EXPECT_NEAR(speed_of_pin, 0.02 * s[6], 1e-14);
    EXPECT_NEAR(pull, -0.2 * load * std::tanh(speed / 0.02), 1e-10);
    // Across the slide: f_x and f_y, smoothed by 1e-3 N.
    const double across = (-0.2 * s[7] + s[8]) / std::sqrt(1.04);
    EXPECT_NEAR(load, std::sqrt(across * across + 1e-6) + std::sqrt(s[9] * s[9] + 1e-6), 1e-9);
    moved = moved || std::abs(speed) > 0.1;
  }
  EXPECT_TRUE(moved);
}

TEST(FrictionSensors, HaveExactDerivatives) {
  for (const char* law : {"coulomb", "gonthier"}) {
    SCOPED_TRACE(law);
    Model m = sledge(law);
    m.analysis.integrator = "rk4";
    m.analysis.duration = 0.04;
    m.analysis.step = 1e-3;
    expect_exact_gradient(m, {.dual = 1e-9, .difference = 1e-5});
  }
}

TEST(FrictionSensors, AreRefusedOfOtherForces) {
  Model m = sledge("coulomb");
  m.sensors.push_back({"none", "normal_force", "coil"});
  test::expect_part(test::failure_of(m), "name a force of type \"joint-friction\"");
  m = sledge("coulomb");
  m.forces[0] = friction("slide", {{"law", "viscous"}, {"viscous", 0.1}}, "rub");
  test::expect_part(test::failure_of(m), "does not depend on the load");
}

// The spring pulls the sledge to and fro until it rests; the rod swings on.
TEST(FrictionMotions, AreNamedByJoint) {
  Model m = sledge("coulomb");
  m.analysis.duration = 2.0;
  const std::vector<SurfaceMotion> motions = friction_motions(m);
  ASSERT_EQ(motions.size(), 2U);
  EXPECT_EQ(motions[0].force, "rub");
  EXPECT_EQ(motions[0].joint, "slide");
  EXPECT_EQ(motions[0].threshold, 0.02);
  EXPECT_EQ(motions[0].verdict, "sticks and slips");
  EXPECT_GE(motions[0].changes, 2U);
  EXPECT_GT(motions[0].sticking, 0.05);
  EXPECT_EQ(motions[0].resolution, 0.0);
  // Options may set what bounds of the model do not allow.
  m.parameters[0].bounds = {0.1, 0.3};
  Options beyond;
  beyond.set = {{"mu", 0.4}};
  EXPECT_EQ(friction_motions(m, beyond).size(), 2U);
  EXPECT_TRUE(motions[0].halved.empty());
  // Against the motion with half of it.
  m.parameters.push_back(make_parameter("v_t", 0.02));
  m.forces[0].values["transition_speed"] = "v_t";
  const std::vector<SurfaceMotion> smoothed = friction_motions(m);
  Options half;
  half.set = {{"v_t", 0.01}};
  EXPECT_EQ(smoothed[0].smoothing, "v_t");
  ASSERT_EQ(smoothed[0].halved.size(), 3U);
  EXPECT_NEAR(smoothed[0].halved[1],
              simulate(m, half).objective_values[1] - simulate(m).objective_values[1], 1e-9);
  EXPECT_NE(smoothed[0].halved[1], 0.0);
  // What is slower than its threshold sticks.
  m.forces[1].values["transition_speed"] = 10;
  EXPECT_EQ(friction_motions(m)[1].verdict, "sticks");
  // Steps that jump over the transition say so.
  m.analysis.formulation = "ali3p";
  m.analysis.integrator = "";
  for (const double step : {0.01, 1e-4}) {
    m.analysis.step = step;
    m.analysis.duration = 0.5;
    const std::vector<SurfaceMotion> coarse = friction_motions(m);
    ASSERT_EQ(coarse.size(), 2U);
    EXPECT_EQ(coarse[0].resolution > 1.0, step > 1e-3) << coarse[0].resolution;
  }
  EXPECT_TRUE(friction_motions(five_bar(false)).empty());
}

}  // namespace
}  // namespace gradus::derivative
