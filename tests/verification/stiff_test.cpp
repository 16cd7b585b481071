// Stiff problems by Radau IIA: orders on a mechanism with a loop, Robertson's reaction and van der
// Pol's oscillator against SciPy, a mechanism on a bushing that is nearly rigid.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/one_body.hpp"
#include "tests/support/source_path.hpp"
#include "tests/support/stiff_models.hpp"
#include "tests/support/van_der_pol.hpp"

namespace gradus::derivative {
namespace {

struct Errors {
  double value = 0.0, gradient = 0.0;  // relative; of a row, to its largest entry
};

Errors errors_of(const Result& r, const std::vector<double>& values,
                 const std::vector<double>& slopes) {
  Errors e;
  for (std::size_t o = 0; o < values.size(); ++o)
    e.value = std::max(e.value, std::abs(r.objective_values[o] / values[o] - 1));
  e.gradient = largest_deviation(r.gradient, slopes, slopes.size() / values.size());
  return e;
}

// Five bars with a cut joint, for one second in so many steps.
Result five_bar(const Options& formulation, const char* integrator, int steps) {
  const Model m = read_model(source_path("models/five-bar/five-bar.json"));
  Options options = formulation;
  options.backend = "cpu:1";
  options.integrator = integrator;
  options.duration = 1.0;
  options.estimate_every = 0;
  if (steps > 0) {
    options.step = 1.0 / steps;
  } else {
    options.rtol = 1e-13;
    options.atol = 1e-14;
  }
  return gradient(m, options);
}

// Of values and gradients, in every formulation that takes one-step methods; errors range from
// 6e-6 to 3e-13.
TEST(Stiff, RadauHasItsOrderOnALoop) {
  std::vector<Options> formulations(4);
  formulations[0].formulation = "index1";
  formulations[1].formulation = "index1";
  formulations[1].stabilisation = "baumgarte";
  formulations[2].formulation = "matrix-r";
  formulations[3].formulation = "penalty";
  formulations[3].penalty = 1e7;
  struct Order {
    const char* integrator;
    int steps, order;
  };
  for (const Options& formulation : formulations) {
    const Result exact = five_bar(formulation, "dop853", 0);
    for (const Order& o : {Order{"radau5", 20, 5}, Order{"radau9", 10, 9}}) {
      SCOPED_TRACE(*formulation.formulation + " " + o.integrator);
      const auto errors_by = [&](int steps) {
        return errors_of(five_bar(formulation, o.integrator, steps), exact.objective_values,
                         exact.gradient);
      };
      const Errors coarse = errors_by(o.steps), fine = errors_by(2 * o.steps);
      EXPECT_NEAR(std::log2(coarse.value / fine.value), o.order, 0.4);
      EXPECT_NEAR(std::log2(coarse.gradient / fine.gradient), o.order, 0.9);
    }
  }
}

// SciPy 1.17's Radau of values, sensitivities and their integrals, rtol 1e-12, atol 1e-16; its run
// of 1e-11 agrees to 3e-13.
TEST(Stiff, RobertsonsReactionIsThatOfSciPy) {
  const std::vector<double> values{0.10730042853784787, 4.800166972573867e-07, 0.8926990914454559,
                                   2002.0996584497982};
  const std::vector<double> slopes{
      -3.4378169110830394,   1.3677664058873848e-05,  -2.2796142417647683e-09,
      -5.21610693125552e-06, 2.057341943180638e-11,   -1.1429203713518076e-14,
      3.4378221271900276,    -1.3677684632292976e-05, 2.279625670968492e-09,
      -45726.64241106958,    0.1799940394691036,      -2.9999002377322143e-05};
  for (const char* integrator : {"radau5", "radau9", "rodas5p"})
    for (const double rtol : {1e-4, 1e-7, 1e-10}) {
      Model m = test::robertson();
      m.analysis.integrator = integrator;
      m.analysis.rtol = rtol;
      for (const char* method : {"direct", "adjoint"}) {
        const Result r = run_gradient(m, method);
        SCOPED_TRACE(std::string(integrator) + " " + method + ", rtol " + std::to_string(rtol) +
                     ", " + std::to_string(r.step_count[0]) + " steps");
        for (std::size_t k = 0; k < 4; ++k)
          EXPECT_NEAR(r.objective_values[k] / values[k], 1, 10 * rtol) << k;
        for (std::size_t k = 0; k < 12; ++k)
          EXPECT_NEAR(r.gradient[k] / slopes[k], 1, 30 * rtol) << k;
        EXPECT_LT(r.step_count[0], 2000.0);
      }
    }
}

// mu = 1000, from a slow arc over a jump to the next. SciPy's Radau, rtol 1e-12, atol 1e-14; its
// run of 1e-11 has the same values to 1e-12, and gradients to 4e-7: columns grow by a thousand
// times the speed of a jump on the way into it. Of the Radau methods steps are more accurate than
// the tolerance asks for, of the Rosenbrock method as accurate.
TEST(Stiff, VanDerPolsOscillatorIsThatOfSciPy) {
  Model m = test::van_der_pol(1000.0);
  m.analysis.duration = 2000.0;
  const std::vector<double> values{1.7061677321704338, -0.0008928097010248498, 5838.388078050615};
  const std::vector<double> slopes{0.001784793575272327,   1.3392143722346006,
                                   2.8042035933188046e-06, 0.0014342092817493863,
                                   0.01724312616378291,    1633.4886191748953};
  for (const char* integrator : {"radau5", "radau9", "rodas5p"})
    for (const double rtol : {1e-5, 1e-8}) {
      m.analysis.integrator = integrator;
      m.analysis.rtol = rtol;
      m.analysis.atol = 1e-2 * rtol;
      const Errors e = errors_of(run_gradient(m, "direct"), values, slopes);
      const bool is_radau = std::string(integrator) != "rodas5p";
      EXPECT_LT(e.value, (is_radau ? 1 : 20) * rtol) << integrator << " " << rtol;
      EXPECT_LT(e.gradient, (is_radau ? 3e3 : 3e5) * rtol) << integrator << " " << rtol;
    }
}

TEST(Stiff, AMechanismOnANearlyRigidBushingIsThatOfAnExplicitMethod) {
  Model m = test::pendulum_on_bushing();
  m.analysis.integrator = "dop853";
  const Result exact = run_gradient(m, "direct");
  for (const char* integrator : {"radau5", "radau9", "rodas5p"}) {
    m.analysis.integrator = integrator;
    m.analysis.rtol = 1e-7;
    m.analysis.atol = 1e-9;
    const Result r = run_gradient(m, "direct");
    const Errors e = errors_of(r, exact.objective_values, exact.gradient);
    EXPECT_LT(e.value, 1e-6) << integrator;
    EXPECT_LT(e.gradient, 1e-5) << integrator;
    EXPECT_LT(r.step_count[0], 0.1 * exact.step_count[0]) << integrator;
  }
}

// The position is exact however long the step, the velocity is not, and its error is to be seen;
// but it must not hold steps up that damp it.
TEST(Stiff, VelocitiesThatAStiffSpringPrescribesAreAccurate) {
  for (const auto& [k, c] :
       {std::pair{"1e9", "1e5"}, std::pair{"1e9", "1"}, std::pair{"1e5", "1e3"}})
    for (const char* integrator : {"radau5", "radau9", "rodas5p"}) {
      Model m = test::follower(k, c);
      m.analysis.integrator = integrator;
      const Result r = run_gradient(m, "direct");
      SCOPED_TRACE(std::string(integrator) + " " + k + " " + c + " in " +
                   std::to_string(r.step_count[0]) + " + " + std::to_string(r.rejected_steps[0]) +
                   " steps");
      EXPECT_NEAR(r.objective_values[0], std::cos(10.0), 1e-9);
      EXPECT_NEAR(r.objective_values[1], -std::sin(10.0), 3e-8);
      EXPECT_NEAR(r.gradient[0], -10.0 * std::sin(10.0), 1e-7);
      EXPECT_NEAR(r.gradient[1], -std::sin(10.0) - 10.0 * std::cos(10.0), 1e-6);
      EXPECT_LT(r.step_count[0] + r.rejected_steps[0], 4000.0);
    }
}

TEST(Stiff, AGovernorOnStiffCouplersIsThatOfAnExplicitMethod) {
  Model m = test::governor();
  m.analysis.integrator = "dop853";
  const Result exact = run_gradient(m, "direct");
  for (const char* integrator : {"radau5", "radau9", "rodas5p"})
    for (const double rtol : {1e-5, 1e-8}) {
      m.analysis.integrator = integrator;
      m.analysis.rtol = rtol;
      m.analysis.atol = 1e-2 * rtol;
      const Result r = run_gradient(m, "direct");
      const Errors e = errors_of(r, exact.objective_values, exact.gradient);
      EXPECT_LT(e.value, rtol) << integrator << " " << rtol;
      EXPECT_LT(e.gradient, 10 * rtol) << integrator << " " << rtol;
      const bool is_radau = std::string(integrator) != "rodas5p";
      EXPECT_LT(r.step_count[0], (is_radau ? 0.05 : 0.08) * exact.step_count[0]) << integrator;
    }
}

}  // namespace
}  // namespace gradus::derivative
