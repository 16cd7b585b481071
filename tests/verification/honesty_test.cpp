// Runs that could go wrong without a word: steps in which the motion changes a lot, and objectives
// that are no numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "gradus/gradus.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/one_body.hpp"
#include "tests/verification/one_thread.hpp"

namespace gradus::test {
namespace {

// A mass on a spring along x; its natural length is 1 m, so x = 1 is the middle of its motion.
Model oscillator(double stiffness) {
  Model model = one_body("mass", 2.0, "slide", JointType::prismatic, {1, 0, 0}, 1.3, 0.2, "x");
  model.parameters = {{"k", stiffness, "N/m", {}, ""}};
  model.forces = {make_spring("spring", "ground", "mass", "k", 0, 1)};
  model.sensors.push_back({"e", "energy", "total"});
  model.objectives = {{"mean", ObjectiveKind::integral, "x", "m s", ""}};
  model.analysis.duration = 0.2;
  model.analysis.step = 1e-3;
  return model;
}

// The trapezoidal rule keeps the energy of a linear oscillator at any step; the stage equations
// have a second solution with the spring turned over, which no iteration may fall for.
TEST(Honesty, StiffSpringsKeepTheirEnergy) {
  for (const double stiffness : {1e5, 1e7, 1e8, 1e10}) {
    Options options = one_thread();
    options.record = true;
    const Result result = simulate(oscillator(stiffness), options);
    ASSERT_TRUE(result.all_ok());
    const double energy = 0.5 * stiffness * 0.3 * 0.3 + 0.5 * 2.0 * 0.2 * 0.2;
    for (std::size_t k = 0; k < result.trajectories[0].time.size(); ++k) {
      EXPECT_NEAR(result.trajectories[0].sensors[2 * k + 1], energy, 1e-6 * energy) << stiffness;
      EXPECT_NEAR(result.trajectories[0].sensors[2 * k], 1.0, 0.31) << stiffness;
    }
  }
}

TEST(Honesty, ObjectivesThatAreNoNumbersFail) {
  for (const char* expression : {"1/t", "log(t)", "sqrt(-t)", "exp(1e4*x)"}) {
    Model model = oscillator(50.0);
    model.objectives[0].expression = expression;
    for (const char* backend : {"cpu:1", "debug"}) {
      Options options = one_thread();
      options.backend = backend;
      const Result result = gradient(model, options);
      EXPECT_FALSE(result.all_ok()) << expression;
      EXPECT_NE(result.status[0].message.find("objective"), std::string::npos);
      EXPECT_TRUE(std::isnan(result.objective_values[0]));
      EXPECT_TRUE(std::isnan(result.gradient[0]));
    }
  }
}

TEST(Honesty, ObjectivesWithoutDerivativeFail) {
  Model model = oscillator(50.0);
  model.objectives[0].expression = "sqrt((x-x)*x)";
  const Result result = gradient(model, one_thread());
  EXPECT_FALSE(result.all_ok());
  EXPECT_TRUE(simulate(model, one_thread()).all_ok());
}

}  // namespace
}  // namespace gradus::test
