// Objectives at instants that the motion tells: gradients of every method beside dual numbers and
// differences, lanes, adjoints with little memory, products with the Jacobian, and the failures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gradus/error.hpp"
#include "gradus/mechanism.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/methods.hpp"

namespace gradus::derivative {
namespace {

using test::Method;

constexpr double kStep = 1.0 / 512;  // so that products are exact
constexpr int kSearchSteps = 12;
constexpr double kDuration = kSearchSteps * kStep;
// All that sensors show, between -1.6 and 1.6.
constexpr const char* kMixture =
    "atan(0.01*(dot(r, [1, 2, -0.5]) + dot(v, [0.7, -1, 0.4]) + dot(cross(a, r), [1, 0.5, 2]) + "
    "qdd*q + 0.1*total))";

Objective search(ObjectiveKind kind, const std::string& expression, const std::string& name) {
  Objective objective;
  objective.name = name;
  objective.kind = kind;
  objective.expression = expression;
  return objective;
}

std::string summit_at(double time) {
  return std::string(kMixture) + " - 2e5*(t - " + std::to_string(time) + ")^2";
}

// Peaks and passages between steps, between the first of them and the last, and at the end.
std::vector<Objective> searches() {
  std::vector<Objective> all{
      search(ObjectiveKind::maximum, summit_at(0.55 * kDuration), "summit"),
      search(ObjectiveKind::minimum, "-(" + summit_at(0.03 * kDuration) + ")", "early"),
      search(ObjectiveKind::maximum, summit_at(0.97 * kDuration), "late"),
      search(ObjectiveKind::minimum, std::string(kMixture) + " - 1e3*t", "at the end"),
      search(ObjectiveKind::time_when, "t - 0.01 + 2e-3*" + std::string(kMixture), "time"),
      search(ObjectiveKind::time_when, summit_at(0.4 * kDuration) + " + 3", "return"),
      search(ObjectiveKind::maximum, kMixture, "smooth")};
  all[5].direction = Passages::falling;
  all[5].from = 2 * kStep;
  all[5].to = 11 * kStep;
  all[6].smooth = 0.1;
  return all;
}

Model mechanism(const Method& method) {
  static const std::vector<std::string> some{
      "mass ball",    "com rod.y",         "axis sleeve.x",    "axis cut.x",
      "stiffness s1", "position socket.1", "velocity socket.2"};
  Model model =
      parametrise(method.formulation.loops ? closed_by(JointType::revolute) : every_joint(),
                  [](const std::string& path) {
                    return std::find(some.begin(), some.end(), path) != some.end();
                  });
  method.use_closely_in(model);
  model.analysis.step = kStep;
  model.analysis.duration = kDuration;
  model.objectives = searches();
  return model;
}

class Searches : public testing::TestWithParam<Method> {};

TEST_P(Searches, AreDifferentiatedExactly) {
  expect_exact_gradient(mechanism(GetParam()), tolerances_of(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Methods, Searches, testing::ValuesIn(test::tested_methods(false)),
                         [](const auto& method) { return method.param.label(); });

Method method_of(const std::string& formulation, const std::string& integrator) {
  for (const Method& method : test::tested_methods(false))
    if (method.formulation.label == formulation && method.integrator.name == integrator)
      return method;
  throw std::runtime_error("no test knows " + formulation + " with " + integrator);
}

// Two steps have three ends, all of which the polynomial goes through.
TEST(SearchesOfInstants, GoByFewSamplesIfThereAreNoMore) {
  Model model = mechanism(method_of("ali3p", "newmark"));
  model.analysis.duration = 2 * kStep;
  model.objectives = {
      search(ObjectiveKind::maximum, summit_at(0.7 * kStep), "summit"),
      search(ObjectiveKind::time_when, "t - 0.0025 + 5e-4*" + std::string(kMixture), "time")};
  expect_exact_gradient(model);
}

TEST(SearchesOfInstants, OfAPrescribedMotionAreDifferentiatedExactly) {
  Model model = parametrise(driven_loop(), [](const std::string& path) {
    return path.rfind("point", 0) == 0 && path.find("wall") == std::string::npos;
  });
  model.analysis.formulation = "kinematic";
  const double end = model.analysis.duration;
  model.objectives = {
      search(ObjectiveKind::maximum, summit_at(0.55 * end), "summit"),
      search(ObjectiveKind::time_when,
             "t - " + std::to_string(0.4 * end) + " + 1e-2*" + std::string(kMixture), "time")};
  expect_exact_gradient(model);
}

TEST(SearchesOfInstants, HaveOneForEveryLane) {
  for (const auto& [formulation, integrator] :
       {std::pair{"ali3p", "newmark"}, std::pair{"matrix_r", "rk4"}}) {
    const Model model = mechanism(method_of(formulation, integrator));
    Options options;
    options.designs.count = 5;
    options.designs.spread = 0.05;
    for (const char* method : {"direct", "adjoint"}) {
      options.lanes = 1;
      const Result alone = run_gradient(model, method, options);
      options.lanes = 0;
      const Result together = run_gradient(model, method, options);
      EXPECT_GT(together.lanes, 1);
      EXPECT_EQ(alone.objective_values, together.objective_values);
      EXPECT_EQ(alone.gradient, together.gradient);
      EXPECT_NE(alone.objective_values[0], alone.objective_values[model.objectives.size()]);
    }
  }
}

// States are put back on the way, but not what the search has found.
TEST(SearchesOfInstants, AreKeptByAdjointsWithLittleMemory) {
  for (const auto& [formulation, integrator] :
       {std::pair{"ali3p", "newmark"}, std::pair{"matrix_r", "rk4"},
        std::pair{"matrix_r", "dopri5"}}) {
    Model model = mechanism(method_of(formulation, integrator));
    model.analysis.duration = 20 * kDuration;
    const Result whole = run_gradient(model, "adjoint");
    Options options;
    options.memory = 150'000;
    const Result little = run_gradient(model, "adjoint", options);
    EXPECT_GT(little.recomputation, 0.0);
    EXPECT_EQ(whole.gradient, little.gradient) << formulation;
  }
}

TEST(SearchesOfInstants, AreFoundOnTheDeviceForDebugging) {
  for (const auto& [formulation, integrator] :
       {std::pair{"ali3p", "newmark"}, std::pair{"matrix_r", "dopri5"}}) {
    const Model model = mechanism(method_of(formulation, integrator));
    for (const char* method : {"direct", "adjoint"}) {
      Options options;
      const Result host = run_gradient(model, method, options);
      options.backend = "debug";
      options.method = method;
      const Result debug = gradient(model, options);
      EXPECT_EQ(host.objective_values, debug.objective_values);
      EXPECT_LT(largest_deviation(host.gradient, debug.gradient, host.parameters.size()), 1e-12);
    }
  }
}

// Weighted sums of objectives that are no sums over instants.
TEST(SearchesOfInstants, HaveProductsWithTheJacobian) {
  Model model = mechanism(method_of("matrix_r", "rk4"));
  model.objectives.insert(model.objectives.begin() + 3,
                          {"mean", ObjectiveKind::integral, kMixture, "", ""});
  Options options;
  options.backend = "cpu:1";
  const Mechanism compiled(model, options);
  const std::size_t n = compiled.parameter_count(), m = compiled.objective_count();
  const std::vector<double> row(compiled.nominal().begin(), compiled.nominal().end());
  std::vector<double> direction(n), weights(m), forwards(m), backwards(n);
  for (std::size_t p = 0; p < n; ++p) direction[p] = std::sin(1.0 + static_cast<double>(p));
  for (std::size_t o = 0; o < m; ++o) weights[o] = std::cos(2.0 + static_cast<double>(o));
  const std::vector<double> jacobian = compiled.gradient(row).gradient;
  Session session(compiled);
  ASSERT_EQ(session.jacobian_vector(row, direction, forwards), 0U);
  ASSERT_EQ(session.vector_jacobian(row, weights, backwards), 0U);
  for (std::size_t o = 0; o < m; ++o) {
    double sum = 0.0, size = 0.0;
    for (std::size_t p = 0; p < n; ++p) {
      sum += jacobian[o * n + p] * direction[p];
      size += std::abs(jacobian[o * n + p] * direction[p]);
    }
    EXPECT_NEAR(forwards[o], sum, 1e-11 * size);
  }
  for (std::size_t p = 0; p < n; ++p) {
    double sum = 0.0, size = 0.0;
    for (std::size_t o = 0; o < m; ++o) {
      sum += weights[o] * jacobian[o * n + p];
      size += std::abs(weights[o] * jacobian[o * n + p]);
    }
    EXPECT_NEAR(backwards[p], sum, 1e-11 * size);
  }
}

TEST(SearchesOfInstants, HaveNoContinuousAdjoint) {
  Model model = mechanism(method_of("ali3p", "newmark"));
  Options options;
  options.backend = "cpu:1";
  options.method = "continuous-adjoint";
  try {
    gradient(model, options);
    FAIL() << "it was not refused";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "objective \"summit\": no continuous adjoint (it belongs to an instant within the "
                 "motion); use the method direct or adjoint");
  }
  model.objectives = {model.objectives.back()};  // the smooth one is an integral
  const Result direct = run_gradient(model, "direct");
  const Result continuous = run_gradient(model, "continuous-adjoint");
  EXPECT_LT(largest_deviation(direct.gradient, continuous.gradient, direct.gradient.size()), 1e-2);
}

}  // namespace
}  // namespace gradus::derivative
