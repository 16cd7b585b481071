// Parameters that depend on each other: what comes out, and what is refused.
#include "src/study/sampling/sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/error.hpp"
#include "tests/unit/study/sweep/sweeps.hpp"

namespace gradus::test {
namespace {

// [mean 0, mean 1, variance 0, variance 1, correlation] of two parameters, of f of their values.
template <class Transform>
std::array<double, 5> moments(const Sweep& sweep, std::size_t first, std::size_t second,
                              Transform transform) {
  const std::vector<double> a = column(sweep, first), b = column(sweep, second);
  const auto n = static_cast<double>(a.size());
  double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double x = transform(a[k]), y = transform(b[k]);
    sa += x / n;
    sb += y / n;
    saa += x * x / n;
    sbb += y * y / n;
    sab += x * y / n;
  }
  saa -= sa * sa;
  sbb -= sb * sb;
  return {sa, sb, saa, sbb, (sab - sa * sb) / std::sqrt(saa * sbb)};
}

double same(double value) {
  return value;
}

TEST(Dependence, CovariancesComeOut) {
  for (const Sampling sampling : {Sampling::random, Sampling::latin_hypercube, Sampling::sobol}) {
    Sweep sweep = sweep_of(sampling, 20000, {normal(1, 99), uniform(0, 1), normal(-2, 99)});
    sweep.dependence = Dependence{true, {"x2", "x0"}, {4, -1.2, -1.2, 0.49}};
    const std::array<double, 5> found = moments(sweep, 2, 0, same);
    EXPECT_NEAR(found[0], -2, 0.06);
    EXPECT_NEAR(found[1], 1, 0.02);
    EXPECT_NEAR(found[2], 4, 0.16);
    EXPECT_NEAR(found[3], 0.49, 0.02);
    EXPECT_NEAR(found[4], -1.2 / 1.4, 0.01);
    EXPECT_NEAR(moments(sweep, 0, 1, same)[4], 0.0, 0.03);
  }
}

TEST(Dependence, CorrelationsAreThoseOfNormalScores) {
  Sweep sweep = sweep_of(Sampling::sobol, 20000, {log_normal(2, 0.3), uniform(0, 1)});
  sweep.dependence = Dependence{false, {"x0", "x1"}, {1, 0.8, 0.8, 1}};
  // The logarithm of the first is normal; the uniform one is half as far from it as by itself:
  // sqrt(3 / pi) of 0.8.
  const auto logarithm_or_same = [](double value) { return value > 1.0 ? std::log(value) : value; };
  Sweep shifted = sweep;
  shifted.parameters[0].distribution.median = 2000;  // all logarithms are taken, of x0 alone
  EXPECT_NEAR(moments(shifted, 0, 1, logarithm_or_same)[4], 0.8 * std::sqrt(3.0 / M_PI), 0.01);
  const std::array<double, 5> found = moments(sweep, 1, 1, same);
  EXPECT_NEAR(found[0], 0.5, 0.001);  // uniform as before
  EXPECT_NEAR(found[2], 1.0 / 12.0, 0.001);
}

TEST(Dependence, ThreeParametersHaveAllTheirCorrelations) {
  Sweep sweep = sweep_of(Sampling::random, 40000, std::vector<Distribution>(3, normal(0, 1)));
  sweep.dependence =
      Dependence{false, {"x0", "x1", "x2"}, {1, 0.5, -0.3, 0.5, 1, 0.4, -0.3, 0.4, 1}};
  EXPECT_NEAR(moments(sweep, 0, 1, same)[4], 0.5, 0.02);
  EXPECT_NEAR(moments(sweep, 0, 2, same)[4], -0.3, 0.02);
  EXPECT_NEAR(moments(sweep, 1, 2, same)[4], 0.4, 0.02);
}

std::string complaint(const Dependence& dependence,
                      const std::vector<Distribution>& distributions = {normal(0, 1), normal(0, 1),
                                                                        normal(0, 1)}) {
  Sweep sweep = sweep_of(Sampling::random, 10, distributions);
  sweep.dependence = dependence;
  try {
    const DependenceFactor factor(sweep, "here");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Dependence, RefusesWrongNames) {
  EXPECT_EQ(complaint({false, {"x0", "x9"}, {1, 0, 0, 1}}),
            "here: found the parameter \"x9\" (the sweep does not vary it), did you mean \"x0\"?");
  EXPECT_EQ(complaint({false, {"x0", "x0"}, {1, 0, 0, 1}}),
            "here: found the parameter \"x0\" twice (it has one row of the matrix), remove one");
  EXPECT_NE(complaint({true, {"x0", "x1"}, {1, 0, 0, 1}}, {normal(0, 1), uniform(0, 1)})
                .find("the distribution of \"x1\" is not normal"),
            std::string::npos);
  EXPECT_NE(
      complaint({true, {"x0", "x1"}, {1, 0, 0, 1}}, {normal(0, 1), truncated(normal(0, 1), 0, 1)})
          .find("the distribution of \"x1\" is not normal"),
      std::string::npos);
}

TEST(Dependence, RefusesWhatIsNoSuchMatrix) {
  EXPECT_EQ(complaint({false, {"x0", "x1"}, {1, 0, 0}}),
            "here: found a matrix of 3 numbers (there are 2 parameters), give as many rows and "
            "columns");
  EXPECT_EQ(complaint({false, {"x0", "x1"}, {1, 0, 0, 2}}),
            "here: the entry of \"x1\" and \"x1\" is 2 (the correlation of a parameter with itself "
            "is 1), make the "
            "diagonal 1");
  EXPECT_EQ(complaint({true, {"x0", "x1"}, {1, 0, 0, 0}}),
            "here: the entry of \"x1\" and \"x1\" is 0 (variances are positive), give the square "
            "of a standard deviation");
  EXPECT_EQ(complaint({false, {"x0", "x1"}, {1, 0.5, 0.25, 1}}),
            "here: the entry of \"x1\" and \"x0\" differs from its mirror image (correlations are "
            "0.25 and 0.5), make the matrix symmetric");
  EXPECT_NE(complaint({false, {"x0", "x1"}, {1, NAN, 0.5, 1}}).find("is not finite"),
            std::string::npos);
}

TEST(Dependence, NamesTheSmallestEigenvalueAndWhoCausesIt) {
  EXPECT_EQ(complaint({false, {"x0", "x1", "x2"}, {1, 0, 0, 0, 1, 1.5, 0, 1.5, 1}}),
            "here: the matrix is not positive definite (its smallest eigenvalue is -0.5, along "
            "\"x1\", \"x2\"), no variables can have such correlations: check or lower them");
  const std::string singular = complaint({true, {"x0", "x1", "x2"}, {4, 0, 6, 0, 1, 0, 6, 0, 9}});
  EXPECT_EQ(singular.rfind("here: the matrix is singular (its smallest eigenvalue of the "
                           "correlations is ",
                           0),
            0U)
      << singular;
  EXPECT_NE(singular.find(": a combination of \"x0\", \"x2\" does not vary), leave one of them "
                          "out or lower their correlations"),
            std::string::npos)
      << singular;
}

}  // namespace
}  // namespace gradus::test
