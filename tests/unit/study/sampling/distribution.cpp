// Distributions: quantiles, moments, truncation, and the way back to standard variables.
#include "src/study/sampling/distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/error.hpp"
#include "src/study/sweep/sweep_statistics.hpp"
#include "tests/unit/study/sweep/sweeps.hpp"

namespace gradus::test {
namespace {

double at(const Distribution& distribution, double below) {
  return value_at(distribution, {below, 1.0 - below});
}

struct Moments {
  double mean = 0.0, variance = 0.0;
};

// By the midpoint rule on probabilities.
Moments moments_of(const Distribution& distribution) {
  constexpr int count = 200000;
  Moments moments;
  for (int k = 0; k < count; ++k) moments.mean += at(distribution, (k + 0.5) / count) / count;
  for (int k = 0; k < count; ++k)
    moments.variance += std::pow(at(distribution, (k + 0.5) / count) - moments.mean, 2) / count;
  return moments;
}

TEST(Distribution, QuantilesAreKnownOnes) {
  EXPECT_DOUBLE_EQ(at(uniform(-1, 3), 0.25), 0.0);
  EXPECT_DOUBLE_EQ(at(normal(1, 2), 0.5), 1.0);
  EXPECT_NEAR(at(normal(0, 1), 0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(at(normal(5, 0.1), 0.001), 5.0 - 0.3090232306167813, 1e-14);
  EXPECT_NEAR(value_at(normal(0, 1), {1.0, 1e-300}), 37.047096299361199, 1e-12);
  EXPECT_NEAR(at(log_normal(3, 0.5), 0.5), 3.0, 1e-14);
  EXPECT_NEAR(at(log_normal(3, 0.5), 0.975), 3.0 * std::exp(0.5 * 1.959963984540054), 1e-12);
}

TEST(Distribution, MomentsAreThoseOfTheFormulas) {
  for (const Distribution& distribution :
       {uniform(-1, 3), normal(1, 2), log_normal(3, 0.5), log_normal(1e-3, 0.1)}) {
    const double variance = variance_of(distribution).value();
    EXPECT_NEAR(moments_of(distribution).variance, variance, 1e-3 * variance);
  }
  EXPECT_NEAR(moments_of(uniform(-1, 3)).mean, 1.0, 1e-9);
  EXPECT_NEAR(moments_of(normal(1, 2)).mean, 1.0, 1e-9);
  EXPECT_NEAR(moments_of(log_normal(3, 0.5)).mean, 3.0 * std::exp(0.125), 1e-4);
}

TEST(Distribution, TruncatedMomentsAreThoseOfTheFormulas) {
  // Between -1 and 2 of the standard normal distribution.
  const double first = std::exp(-0.5) / std::sqrt(2.0 * M_PI);
  const double second = std::exp(-2.0) / std::sqrt(2.0 * M_PI);
  const double mass = 0.5 * (std::erf(2.0 / std::sqrt(2.0)) + std::erf(1.0 / std::sqrt(2.0)));
  const double mean = (first - second) / mass;
  const double variance = 1.0 + (-first - 2.0 * second) / mass - mean * mean;
  const Moments moments = moments_of(truncated(normal(10, 3), 7, 16));
  EXPECT_NEAR(moments.mean, 10 + 3 * mean, 1e-6);
  EXPECT_NEAR(moments.variance, 9 * variance, 1e-5);
  EXPECT_FALSE(variance_of(truncated(normal(10, 3), 7, 16)).has_value());
}

TEST(Distribution, FarTruncationKeepsDigits) {
  const Distribution far = truncated(normal(0, 1), 8, 9);
  const Distribution mirrored = truncated(normal(0, 1), -9, -8);
  EXPECT_NEAR(at(far, 0.25), 8.0353396219050171815, 1e-13);
  EXPECT_NEAR(at(far, 0.999), 8.7919635866188912158, 1e-13);
  EXPECT_NEAR(at(truncated(normal(0, 1), 30, 31), 0.5), 30.023070467827308926, 1e-13);
  EXPECT_NEAR(at(truncated(normal(0, 1), 1, 1.001), 0.3), 1.0002998949685203929, 1e-12);
  EXPECT_DOUBLE_EQ(at(far, 0.25), -at(mirrored, 0.75));
  const Distribution values = truncated(log_normal(2, 0.1), 2 * std::exp(0.8), 2 * std::exp(0.9));
  EXPECT_NEAR(at(values, 0.25), 2 * std::exp(0.1 * 8.0353396219050171815), 1e-12);
}

TEST(Distribution, TruncatedValuesStayInside) {
  for (const Distribution& distribution :
       {truncated(normal(0, 1), -0.1, 0.2), truncated(normal(0, 1), 36, 37),
        truncated(log_normal(1, 1), -1, 0.5), truncated(normal(0, 1), -40, 40)}) {
    const auto [from, to] = *distribution.truncated;
    for (const double below : {0x1p-53, 1e-9, 0.3, 0.5, 0.9, 1 - 0x1p-53}) {
      EXPECT_GE(at(distribution, below), from);
      EXPECT_LE(at(distribution, below), to);
    }
    EXPECT_LT(at(distribution, 0.3), at(distribution, 0.5));
  }
  EXPECT_NEAR(at(truncated(normal(0, 1), -40, 40), 0.975), 1.959963984540054, 1e-13);
}

// Back from values to the variable they came from, and its slope.
TEST(Distribution, StandardVariablesAreTheInverse) {
  for (const Distribution& distribution :
       {uniform(-1, 3), normal(1, 2), log_normal(3, 0.5), truncated(normal(10, 3), 7, 16),
        truncated(normal(0, 1), 8, 9), truncated(log_normal(2, 0.3), 1, 2)}) {
    const bool is_uniform = distribution.kind == Distribution::Kind::uniform;
    for (const double score : {-2.5, -0.3, 0.0, 1.0, 3.0}) {
      const Probability probability = normal_probability(score);
      const double value = value_at_score(distribution, score);
      const StandardValue standard = standard_value(distribution, value);
      EXPECT_NEAR(standard.value, is_uniform ? probability.below : score, 1e-9);
      constexpr double step = 1e-4;
      const double slope = is_uniform ? 4.0
                                      : (value_at_score(distribution, score + step) -
                                         value_at_score(distribution, score - step)) /
                                            (2 * step);
      EXPECT_NEAR(standard.slope, slope, 1e-6 * slope);
    }
  }
}

TEST(Distribution, StandardVariablesAreFiniteAtTheEnds) {
  const Distribution distribution = truncated(normal(0, 1), -1, 2);
  for (const double value : {-1.0, 2.0, -1.0000001, 2.0000001}) {
    const StandardValue standard = standard_value(distribution, value);
    EXPECT_TRUE(std::isfinite(standard.value) && std::abs(standard.value) > 7.0);
    EXPECT_NEAR(standard.slope, 0.0, 1e-10);
  }
}

// Coefficients by derivatives are those by values: integrals over the standard variable.
TEST(GradientBasis, CoefficientsByDerivativesAreThoseByValues) {
  constexpr int count = 400000;
  BasisWeights uniform_sums{}, normal_sums{};
  for (int k = 0; k < count; ++k) {
    const double u = (k + 0.5) / count;
    const BasisWeights by_u = basis_weights(Distribution::Kind::uniform, {u, 1.0});
    const double z = normal_score({u, 1.0 - u});
    const BasisWeights by_z = basis_weights(Distribution::Kind::normal, {z, 1.0});
    for (std::size_t degree = 0; degree < basis_degree; ++degree) {
      uniform_sums[degree] += std::exp(u) * by_u[degree] / count;
      normal_sums[degree] += 0.7 * std::exp(0.7 * z) * by_z[degree] / count;
    }
  }
  // exp(a z) has the coefficients exp(a^2 / 2) a^k / sqrt(k!), exp(u) those of e.g. (3 - e) sqrt 3.
  double factorial = 1.0;
  for (std::size_t degree = 1; degree <= basis_degree; ++degree) {
    factorial *= static_cast<double>(degree);
    EXPECT_NEAR(normal_sums[degree - 1],
                std::exp(0.245) * std::pow(0.7, degree) / std::sqrt(factorial), 2e-3);
  }
  const double e = std::exp(1.0);
  EXPECT_NEAR(uniform_sums[0], (3.0 - e) * std::sqrt(3.0), 1e-8);
  EXPECT_NEAR(uniform_sums[1], (7.0 * e - 19.0) * std::sqrt(5.0), 1e-8);
  double variance = 0.0;
  for (const double coefficient : uniform_sums) variance += coefficient * coefficient;
  EXPECT_NEAR(variance, (e * e - 1.0) / 2.0 - (e - 1.0) * (e - 1.0), 1e-10);
}

std::string complaint(const Distribution& distribution) {
  try {
    check_distribution(distribution, "here");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Distribution, RefusesWhatNothingCanBeDrawnFrom) {
  const double infinite = INFINITY;
  EXPECT_EQ(complaint(uniform(2, 2)),
            "here: found the range from 2 to 2 (it is empty), make \"from\" smaller than \"to\"");
  EXPECT_NE(complaint(uniform(-infinite, 0)).find("is empty"), std::string::npos);
  EXPECT_NE(complaint(uniform(-1e308, 1e308)).find("is empty"), std::string::npos);
  EXPECT_NE(complaint(truncated(uniform(0, 1), 0, 1)).find("ends already"), std::string::npos);
  EXPECT_NE(complaint(normal(std::nan(""), 1)).find("the mean nan"), std::string::npos);
  EXPECT_EQ(complaint(normal(0, 0)),
            "here: found the standard deviation 0 (it must be positive), give a number above 0");
  EXPECT_NE(complaint(normal(0, -1)).find("it must be positive"), std::string::npos);
  EXPECT_NE(complaint(log_normal(0, 1)).find("the median 0"), std::string::npos);
  EXPECT_NE(complaint(log_normal(1, 0)).find("of the logarithm 0"), std::string::npos);
  EXPECT_NE(complaint(truncated(normal(0, 1), 1, 1)).find("the range is empty"), std::string::npos);
  EXPECT_NE(complaint(truncated(log_normal(1, 1), -2, 0)).find("are positive"), std::string::npos);
  EXPECT_NE(complaint(truncated(normal(0, 1), 38, 39)).find("nothing of the distribution"),
            std::string::npos);
  EXPECT_EQ(complaint(truncated(normal(0, 1), 37, 39)), "");
  EXPECT_EQ(complaint(truncated(log_normal(1, 1), 0, 2)), "");
}

}  // namespace
}  // namespace gradus::test
