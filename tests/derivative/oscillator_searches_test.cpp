// Peaks and passages of a mass on a spring, in closed form: x = A exp(-d t) sin(w t + phi).
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "gradus/error.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/forces.hpp"

namespace gradus::derivative {
namespace {

using std::numbers::pi;
constexpr double kStiffness = 50.0, kMass = 2.0, kDamping = 0.8, kStart = 0.3, kSpeed = 1.2;

Objective search(const std::string& name, ObjectiveKind kind, const std::string& expression,
                 int passage = 1, Passages direction = Passages::either) {
  Objective objective;
  objective.name = name;
  objective.kind = kind;
  objective.expression = expression;
  objective.passage = passage;
  objective.direction = direction;
  return objective;
}

Model oscillator(const std::string& integrator, double step) {
  Model model;
  model.name = "oscillator";
  model.parameters = {make_parameter("k", kStiffness), make_parameter("m", kMass),
                      make_parameter("c", kDamping), make_parameter("x0", kStart),
                      make_parameter("v0", kSpeed)};
  model.bodies = {make_body("mass", "m", {0, 0, 0}, {1, 1, 1, 0, 0, 0}, {})};
  model.joints = {
      make_joint("rail", JointType::prismatic, "ground", "mass", {1, 0, 0}, "x0", "v0")};
  model.sensors = {{"x", "coordinate", "rail"}, {"v", "rate", "rail"}};
  model.forces.push_back(make_joint_force("spring", "rail", "-k*x - c*v"));
  model.objectives = {search("peak", ObjectiveKind::maximum, "x"),
                      search("trough", ObjectiveKind::minimum, "x"),
                      search("third", ObjectiveKind::time_when, "x", 3),
                      search("rise", ObjectiveKind::time_when, "x", 1, Passages::rising),
                      search("turn", ObjectiveKind::time_when, "v", 2)};
  model.analysis.formulation = "semi-recursive";
  model.analysis.integrator = integrator;
  model.analysis.duration = 2.0;
  model.analysis.step = step;
  model.analysis.tolerance = 1e-12;
  return model;
}

using Parameters = std::array<double, 5>;  // k, m, c, x0, v0
constexpr Parameters kNominal{kStiffness, kMass, kDamping, kStart, kSpeed};

struct ClosedForm {
  double decay, frequency, amplitude, phase;
  explicit ClosedForm(const Parameters& p)
      : decay(p[2] / (2 * p[1])), frequency(std::sqrt(p[0] / p[1] - decay * decay)) {
    const double cosine = (p[4] + decay * p[3]) / frequency;
    amplitude = std::hypot(p[3], cosine);
    phase = std::atan2(p[3], cosine);
  }
  double x(double t) const {
    return amplitude * std::exp(-decay * t) * std::sin(frequency * t + phase);
  }
  double passage(int n) const { return (n * pi - phase) / frequency; }
  // tan(w t + phi) = w / d
  double turn(int n) const {
    return (std::atan2(frequency, decay) - phase + (n - 1) * pi) / frequency;
  }
  std::array<double, 5> objectives() const {
    return {x(turn(1)), x(turn(2)), passage(3), passage(2), turn(2)};
  }
};

// [objective, parameter], by differences of the fourth order: exact to some 1e-11.
std::vector<double> closed_gradient() {
  std::vector<double> gradient(25);
  for (std::size_t p = 0; p < 5; ++p) {
    const double h = 1e-3 * kNominal[p];
    const auto at = [&](double steps) {
      Parameters moved = kNominal;
      moved[p] += steps * h;
      return ClosedForm(moved).objectives();
    };
    const auto a = at(-2), b = at(-1), c = at(1), d = at(2);
    for (std::size_t o = 0; o < 5; ++o)
      gradient[o * 5 + p] = (a[o] - 8 * b[o] + 8 * c[o] - d[o]) / (12 * h);
  }
  return gradient;
}

struct Errors {
  double value = 0.0, gradient = 0.0;
};

Errors errors_of(const Model& model) {
  const Result result = run_gradient(model, "direct");
  const auto exact = ClosedForm(kNominal).objectives();
  Errors errors;
  for (std::size_t o = 0; o < 5; ++o)
    errors.value = std::max(errors.value, std::abs(result.objective_values[o] - exact[o]));
  errors.gradient = largest_deviation(result.gradient, closed_gradient(), 5);
  return errors;
}

// Halving the step shows the order of the integrator: what is interpolated errs less than what is
// integrated.
void expect_order(const std::string& integrator, double order, double step) {
  const Errors coarse = errors_of(oscillator(integrator, step));
  const Errors fine = errors_of(oscillator(integrator, 0.5 * step));
  const double of_value = std::log2(coarse.value / fine.value);
  const double of_gradient = std::log2(coarse.gradient / fine.gradient);
  std::cout << integrator << ": " << fine.value << " and " << fine.gradient << ", orders "
            << of_value << " and " << of_gradient << '\n';
  EXPECT_GT(of_value, order - 0.25) << integrator;
  EXPECT_GT(of_gradient, order - 0.25) << integrator;
}

TEST(OscillatorSearches, ConvergeAsTheMotionDoes) {
  expect_order("implicit-euler", 1, 0.0005);
  expect_order("newmark", 2, 0.01);
  expect_order("rk4", 4, 0.01);
  expect_order("radau5", 5, 0.04);
}

TEST(OscillatorSearches, AreAsAccurateAsAdaptiveMotions) {
  for (const char* integrator : {"dopri5", "dop853"})
    for (const double rtol : {1e-6, 1e-9, 1e-11}) {
      Model model = oscillator(integrator, 0.01);
      model.analysis.rtol = rtol;
      model.analysis.atol = 0.1 * rtol;
      const Errors errors = errors_of(model);
      std::cout << integrator << ' ' << rtol << ": " << errors.value << " and " << errors.gradient
                << '\n';
      EXPECT_LT(errors.value, 30 * rtol) << integrator;
      EXPECT_LT(errors.gradient, 100 * rtol) << integrator;
    }
}

// Extrema at the ends of the motion, or of a part of it, are values there.
TEST(OscillatorSearches, MayEndWhereTheSearchDoes) {
  Model model = oscillator("rk4", 0.01);
  Objective part = search("part", ObjectiveKind::maximum, "x");
  part.from = 0.3;
  part.to = 0.6;
  model.objectives = {search("start", ObjectiveKind::minimum, "t^2 + x0"),
                      part,
                      {"value", ObjectiveKind::value, "x", "", "", {}, {0.3}}};
  const Result result = run_gradient(model, "direct");
  EXPECT_EQ(result.objective_values[0], kStart);
  EXPECT_EQ(result.objective_values[1], result.objective_values[2]);
  for (std::size_t p = 0; p < 5; ++p) {
    EXPECT_EQ(result.gradient[p], p == 3 ? 1.0 : 0.0);
    EXPECT_EQ(result.gradient[5 + p], result.gradient[10 + p]);
  }
}

// A motion that begins at zero has not passed it; nor has one that comes to it and turns.
TEST(OscillatorSearches, CountPassagesOnly) {
  Model model = oscillator("rk4", 0.01);
  model.objectives = {search("first", ObjectiveKind::time_when, "x - x0"),
                      search("between", ObjectiveKind::time_when, "(t - 0.603)*(t - 0.607)", 2)};
  const Result result = run_gradient(model, "direct");
  EXPECT_GT(result.objective_values[0], 0.1);
  EXPECT_NEAR(result.objective_values[1], 0.607, 1e-12);
}

std::string failure_of(const Model& model, const std::string& method) {
  Options options;
  options.backend = "cpu:1";
  options.method = method;
  const Result result = gradient(model, options);
  for (const double value : result.objective_values) EXPECT_TRUE(std::isnan(value));
  return result.status[0].message;
}

TEST(OscillatorSearches, FailWithTheirName) {
  for (const char* integrator : {"rk4", "dop853"})
    for (const char* method : {"direct", "adjoint", "dual"}) {
      Model model = oscillator(integrator, 0.01);
      model.objectives.push_back(search("far", ObjectiveKind::time_when, "x - 10"));
      EXPECT_NE(failure_of(model, method).find("the objective \"far\" waits for"),
                std::string::npos);
      model.objectives.back() = search("grazing", ObjectiveKind::time_when, "(t - 0.6037)^3");
      EXPECT_NE(failure_of(model, method).find("the objective \"grazing\" has no derivative"),
                std::string::npos);
      model.objectives.back() =
          search("lost", ObjectiveKind::maximum, "sqrt(0.25 - (t - 1)^2) - 0*x");
      EXPECT_NE(failure_of(model, method).find("the objective \"lost\" or its gradient"),
                std::string::npos);
      model.objectives.back() = search("steep", ObjectiveKind::maximum, "x");
      model.objectives.back().smooth = 1e-4;
      EXPECT_NE(failure_of(model, method).find("the objective \"steep\""), std::string::npos);
    }
}

// A sign that changes without passing zero is no passage, and polynomials that swing beside a jump
// make none, nor extrema that the expression never has.
TEST(OscillatorSearches, KnowJumpsAndPoles) {
  for (const char* method : {"direct", "adjoint", "dual"}) {
    Model model = oscillator("rk4", 0.01);
    for (const char* expression : {"1/x", "x/abs(x)"}) {
      model.objectives = {search("sign", ObjectiveKind::time_when, expression)};
      EXPECT_NE(failure_of(model, method).find("the objective \"sign\" has no instant"),
                std::string::npos)
          << expression;
    }
    model.objectives = {search("near", ObjectiveKind::time_when, "1.05 + x/abs(x)"),
                        search("high", ObjectiveKind::maximum, "x/abs(x)"),
                        search("low", ObjectiveKind::minimum, "x/abs(x) + 0.001*t"),
                        search("tip", ObjectiveKind::minimum, "abs(x)"),
                        search("edge", ObjectiveKind::maximum, "min(x, 0.1)")};
    model.objectives[0].otherwise = 7.0;
    const Result r = run_gradient(model, method);
    EXPECT_EQ(r.objective_values[0], 7.0);
    EXPECT_EQ(r.objective_values[1], 1.0);
    EXPECT_GE(r.objective_values[2], -1.0);
    EXPECT_NEAR(r.objective_values[3], 0.0, 1e-4);
    EXPECT_LE(r.objective_values[4], 0.1 + 1e-12);
  }
}

TEST(OscillatorSearches, HaveAValueWithoutAPassage) {
  Model model = oscillator("rk4", 0.01);
  Objective far = search("far", ObjectiveKind::time_when, "x - 10");
  far.otherwise = 7.5;
  model.objectives.push_back(far);
  for (const char* method : {"direct", "adjoint", "dual"}) {
    const Result result = run_gradient(model, method);
    EXPECT_EQ(result.objective_values.back(), 7.5);
    EXPECT_EQ(result.gradient.back(), 0.0);
    EXPECT_EQ(result.objectives.back().unit, "s");
  }
}

// Between the mean and the maximum, and nearer to the latter the narrower.
TEST(OscillatorSearches, MayBeSmooth) {
  Model model = oscillator("rk4", 0.002);
  const double largest = run_gradient(model, "direct").objective_values[0];
  double gap = 1.0;
  for (const double width : {0.1, 0.03, 0.01, 0.003}) {
    model.objectives = {search("peak", ObjectiveKind::maximum, "x"),
                        search("trough", ObjectiveKind::minimum, "-x")};
    for (Objective& objective : model.objectives) objective.smooth = width;
    const Result result = run_gradient(model, "direct");
    EXPECT_EQ(result.objective_values[0], -result.objective_values[1]);
    EXPECT_LT(result.objective_values[0], largest);
    EXPECT_LT(largest - result.objective_values[0], gap);
    gap = largest - result.objective_values[0];
    expect_exact_gradient(model);
  }
  EXPECT_LT(gap, 0.02);
}

}  // namespace
}  // namespace gradus::derivative
