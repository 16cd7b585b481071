// Forces that read reactions in the steps of ali3p: of the order of its integrator, though the
// reactions of its position stage are of the first order only.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::derivative {
namespace {

using test::expect_part;
using test::message_of;

// A bead that a rough circle holds: two slides and a distance, whose force is what the circle
// carries and what rubs. It comes from the motion alone, of which it takes most.
Model bead() {
  Model m = test::one_body("slide", 0.01, "x", JointType::prismatic, {1, 0, 0}, "L", 0.0, "x");
  Body ball;
  ball.name = "ball";
  ball.mass = "m";
  ball.com = {0, 0, 0};
  m.bodies.push_back(ball);
  Joint up = m.joints[0];
  up.name = "y";
  up.parent = "slide";
  up.child = "ball";
  up.axis = {0, 1, 0};
  up.start = {{0.0, "v0", false, false}};
  m.joints.push_back(up);
  m.joints[0].start[0].position_is_guess = m.joints[0].start[0].velocity_is_guess = true;
  m.gravity = {0, -9.81, 0};
  m.parameters = {{"m", 1.5, "", {}, ""},
                  {"L", 0.6, "", {}, ""},
                  {"mu", 0.35, "", {}, ""},
                  {"v0", 3.0, "", {}, ""}};
  m.constraints = {{"circle", "expression", "", "", "sqrt(x^2 + y^2) - L"}};
  m.sensors.push_back({"y", "coordinate", "y"});
  m.sensors.push_back({"vx", "rate", "x"});
  m.sensors.push_back({"vy", "rate", "y"});
  m.sensors.push_back({"carried", "constraint_force", "circle"});
  const std::string drag = "-mu*sqrt(carried^2 + 0.01)/sqrt(vx^2 + vy^2 + 0.25)*";
  m.forces = {make_joint_force("rub x", "x", drag + "vx"),
              make_joint_force("rub y", "y", drag + "vy")};
  m.sensors.push_back({"rubbing", "power", "rub y"});
  m.objectives = {{"y", ObjectiveKind::terminal, "y", "", ""},
                  {"vx", ObjectiveKind::terminal, "vx", "", ""},
                  {"worn", ObjectiveKind::integral, "rubbing + 0.01*carried^2", "", ""}};
  m.analysis.duration = 0.8;
  return m;
}

Model by_steps(const std::string& integrator, int steps) {
  Model m = bead();
  m.analysis.formulation = "ali3p";
  m.analysis.integrator = integrator;
  m.analysis.spectral_radius = 0.8;
  m.analysis.step = m.analysis.duration / steps;
  return m;
}

class StepUnknowns : public testing::TestWithParam<const char*> {};

TEST_P(StepUnknowns, HaveTheOrderOfTheIntegrator) {
  Model accurate = bead();
  accurate.analysis.formulation = "index1";
  accurate.analysis.integrator = "dop853";
  accurate.analysis.rtol = 1e-12;
  accurate.analysis.atol = 1e-13;
  const Result exact = run_gradient(accurate, "direct");
  const Result coarse = run_gradient(by_steps(GetParam(), 800), "direct");
  const Result fine = run_gradient(by_steps(GetParam(), 1600), "direct");
  const auto distance = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
  };
  const auto order = [&](std::vector<double> Result::*numbers) {
    return std::log2(distance(coarse.*numbers, exact.*numbers) /
                     distance(fine.*numbers, exact.*numbers));
  };
  EXPECT_NEAR(order(&Result::objective_values), 2.0, 0.25);
  EXPECT_NEAR(order(&Result::gradient), 2.0, 0.25);
}

TEST_P(StepUnknowns, HaveExactGradients) {
  Model m = by_steps(GetParam(), 40);
  expect_exact_gradient(m);
}

INSTANTIATE_TEST_SUITE_P(Integrators, StepUnknowns,
                         testing::Values("newmark", "generalised-alpha", "hht"),
                         [](const auto& integrator) {
                           std::string name = integrator.param;
                           std::erase(name, '-');
                           return name;
                         });

// The equations of the continuous adjoint of ali3p lack these forces: it would approach another
// gradient as the steps shrink. That of the index-1 equations approaches the right one.
TEST(StepUnknowns, AreDifferentiatedBackwardsInTimeByTheIndex1Equations) {
  Model m = by_steps("newmark", 2000);
  m.objectives.pop_back();  // of reactions there is none
  expect_part(message_of([&] { run_gradient(m, "continuous-adjoint"); }),
              "method: found \"continuous-adjoint\" for a model with the force \"rub x\", which "
              "depends on accelerations or reactions");
  m.analysis.formulation = "index1";
  const auto error = [&](int steps) {
    m.analysis.step = m.analysis.duration / steps;
    return largest_deviation(run_gradient(m, "continuous-adjoint").gradient,
                             run_gradient(m, "adjoint").gradient, m.parameters.size());
  };
  EXPECT_LT(error(2000), 1e-3);
  EXPECT_LT(error(2000), 0.3 * error(500));
}

}  // namespace
}  // namespace gradus::derivative
