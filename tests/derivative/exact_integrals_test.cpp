// Integrals of polynomials of time between knots: values and derivatives that no step has a part
// in.
#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "gradus/mechanism.hpp"
#include "src/motion/mechanism.hpp"
#include "tests/derivative/gradient_check.hpp"

namespace gradus::derivative {
namespace {

// A mass on a rail, pushed by what is integrated. `still` is 0 and keeps an integral with the
// motion.
Model rail(const std::string& integrand, const std::string& more = "", double step = 0.05) {
  return parse_model(R"json({
    "schema": "gradus-model/1", "name": "rail", "gravity": [0, 0, 0],
    "parameters": { "u": { "value": [0.3, -1, 2, 0.7, 0.4], "size": 5 }, "k": 1.3, "still": 0 },
    "bodies": { "mass": { "mass": 2, "com": [0, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 } } },
    "joints": { "rail": { "type": "prismatic", "parent": "ground", "child": "mass", "axis": [1, 0, 0],
                          "initial": { "position": 0.2, "velocity": 0.1 } } },
    "sensors": { "x": { "coordinate": "rail" } },
    "forces": { "push": { "type": "joint-force", "joint": "rail", "value": "k*u[1] + t*u[2] + u[0]*u[3] - u[4]*x" } },
    "objectives": { "exact": { "integral": ")json" +
                         integrand + R"json(" }, "end": { "terminal": "x" })json" + more +
                         R"json( },
    "analysis": { "duration": 2, "formulation": "index1", "integrator": "rk4", "step": )json" +
                         std::to_string(step) + " } }",
                     "rail");
}

bool is_exact(const Model& model) {
  return !CompiledMechanism(model, {}).plan().exact_integrals.objectives.empty();
}

// By steps whose errors are small.
std::vector<double> integrated(const std::string& integrand) {
  Model model = rail(integrand + " + still*x");
  EXPECT_FALSE(is_exact(model));
  model.analysis.integrator = "dop853";
  model.analysis.rtol = 1e-13;
  model.analysis.atol = 1e-14;
  model.analysis.controls_error = true;
  const Result r = run_gradient(model, "direct");
  std::vector<double> numbers{r.objective_values[0]};
  numbers.insert(numbers.end(), r.gradient.begin(), r.gradient.begin() + 6);
  return numbers;
}

const std::vector<std::string> kPolynomials{
    "spline(t, [0, 0.5, 1, 1.5, 2], u)^2",
    "spline(t, [-1, 0.4, 0.9, 1.7, 2.5], u, 'clamped')^2*k",
    "spline(t, [0, 0.5, 1, 1.5, 2], u, 'clamped', [k, 0.3])*t^3",
    "spline(t, [0, 0.3, 1, 1.5, 2], u, 'not-a-knot')*spline(2*t + 0.1, [0, 1, 2, 3, 5], u)/k",
    "spline(t, [0, 0.5, 1, 1.5, 2], u, 'monotone')^3",
    "spline(t, [0.2, 0.5, 0.6, 1.5, 1.8], u, 'linear')^2",
    "spline(3 - t, [0.5, 1, 1.1, 2, 2.8], u, 'linear', 'hold')^2 + spline(k, [0, 1, 2, 3, 4], u)*t",
    "spline(t - 0.3, [0, 0.1, 0.2, 0.4, 0.5, 0.7], u, 'periodic')^2",
    "(u[0] + u[1]*t)^4/(1 + k^2) - sin(u[2])*t^2",
};

TEST(ExactIntegrals, AreThoseOfShortSteps) {
  for (const std::string& integrand : kPolynomials) {
    SCOPED_TRACE(integrand);
    const Model model = rail(integrand);
    EXPECT_TRUE(is_exact(model));
    const std::vector<double> expected = integrated(integrand);
    const Result r = run_gradient(model, "direct");
    EXPECT_NEAR(r.objective_values[0], expected[0], 1e-11 * (1.0 + std::abs(expected[0])));
    for (std::size_t p = 0; p < 6; ++p) EXPECT_NEAR(r.gradient[p], expected[p + 1], 1e-10) << p;
  }
}

TEST(ExactIntegrals, OfClosedForm) {
  const Result r = run_gradient(rail("(k*t^2 + u[0])^2"), "adjoint");
  const double k = 1.3, u = 0.3;
  EXPECT_NEAR(r.objective_values[0], k * k * 32 / 5 + 2 * k * u * 8 / 3 + 2 * u * u, 1e-14);
  EXPECT_NEAR(r.gradient[5], 2 * k * 32 / 5 + 2 * u * 8 / 3, 1e-14);
  EXPECT_NEAR(r.gradient[0], 2 * k * 8 / 3 + 4 * u, 1e-14);
}

// By all methods, beside an objective of the motion; by differences, too.
TEST(ExactIntegrals, AreDifferentiatedExactly) {
  Tolerances tolerances;
  tolerances.smallest_entry = -1.0;  // the end of the motion does not answer to all parameters
  for (const std::string& integrand : {kPolynomials[0], kPolynomials[3], kPolynomials[4]})
    expect_exact_gradient(rail(integrand), tolerances);
}

TEST(ExactIntegrals, DoNotDependOnSteps) {
  for (const char* method : {"direct", "adjoint", "dual"}) {
    const Result coarse = run_gradient(rail(kPolynomials[1], "", 0.25), method);
    const Result fine = run_gradient(rail(kPolynomials[1], "", 0.002), method);
    EXPECT_EQ(coarse.objective_values[0], fine.objective_values[0]) << method;
    EXPECT_NE(coarse.objective_values[1], fine.objective_values[1]) << method;
    for (std::size_t p = 0; p < 6; ++p) EXPECT_EQ(coarse.gradient[p], fine.gradient[p]) << method;
  }
}

// Over the time that the run takes, whatever the model says.
TEST(ExactIntegrals, EndWithTheRun) {
  Options options;
  options.duration = 1.0;
  Model shorter = rail(kPolynomials[0]);
  shorter.analysis.duration = 1.0;
  const double expected = run_gradient(shorter, "direct").objective_values[0];
  EXPECT_EQ(run_gradient(rail(kPolynomials[0]), "direct", options).objective_values[0], expected);
  EXPECT_NE(run_gradient(rail(kPolynomials[0]), "direct").objective_values[0], expected);
}

TEST(ExactIntegrals, HaveTheSameBitsEverywhere) {
  Options options;
  options.designs.count = 9;
  options.designs.spread = 0.1;
  expect_same_bits_everywhere(rail(kPolynomials[0]), options);
}

// Over time, as far as the motion has come, with columns: what a motion that ends there has.
TEST(ExactIntegrals, AreRecorded) {
  for (const std::string& integrand : {kPolynomials[0], kPolynomials[7]}) {
    Options options;
    options.record = options.columns = true;
    options.backend = "cpu:1";
    const Model model = rail(integrand);
    const Result whole = gradient(model, options);
    const Trajectory& motion = whole.trajectories.front();
    ASSERT_EQ(motion.time.size(), 41U);
    const std::size_t n = whole.parameters.size();
    EXPECT_EQ(motion.objective_history[0], 0.0);
    EXPECT_EQ(motion.objective_history[40 * 2], whole.objective_values[0]);
    for (const std::size_t row : {7U, 20U, 40U}) {
      Model shorter = model;
      shorter.analysis.duration = motion.time[row];
      const Result part = run_gradient(shorter, "direct");
      EXPECT_NEAR(motion.objective_history[row * 2], part.objective_values[0], 1e-14);
      EXPECT_NE(part.objective_values[0], 0.0);
      for (std::size_t p = 0; p < n; ++p)
        EXPECT_NEAR(motion.gradient_history[row * 2 * n + p], part.gradient[p], 1e-13) << p;
    }
  }
}

// What is no polynomial, moves, or is a guess beyond its knots takes part in the motion.
TEST(ExactIntegrals, AreNoOthers) {
  for (const char* const integrand :
       {"sin(t)*u[0]", "abs(t - 1)*u[0]", "x*t", "u[0]/(1 + t)", "t^u[0]", "u[0]^2",
        "spline(t, [0, 0.2, 0.4, 0.6, 0.8], u)", "spline(t^2, [0, 1, 2, 3, 4], u)",
        "spline(k*t, [0, 1, 2, 3, 4], u)", "spline(t, [0, 1, 2, 3, 4], [1, t, 2, 3, u[0]])"})
    EXPECT_FALSE(is_exact(rail(integrand))) << integrand;
  const Result r = run_gradient(rail("spline(t, [0, 0.2, 0.4, 0.6, 0.8], u)"), "direct");
  EXPECT_FALSE(r.extrapolation.empty());
}

// Twenty thousand terms, and a spline that repeats a billion times.
TEST(ExactIntegrals, OfMuchAreLeftToTheMotion) {
  std::string sum = "t*k";
  for (int i = 0; i < 20'000; ++i) sum += " + t^" + std::to_string(i % 7) + "*u[0]";
  const Result r = run_gradient(rail(sum, "", 0.5), "direct");
  EXPECT_GT(r.objective_values[0], 1e3);
  EXPECT_FALSE(is_exact(rail("spline(t, [0, 1e-9, 2e-9], [u[0], 1], 'periodic')", "", 0.5)));
}

// Products with the Jacobian have them as others.
TEST(ExactIntegrals, AreInProductsWithTheJacobian) {
  const Mechanism mechanism(rail(kPolynomials[0], R"(, "way": { "integral": "x^2" })"));
  const std::size_t n = mechanism.parameter_count(), m = mechanism.objective_count();
  const std::span<const double> rows = mechanism.nominal();
  const std::vector<double> direction{0.3, -0.1, 0.2, 0.5, -0.4, 1.0, 0.7}, weights{2.0, -0.5, 0.3};
  const std::vector<double> jacobian = mechanism.gradient(rows).gradient;
  Session session(mechanism);
  std::vector<double> along(m), across(n);
  ASSERT_EQ(session.jacobian_vector(rows, direction, along), 0U);
  ASSERT_EQ(session.vector_jacobian(rows, weights, across), 0U);
  for (std::size_t o = 0; o < m; ++o) {
    double sum = 0.0;
    for (std::size_t p = 0; p < n; ++p) sum += jacobian[o * n + p] * direction[p];
    EXPECT_NEAR(along[o], sum, 1e-12) << o;
  }
  for (std::size_t p = 0; p < n; ++p) {
    double sum = 0.0;
    for (std::size_t o = 0; o < m; ++o) sum += jacobian[o * n + p] * weights[o];
    EXPECT_NEAR(across[p], sum, 1e-12) << p;
  }
}

}  // namespace
}  // namespace gradus::derivative
