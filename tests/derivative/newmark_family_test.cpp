// Newmark's method and its generalisations: orders by beta and gamma, and the spectral radius with
// which they damp what oscillates fast.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::derivative {
namespace {

Model oscillator(double stiffness, double damping) {
  Model m = test::one_body("mass", 1.0, "rail", JointType::prismatic, {1, 0, 0}, 1.0, 0.0, "x");
  m.parameters = {{"k", stiffness, "", {}, ""}};
  m.forces = {make_torsional_spring("spring", "rail", "k", damping, 0)};
  m.objectives = {{"end", ObjectiveKind::terminal, "x", "", ""}};
  m.analysis.tolerance = 1e-12;
  return m;
}

struct Scheme {
  const char* integrator;
  double beta, gamma, radius;
  int order;
};

const std::vector<Scheme>& schemes() {
  // Of newmark with beta = (gamma + 1/2)^2/4 the radius is |gamma - 3/2| / (gamma + 1/2).
  static const std::vector<Scheme> all{{"newmark", 0.25, 0.5, 1.0, 2},
                                       {"newmark", 0.3, 0.5, 1.0, 2},
                                       {"newmark", 0.3025, 0.6, 0.9 / 1.1, 1},
                                       {"newmark", 0.36, 0.7, 0.8 / 1.2, 1},
                                       {"hht", 0.25, 0.5, 0.8, 2},
                                       {"hht", 0.25, 0.5, 0.5, 2},
                                       {"generalised-alpha", 0.25, 0.5, 0.6, 2},
                                       {"generalised-alpha", 0.25, 0.5, 0.45, 2}};
  return all;
}

void use(const Scheme& scheme, Model& m) {
  m.analysis.integrator = scheme.integrator;
  m.analysis.beta = scheme.beta;
  m.analysis.gamma = scheme.gamma;
  m.analysis.spectral_radius = scheme.radius;
}

double error_of_end(Model m, double step, double* of_gradient) {
  m.analysis.step = step;
  Options options;
  options.backend = "cpu:1";
  const Result r = gradient(m, options);
  EXPECT_TRUE(r.all_ok());
  // x = e^(-t/4) (cos wt + sin wt / (4 w)), w^2 = k - 1/16
  const double t = m.analysis.duration;
  const auto exact = [t](double k) {
    const double w = std::sqrt(k - 1.0 / 16);
    return std::exp(-t / 4) * (std::cos(w * t) + std::sin(w * t) / (4 * w));
  };
  *of_gradient = std::abs(r.gradient[0] - (exact(9 + 1e-5) - exact(9 - 1e-5)) / 2e-5);
  return std::abs(r.objective_values[0] - exact(9));
}

TEST(NewmarkFamily, HasItsOrder) {
  for (const char* formulation : {"ali3p", "semi-recursive"})
    for (const Scheme& scheme : schemes()) {
      SCOPED_TRACE(std::string(formulation) + " " + scheme.integrator + " " +
                   std::to_string(scheme.gamma));
      Model m = oscillator(9, 0.5);
      m.analysis.formulation = formulation;
      m.analysis.duration = 1.3;
      use(scheme, m);
      double coarse_gradient = 0.0;
      double fine_gradient = 0.0;
      const double coarse = error_of_end(m, 0.01, &coarse_gradient);
      const double fine = error_of_end(m, 0.0025, &fine_gradient);
      EXPECT_NEAR(std::log2(coarse / fine) / 2, scheme.order, 0.1);
      EXPECT_NEAR(std::log2(coarse_gradient / fine_gradient) / 2, scheme.order, 0.1);
    }
}

// What oscillates much faster than the steps is multiplied by the spectral radius in each.
TEST(NewmarkFamily, HasItsSpectralRadius) {
  for (const char* formulation : {"ali3p", "semi-recursive"})
    for (const Scheme& scheme : schemes()) {
      SCOPED_TRACE(std::string(formulation) + " " + scheme.integrator + " " +
                   std::to_string(scheme.gamma));
      Model m = oscillator(1e9, 0.0);
      m.analysis.tolerance = 1e-9;  // predictions are 1e5 too large
      m.analysis.formulation = formulation;
      m.analysis.step = 1e-2;
      m.analysis.duration = 0.4;
      use(scheme, m);
      Options options;
      options.record = true;
      options.backend = "cpu:1";
      const Result r = simulate(m, options);
      ASSERT_TRUE(r.all_ok()) << r.status[0].message;
      const std::vector<double>& x = r.trajectories[0].sensors;
      double before = 0.0;
      double after = 0.0;
      for (std::size_t k = 16; k < 20; ++k) before = std::max(before, std::abs(x[k]));
      for (std::size_t k = 36; k < 40; ++k) after = std::max(after, std::abs(x[k]));
      EXPECT_NEAR(std::pow(after / before, 1.0 / 20), scheme.radius, 0.05);
    }
}

}  // namespace
}  // namespace gradus::derivative
