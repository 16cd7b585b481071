// Estimated errors of runs by fixed steps against the true ones, and gradients of an accuracy that
// is asked for.
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/error.hpp"
#include "gradus/gradus.hpp"
#include "tests/support/one_body.hpp"
#include "tests/support/source_path.hpp"
#include "tests/verification/accuracy.hpp"

namespace gradus::test {
namespace {

Model five_bar() {
  return read_model(source_path("models/five-bar/five-bar.json"));
}

// A pendulum of length l that swings from `angle`.
Model pendulum(double length, double angle) {
  Model model = one_body("bob", 1.0, "hinge", JointType::revolute, {0, 0, 1}, angle, 0.0, "phi");
  model.gravity = {0, -9.81, 0};
  model.parameters = {{"l", length, "m", {}, ""}};
  model.bodies[0].com = {"l", 0, 0};
  model.sensors.push_back({"energy", "energy", "total"});
  model.objectives = {{"end", ObjectiveKind::terminal, "phi", "rad", ""},
                      {"square", ObjectiveKind::integral, "phi^2", "s", ""}};
  model.analysis.duration = 2.0;
  return model;
}

Options estimated() {
  Options options;
  options.backend = "cpu:1";
  options.estimate_every = 1;
  return options;
}

TEST(Accuracy, EstimatesAreNearTheTruth) {
  struct Case {
    const char* formulation;
    const char* integrator;
    double step;
  };
  for (const Case& c : {Case{"ali3p", "newmark", 2e-3},
                        {"index1", "rk4", 1e-2},
                        {"matrix-r", "trapezoidal", 2e-3},
                        {"ali3p", "generalised-alpha", 2e-3},
                        {"index1", "implicit-euler", 1e-5}}) {
    Options options = estimated();
    options.formulation = c.formulation;
    options.integrator = c.integrator;
    options.step = c.step;
    options.duration = c.step < 1e-4 ? 0.2 : 1.0;
    const Result result = gradient(five_bar(), options);
    ASSERT_TRUE(result.all_ok()) << result.status[0].message;
    const Result reference = converged(five_bar(), options);
    const Errors truth = errors_of(result, reference);
    for (std::size_t o = 0; o < 3; ++o) {
      EXPECT_LT(result.objective_errors[o], 5.0 * truth.values[o] + 1e-10) << c.integrator << o;
      EXPECT_GT(result.objective_errors[o], 0.2 * truth.values[o] - 1e-10) << c.integrator << o;
      EXPECT_LT(result.gradient_errors[o], 5.0 * truth.gradients[o] + 1e-10) << c.integrator << o;
      EXPECT_GT(result.gradient_errors[o], 0.2 * truth.gradients[o] - 1e-10) << c.integrator << o;
    }
  }
}

// Its order is that of the adjoint, not of the motion.
TEST(Accuracy, OfContinuousAdjointsIsNotUnderstated) {
  Options options = estimated();
  options.formulation = "index1";
  options.integrator = "rk4";
  options.method = "continuous-adjoint";
  options.step = 2e-3;
  options.duration = 1.0;
  const Result result = gradient(five_bar(), options);
  ASSERT_TRUE(result.all_ok()) << result.status[0].message;
  Options direct = options;
  direct.method = "direct";
  const Errors truth = errors_of(result, converged(five_bar(), direct));
  for (std::size_t o = 0; o < 3; ++o) {
    EXPECT_GT(truth.gradients[o], 1e-9);
    EXPECT_GT(result.gradient_errors[o], 0.5 * truth.gradients[o]) << o;
    EXPECT_LT(result.gradient_errors[o], 2.0 * truth.gradients[o]) << o;
  }
}

// A fast filter: stiffness reduces the order of steps as long as these far below 5 and 9.
TEST(Accuracy, OfRadauStepsIsNotOverstatedWhereTheMotionIsStiff) {
  Model model = one_body("mass", 1.0, "rail", JointType::prismatic, {1, 0, 0}, 0.0, 0.0, "x");
  model.parameters = {{"a", 2.0, "m", {}, ""}, {"w", 7.0, "rad/s", {}, ""}};
  model.states = {{"p", "(a*cos(w*t) - p)/0.001", 0.0}};
  model.objectives = {{"square", ObjectiveKind::integral, "p^2", "m^2 s", ""}};
  model.analysis.duration = 1.0;
  model.analysis.formulation = "index1";
  Options exact = estimated();
  exact.integrator = "radau9";
  exact.rtol = 1e-12;
  exact.atol = 1e-14;
  const Result reference = gradient(model, exact);
  ASSERT_TRUE(reference.all_ok());
  for (const char* integrator : {"radau5", "radau9"})
    for (const double step : {2e-2, 1e-2, 5e-3}) {
      Options options = estimated();
      options.integrator = integrator;
      options.step = step;
      const Result result = gradient(model, options);
      ASSERT_TRUE(result.all_ok()) << result.status[0].message;
      const Errors truth = errors_of(result, reference);
      EXPECT_GT(result.objective_errors[0], 0.5 * truth.values[0]) << integrator << " " << step;
      EXPECT_LT(result.objective_errors[0], 50 * truth.values[0]) << integrator << " " << step;
      EXPECT_GT(result.gradient_errors[0], 0.5 * truth.gradients[0]) << integrator << " " << step;
    }
}

// As those of a parameter of 1 do, which changes the same.
TEST(Accuracy, EntriesOfParametersThatAreZeroCount) {
  const auto errors = [](double value, const char* length) {
    Model model = pendulum(value, 1.0);
    model.bodies[0].com = {length, 0, 0};
    Options options = estimated();
    options.step = 1e-2;
    const Result result = gradient(model, options);
    EXPECT_TRUE(result.all_ok()) << result.status[0].message;
    return result.gradient_errors;
  };
  const std::vector<double> zero = errors(0.0, "1 + l"), one = errors(1.0, "l");
  for (std::size_t o = 0; o < 2; ++o) {
    EXPECT_GT(one[o], 1e-6);
    EXPECT_NEAR(zero[o], one[o], 1e-9 * one[o]);
  }
}

// Steps that say nothing about the motion.
TEST(Accuracy, UselessNumbersFail) {
  struct Case {
    const char* formulation;
    const char* integrator;
    double length, step;
  };
  for (const Case& c : {Case{"ali3p", "newmark", 1.0, 1.0},
                        {"semi-recursive", "rk4", 0.01, 0.1},
                        {"fully-recursive", "rk4", 0.01, 0.08},
                        {"index1", "implicit-euler", 0.05, 0.5}}) {
    Options options = estimated();
    options.formulation = c.formulation;
    options.integrator = c.integrator;
    options.step = c.step;
    const Result result = gradient(pendulum(c.length, 1.0), options);
    ASSERT_FALSE(result.all_ok()) << c.integrator << c.length;
    EXPECT_TRUE(std::isnan(result.objective_values[0]));
    options.step = 1e-4;
    EXPECT_TRUE(gradient(pendulum(c.length, 1.0), options).all_ok()) << c.formulation;
  }
}

TEST(Accuracy, NameWhatIsWrong) {
  Options options = estimated();
  options.step = 0.1;
  std::string remarks;
  options.log = [&](const std::string& line) { remarks += line + "\n"; };
  const Result result = gradient(pendulum(0.5, 1.0), options);
  ASSERT_TRUE(result.all_ok());
  EXPECT_NE(remarks.find("errors: \"end\" is estimated to be wrong by"), std::string::npos)
      << remarks;
  options.step = 0.5;
  options.formulation = "semi-recursive";
  options.integrator = "rk4";
  const Result failed = gradient(pendulum(0.01, 1.0), options);
  ASSERT_FALSE(failed.all_ok());
  EXPECT_NE(failed.status[0].message.find("the estimated error of the gradient of \"square\" is"),
            std::string::npos)
      << failed.status[0].message;
}

// The drift of an energy is all error, while the motion is as good as one could wish.
TEST(Accuracy, WhatCancelsIsNoFailure) {
  Model model = pendulum(1.0, 1.0);
  model.objectives = {{"drift", ObjectiveKind::terminal, "energy + 9.81*l*sin(-1)", "J", ""},
                      {"zero", ObjectiveKind::terminal, "0*phi", "", ""}};
  Options options = estimated();
  options.step = 1e-3;
  const Result result = gradient(model, options);
  EXPECT_TRUE(result.all_ok()) << result.status[0].message;
  EXPECT_GT(result.objective_errors[0], 0.1);
  EXPECT_EQ(result.objective_errors[1], 0.0);
  EXPECT_EQ(result.gradient_errors[1], 0.0);
}

TEST(Accuracy, LooksAtSomeDesignsOfABatch) {
  Options options = estimated();
  options.estimate_every = 4;
  options.duration = 0.1;
  options.designs = {9, 0.05, 3, {}};
  const Result result = gradient(five_bar(), options);
  for (std::size_t d = 0; d < 9; ++d)
    EXPECT_EQ(std::isnan(result.objective_errors[d * 3]), d % 4 != 0) << d;
  EXPECT_TRUE(result.trajectories.empty());
  Options plain = options;
  plain.estimate_every = 0;
  const Result same = gradient(five_bar(), plain);
  EXPECT_EQ(same.gradient, result.gradient);
  EXPECT_TRUE(same.objective_errors.empty());
}

// Values at times that only whole multiples of the step reach: then half the step tells.
TEST(Accuracy, EstimatesWhereTwiceTheStepDoesNotEnd) {
  Model model = pendulum(1.0, 1.0);
  Objective value;
  value.name = "at";
  value.kind = ObjectiveKind::value;
  value.expression = "phi";
  value.at = {0.3};
  model.objectives = {value};
  Options options = estimated();
  options.step = 0.1;
  const Result result = gradient(model, options);
  const Errors truth = errors_of(result, converged(model, options));
  EXPECT_NEAR(result.objective_errors[0] / truth.values[0], 1.0, 0.3);
}

TEST(Accuracy, IsMetWhereItIsAskedFor) {
  for (const double accuracy : {1e-3, 1e-6, 1e-9}) {
    Options options;
    options.backend = "cpu:1";
    options.accuracy = accuracy;
    options.duration = 1.0;
    for (const char* method : {"direct", "adjoint"}) {
      options.method = method;
      const Result result = gradient(five_bar(), options);
      ASSERT_TRUE(result.all_ok()) << result.status[0].message;
      EXPECT_EQ(result.integrator, "dop853");
      const Errors truth = errors_of(result, converged(five_bar(), options));
      EXPECT_LT(truth.largest(), 3.0 * accuracy) << method;
      EXPECT_LE(result.objective_errors[0], accuracy);
    }
  }
}

// Integrands want shorter steps than a motion that hardly changes.
TEST(Accuracy, IsThatOfIntegralsToo) {
  Model model = pendulum(1.0, 0.0);
  model.gravity = {0, 0, 0};
  model.joints[0].start[0].velocity = 1.0;
  model.objectives = {{"wave", ObjectiveKind::integral, "sin(60*l*phi)^2", "s", ""}};
  Options options;
  options.backend = "cpu:1";
  options.formulation = "semi-recursive";
  for (const char* integrator : {"dop853", "dopri5"}) {
    options.integrator = integrator;
    const Result result = gradient(model, options);
    ASSERT_TRUE(result.all_ok()) << result.status[0].message;
    EXPECT_NEAR(result.objective_values[0], 1.0 - std::sin(240.0) / 240.0, 1e-7) << integrator;
    const double slope = -2.0 * std::cos(240.0) + 2.0 * std::sin(240.0) / 240.0;
    EXPECT_NEAR(result.gradient[0], 0.5 * slope, 1e-6) << integrator;
  }
}

TEST(Accuracy, IsMetByFixedStepsToo) {
  Options options;
  options.backend = "cpu:1";
  options.accuracy = 1e-5;
  options.duration = 0.5;
  options.formulation = "ali3p";
  const Result result = gradient(five_bar(), options);
  ASSERT_TRUE(result.all_ok()) << result.status[0].message;
  EXPECT_EQ(result.integrator, "newmark");
  EXPECT_LT(errors_of(result, converged(five_bar(), options)).largest(), 3e-5);
}

// Times that not every share of a step reaches.
TEST(Accuracy, IsMetByStepsThatEndWhereValuesAreDue) {
  Model model = pendulum(1.0, 1.0);
  Objective value;
  value.name = "at";
  value.kind = ObjectiveKind::value;
  value.expression = "phi";
  value.at = {0.25, 0.5};
  model.objectives = {value};
  Options options;
  options.backend = "cpu:1";
  options.accuracy = 1e-7;
  options.duration = 1.0;
  options.formulation = "ali3p";
  const Result result = gradient(model, options);
  ASSERT_TRUE(result.all_ok()) << result.status[0].message;
  EXPECT_LT(errors_of(result, converged(model, options)).largest(), 3e-7);
}

// What is zero but for round-off has no digits to be right.
TEST(Accuracy, IsMetByZeros) {
  Model model = pendulum(1.0, 1.0);
  model.bodies[0].points = {{"tip", {"l", 0, 0}}};
  model.sensors.push_back({"tip", "position", "bob.tip"});
  model.objectives = {{"zero", ObjectiveKind::terminal, "1e-3*(tip.x^2 + tip.y^2 - l^2)", "", ""}};
  Options options;
  options.backend = "cpu:1";
  options.accuracy = 1e-9;
  options.duration = 1.0;
  const Result result = gradient(model, options);
  ASSERT_TRUE(result.all_ok()) << result.status[0].message;
  EXPECT_EQ(result.gradient_errors[0], 0.0);
}

TEST(Accuracy, OutOfReachIsSaid) {
  Options options;
  options.backend = "cpu:1";
  options.accuracy = 1e-17;
  options.duration = 0.2;
  const Result result = gradient(five_bar(), options);
  ASSERT_FALSE(result.all_ok());
  EXPECT_NE(result.status[0].message.find("the accuracy 1e-17 is out of reach"), std::string::npos)
      << result.status[0].message;
  options.accuracy = 2.0;
  EXPECT_THROW(gradient(five_bar(), options), InputError);
  options.accuracy = 1e-6;
  options.rtol = 1e-9;
  EXPECT_THROW(gradient(five_bar(), options), InputError);
}

}  // namespace
}  // namespace gradus::test
