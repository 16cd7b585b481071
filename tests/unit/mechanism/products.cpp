// Products with the Jacobian of the objectives against the Jacobian itself.
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/error.hpp"
#include "tests/support/forces.hpp"
#include "tests/unit/mechanism/small_models.hpp"

namespace gradus::test {
namespace {

void expect_close(double found, double expected, double scale) {
  EXPECT_LE(std::abs(found - expected), 1e-11 * scale) << found << " for " << expected;
}

void check_products(const Model& model, const char* formulation, const char* integrator) {
  Options options;
  options.backend = "cpu:1";
  options.formulation = formulation;
  options.integrator = integrator;
  const Mechanism mechanism(model, options);
  const std::size_t n = mechanism.parameter_count();
  const std::size_t m = mechanism.objective_count();
  constexpr std::size_t kDesigns = 3;
  const std::vector<double> rows = designs_around(mechanism, kDesigns);
  std::vector<double> directions(kDesigns * n);
  std::vector<double> weights(kDesigns * m);
  for (std::size_t k = 0; k < directions.size(); ++k)
    directions[k] = std::sin(1.0 + static_cast<double>(k));
  for (std::size_t k = 0; k < weights.size(); ++k)
    weights[k] = std::cos(2.0 + static_cast<double>(k));
  const std::vector<double> jacobian = mechanism.gradient(rows).gradient;

  Session session(mechanism);
  std::vector<double> forwards(kDesigns * m);
  std::vector<double> backwards(kDesigns * n);
  EXPECT_EQ(session.jacobian_vector(rows, directions, forwards), 0U);
  EXPECT_EQ(session.vector_jacobian(rows, weights, backwards), 0U);
  for (std::size_t d = 0; d < kDesigns; ++d) {
    const double* const j = jacobian.data() + d * m * n;
    for (std::size_t o = 0; o < m; ++o) {
      double sum = 0.0;
      double scale = 0.0;
      for (std::size_t p = 0; p < n; ++p) {
        sum += j[o * n + p] * directions[d * n + p];
        scale += std::abs(j[o * n + p] * directions[d * n + p]);
      }
      EXPECT_NE(sum, 0.0);
      expect_close(forwards[d * m + o], sum, scale);
    }
    for (std::size_t p = 0; p < n; ++p) {
      double sum = 0.0;
      double scale = 0.0;
      for (std::size_t o = 0; o < m; ++o) {
        sum += weights[d * m + o] * j[o * n + p];
        scale += std::abs(weights[d * m + o] * j[o * n + p]);
      }
      EXPECT_NE(sum, 0.0);
      expect_close(backwards[d * n + p], sum, scale);
    }
  }
}

TEST(Products, AreThoseOfTheJacobian) {
  check_products(short_five_bar(), "ali3p", "newmark");
  check_products(short_five_bar(), "matrix-r", "rk4");
  check_products(short_five_bar(), "index1", "radau5");
}

// Parameters in laws, definitions, objectives and start values.
TEST(Products, ReachWhateverParametersReach) {
  Model model;
  model.name = "pendulum";
  model.gravity = {0, -9.81, 0};
  model.parameters = {
      {"L", 0.5, "m", {}, ""}, {"k", 3.0, "N m/rad", {}, ""}, {"w", 0.4, "1", {}, ""}};
  model.definitions = {{"half", "L/2"}};
  Body rod;
  rod.name = "rod";
  rod.mass = "2*L";
  rod.com = {"half", 0, 0};
  rod.inertia.zz = "L^3/6";
  rod.points["tip"] = {"L", 0, 0};
  model.bodies = {rod};
  Joint hinge;
  hinge.name = "hinge";
  hinge.parent = "ground";
  hinge.child = "rod";
  hinge.start = {{"0.3*w", "w", false, false}};
  model.joints = {hinge};
  model.sensors = {{"tip", "position", "rod.tip"}, {"angle", "coordinate", "hinge"}};
  model.forces.push_back(make_joint_force("spring", "hinge", "-k*sin(angle) + w*t"));
  model.objectives = {{"height", ObjectiveKind::integral, "w*tip.y", "m s", ""},
                      {"end", ObjectiveKind::terminal, "tip.x^2 + k*L", "m^2", ""}};
  model.analysis.duration = 0.3;
  model.analysis.step = 0.01;
  check_products(model, "semi-recursive", "rk4");
  check_products(model, "ali3p", "newmark");
}

TEST(Products, RefuseWhatDoesNotFit) {
  const Mechanism mechanism(short_five_bar());
  Session session(mechanism);
  const std::vector<double> rows = designs_around(mechanism, 1);
  std::vector<double> three(3);
  EXPECT_THROW(session.jacobian_vector(rows, three, three), InputError);
  EXPECT_THROW(session.vector_jacobian(rows, rows, three), InputError);
}

}  // namespace
}  // namespace gradus::test
