// Gauss-Newton matrices of objectives that are sums of squares: against recorded sensitivities,
// gradients of the residuals themselves, and integrals that have the same sum.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"

namespace gradus::derivative {
namespace {

struct Way {
  std::string label, formulation, integrator;
  bool semidefinite = true;  // the weights of its integrals are not negative
};

void PrintTo(const Way& way, std::ostream* out) {
  *out << way.label;
}

std::string label(const testing::TestParamInfo<Way>& info) {
  return info.param.label;
}

constexpr std::size_t kSteps = 20;

// A four-bar linkage without objectives.
Model linkage(const Way& way) {
  Model m = parametrise(four_bar(3), [](const std::string& path) {
    return path == "mass coupler" || path == "com rocker.y" || path == "stiffness s1" ||
           path == "gravity.y" || path == "point coupler.tip.x" || path == "position A" ||
           path == "velocity A" || path == "axis A.x";
  });
  m.objectives.clear();
  m.analysis.formulation = way.formulation;
  m.analysis.integrator = way.integrator;
  m.analysis.duration = 0.2;
  m.analysis.step = m.analysis.duration / kSteps;
  m.analysis.tolerance = 1e-12;
  return m;
}

Objective squares(ObjectiveKind kind, std::vector<std::string> residuals) {
  Objective o;
  o.name = "fit";
  o.kind = kind;
  o.residuals = std::move(residuals);
  return o;
}

Eigen::MatrixXd matrix(const Result& r) {
  const auto n = static_cast<Eigen::Index>(r.parameters.size());
  EXPECT_EQ(r.gauss_newton.size(), r.parameters.size() * r.parameters.size());
  return Eigen::Map<const Eigen::MatrixXd>(r.gauss_newton.data(), n, n).transpose();
}

// Relative to the diagonal: |a_ij - b_ij| <= tolerance * sqrt(b_ii b_jj).
void expect_same_matrix(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double tolerance) {
  ASSERT_EQ(a.rows(), b.rows());
  for (Eigen::Index i = 0; i < b.rows(); ++i) {
    EXPECT_GT(b(i, i), 0.0) << i << ", the test would prove nothing";
    for (Eigen::Index j = 0; j < b.cols(); ++j)
      EXPECT_NEAR(a(i, j), b(i, j), tolerance * std::sqrt(b(i, i) * b(j, j))) << i << ", " << j;
  }
}

class LeastSquares : public testing::TestWithParam<Way> {};

// At the end of the motion, dr is the gradient of r as an objective of its own.
TEST_P(LeastSquares, AtTheEndAreProductsOfGradients) {
  Model model = linkage(GetParam());
  const std::vector<std::string> residuals{"r.x - 0.3*t", "sin(q)*v.y + 0.01*stiffness_s1",
                                           "total*0.1", "a.x + v.z"};
  for (const std::string& r : residuals)
    model.objectives.push_back({r, ObjectiveKind::terminal, r, "", ""});
  model.objectives.push_back(squares(ObjectiveKind::terminal, residuals));
  const Result r = run_gradient(model, "direct");
  const auto n = static_cast<Eigen::Index>(r.parameters.size());
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(n);
  double value = 0.0;
  for (std::size_t k = 0; k < residuals.size(); ++k) {
    const Eigen::Map<const Eigen::VectorXd> row(r.gradient.data() + k * static_cast<std::size_t>(n),
                                                n);
    expected += 2.0 * row * row.transpose();
    gradient += 2.0 * r.objective_values[k] * row;
    value += r.objective_values[k] * r.objective_values[k];
  }
  EXPECT_NEAR(r.objective_values.back(), value, 1e-12 * value);
  expect_same_matrix(matrix(r), expected, 1e-12);
  for (Eigen::Index p = 0; p < n; ++p)
    EXPECT_NEAR(
        r.gradient[residuals.size() * static_cast<std::size_t>(n) + static_cast<std::size_t>(p)],
        gradient(p), 1e-12 * gradient.lpNorm<Eigen::Infinity>());
}

// Residuals that are linear in parameters of their own: dr is what stands beside these, and the
// matrix is made of integrals that can be stated.
TEST_P(LeastSquares, AreIntegratedAsObjectives) {
  Model model = four_bar(3);
  model.objectives.clear();
  model.analysis = linkage(GetParam()).analysis;
  model.parameters = {make_parameter("c0", 0.3), make_parameter("c1", -0.7),
                      make_parameter("c2", 1.1)};
  const std::vector<std::string> factors{"r.x*(1 + t)", "dot(v, v)", "sin(q)*a.y"};
  for (const std::string& a : factors)
    for (const std::string& b : factors)
      model.objectives.push_back({"2*(" + a + ")*(" + b + ")", ObjectiveKind::integral,
                                  "2*(" + a + ")*(" + b + ")", "", ""});
  model.objectives.push_back(
      squares(ObjectiveKind::integral,
              {"c0*(" + factors[0] + ") + c1*(" + factors[1] + ") + c2*(" + factors[2] + ") - t"}));
  const Result r = run_gradient(model, "direct");
  const Eigen::MatrixXd expected =
      Eigen::Map<const Eigen::MatrixXd>(r.objective_values.data(), 3, 3);
  expect_same_matrix(matrix(r), expected, 1e-12);
}

// By the trapezoidal rule on the recorded sensitivities: what ali3p sums, and nearly what others
// do.
TEST_P(LeastSquares, AreSumsOfRecordedSensitivities) {
  Model model = linkage(GetParam());
  model.objectives = {squares(ObjectiveKind::integral, {"r - [0.3, 0.2, 0]", "0.5*(q - t)"})};
  const bool same_sum = GetParam().formulation == "ali3p";
  if (!same_sum) model.analysis.step /= 16;
  Options options;
  options.columns = true;
  const Result r = run_gradient(model, "direct", options);
  const Trajectory& run = r.trajectories[0];
  const std::size_t n = r.parameters.size();
  const std::size_t components = r.sensor_components.size();
  Eigen::MatrixXd expected =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    const double weight = (k == 0 || k + 1 == run.time.size() ? 0.5 : 1.0) * r.step;
    for (std::size_t c = 0; c < components; ++c) {
      const std::string& name = r.sensor_components[c].name;
      const double factor = name.rfind("r.", 0) == 0 ? 1.0 : name == "q" ? 0.5 : 0.0;
      const Eigen::Map<const Eigen::VectorXd> row(
          run.sensor_columns.data() + (k * components + c) * n, static_cast<Eigen::Index>(n));
      expected += 2.0 * weight * factor * factor * row * row.transpose();
    }
  }
  // The trapezoidal rule errs by h^2/12 of the change of slope, h = 6e-4.
  expect_same_matrix(matrix(r), expected, same_sum ? 1e-11 : 1e-4);
}

TEST_P(LeastSquares, AreSymmetricAndSemidefinite) {
  Model model = linkage(GetParam());
  model.objectives = {squares(ObjectiveKind::integral, {"r", "v.x*stiffness_s1", "total"})};
  const Eigen::MatrixXd h = matrix(run_gradient(model, "direct"));
  EXPECT_EQ(h, h.transpose());
  const Eigen::VectorXd scale = h.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * h * scale.asDiagonal();
  const double least = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled).eigenvalues()(0);
  EXPECT_GT(least, GetParam().semidefinite ? -1e-13 : -1e-6);
}

INSTANTIATE_TEST_SUITE_P(Ways, LeastSquares,
                         testing::Values(Way{"ali3p", "ali3p", "newmark"},
                                         Way{"ali3p_alpha", "ali3p", "generalised-alpha"},
                                         Way{"rk4", "index1", "rk4"},
                                         Way{"dop853", "index1", "dop853", false},
                                         Way{"dopri5", "matrix-r", "dopri5", false},
                                         Way{"radau5", "index1", "radau5"}),
                         label);

// As any objective: direct, adjoint, dual numbers and differences.
TEST(LeastSquaresGradient, IsExact) {
  Model model = parametrise(four_bar(3), [](const std::string& path) {
    return path == "mass coupler" || path == "stiffness s1" || path == "point coupler.tip.x";
  });
  model.objectives = {squares(ObjectiveKind::integral, {"r - [0.3, 0.2*t, 0]", "q*mass_coupler"}),
                      squares(ObjectiveKind::terminal, {"v", "qd - 1"})};
  model.objectives[1].name = "end";
  expect_exact_gradient(model);
}

// The matrix has an entry for every pair of parameters, so that these are not split; several
// matrices lie one behind the other.
TEST(LeastSquaresMatrices, AreTheSameOnEveryBackend) {
  Model model = parametrise_all(every_joint());
  model.objectives = {squares(ObjectiveKind::integral, {"r", "qd"}),
                      {"plain", ObjectiveKind::integral, "r.x", "", ""},
                      squares(ObjectiveKind::terminal, {"v"})};
  model.objectives[2].name = "end";
  model.analysis.duration = 2 * model.analysis.step;
  ASSERT_GT(model.parameters.size(), 128U);
  Options options;
  options.designs.count = 2;
  options.designs.spread = 0.01;
  std::vector<double> first;
  for (const char* backend : {"cpu:1", "cpu:4", "debug"}) {
    options.backend = backend;
    const Result r = gradient(model, options);
    ASSERT_TRUE(r.all_ok());
    EXPECT_EQ(r.least_squares, (std::vector<std::string>{"fit", "end"}));
    ASSERT_EQ(r.gauss_newton.size(), 2 * 2 * model.parameters.size() * model.parameters.size());
    if (first.empty()) first = r.gauss_newton;
    EXPECT_EQ(std::memcmp(first.data(), r.gauss_newton.data(), first.size() * sizeof(double)), 0)
        << backend;
  }
  options.backend = "cpu:1";
  options.method = "adjoint";
  EXPECT_TRUE(gradient(model, options).gauss_newton.empty());
  options.method = "auto";
  EXPECT_EQ(gradient(model, options).method, "direct");
  EXPECT_TRUE(simulate(model, options).gauss_newton.empty());
}

TEST(LeastSquaresMatrices, OfFailedDesignsAreNaN) {
  Model model = linkage({"ali3p", "ali3p", "newmark"});
  model.objectives = {squares(ObjectiveKind::integral, {"r"})};
  Options options;
  options.set["point_coupler_tip_x"] = 90.0;
  for (const char* backend : {"cpu:1", "debug"}) {
    options.backend = backend;
    const Result r = gradient(model, options);
    ASSERT_FALSE(r.all_ok());
    ASSERT_EQ(r.gauss_newton.size(), model.parameters.size() * model.parameters.size());
    for (const double entry : r.gauss_newton) EXPECT_TRUE(std::isnan(entry));
  }
}

TEST(LeastSquaresErrors, AnObjectiveIsOneOfTheTwo) {
  Model model = four_bar(3);
  model.objectives[0].residuals = {"q"};
  EXPECT_THROW(validate(model), InputError);
  model.objectives[0].expression.clear();
  EXPECT_NO_THROW(validate(model));
}

}  // namespace
}  // namespace gradus::derivative
