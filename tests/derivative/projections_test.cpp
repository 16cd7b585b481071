// Whole-run gradients of what else motion in joint coordinates offers: ALI3-P with projections of
// every kind, motion that is prescribed altogether, and steps chosen by the sensitivities too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "gradus/error.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"

namespace gradus::derivative {
namespace {

Model some_loop() {
  Model model = parametrise(closed_by(JointType::cylindrical), [](const std::string& path) {
    return path == "mass ball" || path == "com rod.y" || path == "axis cut.x" ||
           path == "point raft.tip.x" || path == "stiffness s1" || path == "velocity socket.2";
  });
  // Long steps: what round-off leaves of the constraints enters unprojected accelerations by 1/h^2.
  model.analysis.duration = 0.04;
  model.analysis.step = 0.01;
  return model;
}

Result ali3p(const std::string& projections, double penalty) {
  Model model = some_loop();
  model.analysis.projections = projections;
  model.analysis.penalty = penalty;
  return run_gradient(model, "direct");
}

TEST(Projections, ByPenaltyAreDifferentiatedExactly) {
  Model model = some_loop();
  model.analysis.projections = "penalty";
  model.analysis.penalty = 1e4;  // so small that it matters
  expect_exact_gradient(model);
}

TEST(Projections, LeftOutAreDifferentiatedExactly) {
  Model model = some_loop();
  model.analysis.projections = "none";
  model.analysis.integrator = "generalised-alpha";
  expect_exact_gradient(model);
}

// Nothing takes out of accelerations what newmark leaves in them.
TEST(Projections, LeftOutAreRefusedWhereAccelerationsWouldBeWrong) {
  Model model = some_loop();
  model.analysis.projections = "none";
  const auto refused = [&] {
    try {
      simulate(model);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refused().find("generalised-alpha"), std::string::npos) << refused();
  model.analysis.integrator = "generalised-alpha";
  model.analysis.spectral_radius = 1.0;
  EXPECT_NE(refused(), "");
  model.analysis.spectral_radius = 0.8;
  EXPECT_EQ(refused(), "");
}

// Some steps project, others do not; which ones is the same on both sides of the derivative.
TEST(Projections, OnConditionAreDifferentiatedExactly) {
  Model model = some_loop();
  const double violation = [&] {
    Model drifting = model;
    drifting.analysis.projections = "none";
    drifting.analysis.integrator = "generalised-alpha";
    const Result r = run_gradient(drifting, "direct");
    return *std::max_element(r.constraint_violation.begin(), r.constraint_violation.end());
  }();
  model.analysis.projection_tolerance = 0.3 * violation;
  expect_exact_gradient(model);
  const Result sometimes = run_gradient(model, "direct");
  model.analysis.projection_tolerance = 0.0;
  const Result always = run_gradient(model, "direct");
  EXPECT_GT(largest_deviation(sometimes.gradient, always.gradient, always.parameters.size()), 1e-9);
}

// The penalty stands alone on the diagonal of a saddle point, so that large ones cost no digits;
// what they leave of the constraints falls with their inverse.
TEST(Projections, DoNotDependOnThePenalty) {
  const Result exact = ali3p("exact", 1e9);
  double last = 1.0;
  for (const double penalty : {1e5, 1e7, 1e9, 1e11}) {
    const Result r = ali3p("penalty", penalty);
    const double deviation = largest_deviation(r.gradient, exact.gradient, exact.parameters.size());
    std::cout << "penalty " << penalty << ": gradients deviate by " << deviation << '\n';
    EXPECT_LT(deviation, std::max(0.03 * last, 1e-9)) << penalty;
    last = deviation;
  }
}

// A penalty of one loop's own, so small that it matters.
TEST(Projections, ConstraintsMayHavePenaltiesOfTheirOwn) {
  Model model = some_loop();
  model.analysis.projections = "penalty";
  model.analysis.penalty = 1e4;
  const Result all = run_gradient(model, "direct");
  model.analysis.penalty = 1e9;
  model.analysis.penalties = {{"cut", 1e4}};
  expect_exact_gradient(model);
  const Result own = run_gradient(model, "direct");
  const Result exact = ali3p("exact", 1e9);
  const std::size_t width = all.parameters.size();
  EXPECT_LT(10.0 * largest_deviation(own.gradient, all.gradient, width),
            largest_deviation(exact.gradient, all.gradient, width));
}

TEST(Kinematic, PrescribedMotionIsDifferentiatedExactly) {
  Model model = parametrise(driven_loop(), [](const std::string& path) {
    return (path.rfind("point", 0) == 0 && path.find("wall") == std::string::npos) ||
           path.rfind("axis", 0) == 0;
  });
  model.analysis.formulation = "kinematic";
  expect_exact_gradient(model);
}

// A pendulum that hangs at rest: nothing moves, so that any step is short enough for the motion,
// but its answer to the start is a cosine.
TEST(ErrorOfAStep, IncludesTheColumnsWhereAsked) {
  Model model;
  model.gravity = {0, -9.81, 0};
  model.bodies = {make_body("bob", 2.0, {0, -0.5, 0}, {0.1, 0.1, 0.1, 0, 0, 0}, {})};
  model.joints = {make_joint("pin", JointType::revolute, "ground", "bob", {0, 0, 1}, "start")};
  model.parameters = {make_parameter("start", 0.0)};
  model.sensors = {{"angle", "coordinate", "pin"}};
  model.objectives.push_back({"end", ObjectiveKind::terminal, "angle", "", ""});
  model.analysis.formulation = "semi-recursive";
  model.analysis.integrator = "dopri5";
  model.analysis.duration = 3.0;
  const double frequency = std::sqrt(2.0 * 9.81 * 0.5 / (0.1 + 2.0 * 0.25));
  const double expected = std::cos(frequency * model.analysis.duration);
  model.analysis.columns_in_error = false;
  const Result without = run_gradient(model, "direct");
  model.analysis.columns_in_error = true;
  const Result with = run_gradient(model, "direct");
  EXPECT_GT(std::abs(without.gradient[0] - expected), 0.1);
  EXPECT_NEAR(with.gradient[0], expected, 1e-6);
}

}  // namespace
}  // namespace gradus::derivative
