// Rodas5P: its coefficients, its dense output and objectives over that. Its orders and
// derivatives are tested with those of all integrators, stiff problems with Radau IIA.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gradus/gradus.hpp"
#include "src/motion/tableau.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/van_der_pol.hpp"

namespace gradus::derivative {
namespace {

double at(const std::vector<double>& row, int i) {
  return row[static_cast<std::size_t>(i)];
}

Model van_der_pol_of_one_step(double duration) {
  Model m = test::van_der_pol(1.0);
  m.analysis.integrator = "rodas5p";
  m.analysis.rtol = m.analysis.atol = 0.1;
  m.analysis.duration = m.analysis.step = duration;
  return m;
}

// Sums over the stages, by which a Rosenbrock method is consistent.
TEST(Rosenbrock, HasCoefficientsThatFitTogether) {
  Analysis analysis;
  analysis.integrator = "rodas5p";
  const Tableau t = make_tableau(analysis);
  const int s = t.stages;
  const auto sum = [&](const std::vector<double>& row, int begin, const auto& with) {
    double total = 0.0;
    for (int j = 0; j < s; ++j) total += at(row, begin + j) * with(j);
    return total;
  };
  const auto drift = [&](int j) { return at(t.drift, j); };
  const double times[] = {
      0.0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1.0, 1.0,
      1.0};  // as published
  for (int i = 0; i < s; ++i) {
    EXPECT_NEAR(at(t.c, i), times[i], 1e-14) << i;
    EXPECT_NEAR(sum(t.a, i * s, drift), times[i], 1e-14) << i;
  }
  EXPECT_NEAR(at(t.drift, s - 1), 0.0, 1e-13);  // the error of a motion without forces
  EXPECT_NEAR(sum(t.b, 0, drift), 1.0, 1e-13);
  double errors[3] = {at(t.node_error, 3), 0.0, 0.0};
  for (int q = 0; q < 3; ++q) {
    const double x = at(t.node_c, q);
    EXPECT_NEAR(sum(t.node, q * s, drift), x, 1e-13) << q;
    for (int power = 0; power < 3; ++power)
      errors[power] += at(t.node_error, q) * std::pow(x, power);
  }
  for (const double error : errors) EXPECT_NEAR(error, 0.0, 1e-14);
}

// The dense output between the ends, at which objectives are looked at, has the fourth order.
TEST(Rosenbrock, IsAccurateBetweenTheEndsOfItsSteps) {
  const auto error = [](double duration) {
    Model m = van_der_pol_of_one_step(duration);
    const Result r = run_gradient(m, "direct");
    m.analysis.integrator = "dop853";
    m.analysis.rtol = m.analysis.atol = 1e-13;
    const Result exact = run_gradient(m, "direct");
    EXPECT_EQ(r.step_count[0], 1.0);
    return std::abs(r.objective_values[2] - exact.objective_values[2]);
  };
  const double coarse = error(0.02), fine = error(0.01);
  EXPECT_GT(std::log2(coarse / fine), 4.6);
}

}  // namespace
}  // namespace gradus::derivative
