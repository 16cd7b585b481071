// What spreads an objective, against closed forms and brute force.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/study/sweep/sweeps.hpp"

namespace gradus::test {
namespace {

double ishigami(const std::vector<double>& x, std::vector<double>& gradient) {
  const double cube = x[2] * x[2] * x[2];
  gradient[0] = std::cos(x[0]) * (1.0 + 0.1 * cube * x[2]);
  gradient[1] = 14.0 * std::sin(x[1]) * std::cos(x[1]);
  gradient[2] = 0.4 * cube * std::sin(x[0]);
  return std::sin(x[0]) * (1.0 + 0.1 * cube * x[2]) + 7.0 * std::pow(std::sin(x[1]), 2);
}

void expect_inside(const Estimate& estimate, double expected, double slack, const char* what) {
  EXPECT_LE(estimate.low - slack, expected) << what;
  EXPECT_GE(estimate.high + slack, expected) << what;
}

TEST(Drivers, OfIshigamisFunction) {
  for (const Sampling sampling : {Sampling::random, Sampling::latin_hypercube, Sampling::sobol}) {
    const Sweep sweep =
        sweep_of(sampling, 1 << 15, std::vector<Distribution>(3, uniform(-M_PI, M_PI)));
    const ObjectiveStatistics statistics = statistics_of(sweep, ishigami);
    ASSERT_EQ(statistics.drivers.size(), 3U);
    EXPECT_EQ(statistics.drivers[1].parameter, "x1");
    EXPECT_NEAR(statistics.mean.value, 3.5, 0.06);
    EXPECT_NEAR(statistics.variance.value, 13.8445875, 0.3);
    const double first_order[] = {0.3139, 0.4424, 0.0};
    const double total[] = {0.5576, 0.4424, 0.2437};
    for (std::size_t k = 0; k < 3; ++k) {
      const Driver& driver = statistics.drivers[k];
      EXPECT_NEAR(driver.first_order.value, first_order[k], 0.02) << k;
      expect_inside(driver.first_order, first_order[k], 0.001, "first order");
      EXPECT_LT(driver.first_order.high - driver.first_order.low, 0.08);
      EXPECT_GT(driver.total_bound.low, total[k]) << k;
      EXPECT_NEAR(driver.mean_derivative.value, 0.0, 0.1);
    }
    // E[(df/dx2)^2] = 49/2, and the bound follows from it: (2 pi)^2 / pi^2 = 4.
    expect_inside(statistics.drivers[1].mean_square_derivative, 24.5, 0.1, "mean square");
    EXPECT_NEAR(statistics.drivers[1].total_bound.value, 4 * 24.5 / 13.8446, 0.15);
  }
}

TEST(Drivers, OfLinearFunctionsAreExact) {
  const std::vector<double> slopes{2.0, -3.0, 0.5};
  const Function linear = [&](const std::vector<double>& x, std::vector<double>& gradient) {
    gradient = slopes;
    return 2.0 * x[0] - 3.0 * x[1] + 0.5 * x[2];
  };
  const Sweep sweep =
      sweep_of(Sampling::random, 4096, {normal(1, 1), normal(0, 0.5), uniform(0, 6)});
  const ObjectiveStatistics statistics = statistics_of(sweep, linear);
  const double parts[] = {4.0, 2.25, 0.75};
  for (std::size_t k = 0; k < 3; ++k) {
    const Driver& driver = statistics.drivers[k];
    EXPECT_NEAR(driver.linear_share.value, parts[k] / 7.0, 1e-12);
    EXPECT_NEAR(driver.linear_share.low, parts[k] / 7.0, 1e-12);
    EXPECT_NEAR(driver.mean_derivative.value, slopes[k], 1e-12);
    EXPECT_NEAR(driver.mean_square_derivative.high, slopes[k] * slopes[k], 1e-11);
    // Hermite's first coefficient of a straight line is exact, Legendre's an estimate.
    const double slack = k == 2 ? 0.05 : 0.01;
    EXPECT_NEAR(driver.first_order.value * statistics.variance.value, parts[k], slack * parts[k]);
    const double constant = k == 2 ? 12.0 / (M_PI * M_PI) : 1.0;
    EXPECT_NEAR(driver.total_bound.value * statistics.variance.value, constant * parts[k], 1e-9);
  }
}

// A few designs of a Latin hypercube have the mean derivatives nearly exactly: there is no noise of
// independent samples in them that could be subtracted.
TEST(Drivers, OfFewDesignsOfALatinHypercubeHaveNoBiasOfNote) {
  const Function linear = [](const std::vector<double>& x, std::vector<double>& gradient) {
    gradient = {1.0};
    return x[0];
  };
  const auto mean_share = [](const Function& function, std::size_t designs,
                             const std::vector<Distribution>& distributions,
                             std::size_t parameter) {
    double mean = 0.0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const Sweep sweep = sweep_of(Sampling::latin_hypercube, designs, distributions, seed);
      mean += 0.01 * statistics_of(sweep, function).drivers[parameter].first_order.value;
    }
    return mean;
  };
  // But for the variance, which is divided by one less than the designs.
  EXPECT_NEAR(mean_share(linear, 32, {uniform(0, 1)}, 0), 31.0 / 32.0, 0.01);
  EXPECT_NEAR(mean_share(ishigami, 128, {3, uniform(-M_PI, M_PI)}, 1), 0.4424, 0.03);
}

TEST(Drivers, OfDependentParametersAreLinearSharesOnly) {
  const Function linear = [](const std::vector<double>& x, std::vector<double>& gradient) {
    gradient = {1.0, 2.0, 3.0};
    return x[0] + 2.0 * x[1] + 3.0 * x[2];
  };
  Sweep sweep = sweep_of(Sampling::random, 20000, {normal(0, 1), normal(0, 99), normal(0, 99)});
  // Sigma g = [1, 2*4 + 3*(-1), 2*(-1) + 3*1] = [1, 5, 1]; g' Sigma g = 1 + 10 + 3.
  sweep.dependence = Dependence{true, {"x2", "x1"}, {1, -1, -1, 4}};
  const double parts[] = {1.0 / 14, 10.0 / 14, 3.0 / 14};
  const std::vector<Driver> exact = statistics_of(sweep, linear).drivers;
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(exact[k].linear_share.value, parts[k], 1e-12);
  EXPECT_NEAR(exact[0].first_order.value, parts[0], 0.01);  // independent of the others
  EXPECT_TRUE(std::isnan(exact[1].first_order.value) && std::isnan(exact[2].total_bound.value));
  EXPECT_TRUE(std::isnan(exact[1].first_order.low) && std::isnan(exact[2].total_bound.high));
  // A correlation and standard deviations say the same, but the covariance is that of the sample.
  sweep.dependence = Dependence{false, {"x2", "x1"}, {1, -0.5, -0.5, 1}};
  sweep.parameters[1].distribution.standard_deviation = 2;
  sweep.parameters[2].distribution.standard_deviation = 1;
  const std::vector<Driver> sampled = statistics_of(sweep, linear).drivers;
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(sampled[k].linear_share.value, parts[k], 0.02);
  EXPECT_NE(sampled[1].linear_share.value, exact[1].linear_share.value);
}

TEST(Drivers, OfGridsAndListsAreLinearSharesWithoutIntervals) {
  const Function linear = [](const std::vector<double>& x, std::vector<double>& gradient) {
    gradient = {1.0, 2.0};
    return x[0] + 2.0 * x[1];
  };
  Sweep grid = sweep_of(Sampling::grid, 0, {{}, {}});
  grid.parameters[0].values = {1, 2, 3, 4};  // variance 5/4
  grid.parameters[1].values = {0, 1};        // 1/4
  Sweep list = sweep_of(Sampling::list, 0, {{}, {}});
  list.list = {0, 0, 1, 0, 1, 1, 2, 1};  // variances 1/2, 1/4, covariance 1/4
  const std::vector<Driver> of_grid = statistics_of(grid, linear).drivers;
  EXPECT_NEAR(of_grid[0].linear_share.value, 1.25 / 2.25, 1e-12);
  EXPECT_NEAR(of_grid[1].linear_share.value, 1.00 / 2.25, 1e-12);
  const std::vector<Driver> of_list = statistics_of(list, linear).drivers;
  EXPECT_NEAR(of_list[0].linear_share.value, 1.0 / 2.5, 1e-12);
  EXPECT_NEAR(of_list[1].linear_share.value, 1.5 / 2.5, 1e-12);
  for (const Driver& driver : {of_grid[0], of_list[0]}) {
    EXPECT_EQ(driver.mean_derivative.value, 1.0);
    EXPECT_EQ(driver.mean_square_derivative.value, 1.0);
    EXPECT_TRUE(std::isnan(driver.mean_derivative.low) && std::isnan(driver.linear_share.low));
    EXPECT_TRUE(std::isnan(driver.first_order.value) && std::isnan(driver.total_bound.value));
  }
}

// Slopes that are too small to show in the values.
TEST(Drivers, OfConstantsHaveNoShares) {
  const Function constant = [](const std::vector<double>&, std::vector<double>& gradient) {
    gradient = {1e-20, 1e-20};
    return 7.0;
  };
  const Sweep sweep = sweep_of(Sampling::random, 100, {normal(0, 1), uniform(0, 1)});
  for (const Driver& driver : statistics_of(sweep, constant).drivers) {
    EXPECT_NEAR(driver.mean_derivative.value, 1e-20, 1e-32);
    EXPECT_TRUE(std::isnan(driver.first_order.value) && std::isnan(driver.total_bound.value) &&
                std::isnan(driver.linear_share.value));
  }
}

// Each kind of distribution, one of them in an interaction.
double everything(const std::vector<double>& x, std::vector<double>& gradient) {
  gradient = {x[1], x[0], std::cos(x[2]) * std::exp(0.2 * x[4]), 2.0 * x[3],
              0.2 * std::sin(x[2]) * std::exp(0.2 * x[4])};
  return x[0] * x[1] + std::sin(x[2]) * std::exp(0.2 * x[4]) + x[3] * x[3];
}

// Of pairs of designs that share the value of one parameter: covariance by variance, and its error.
std::pair<double, double> pick_freeze(const Sweep& sweep, std::size_t parameter) {
  constexpr std::size_t groups = 50, size = 4000;
  const Sampler sampler(sweep);
  std::vector<double> gradient(sweep.parameters.size());
  double mean = 0.0, squares = 0.0;
  for (std::size_t group = 0; group < groups; ++group) {
    double sum = 0.0, square = 0.0, product = 0.0;
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t index = 2 * (group * size + k);
      const std::vector<double> first = design(sampler, sweep, index);
      std::vector<double> second = design(sampler, sweep, index + 1);
      second[parameter] = first[parameter];
      const double a = everything(first, gradient), b = everything(second, gradient);
      sum += 0.5 * (a + b) / size;
      square += 0.5 * (a * a + b * b) / size;
      product += a * b / size;
    }
    const double index = (product - sum * sum) / (square - sum * sum);
    mean += index / groups;
    squares += index * index / groups;
  }
  return {mean, std::sqrt((squares - mean * mean) / (groups - 1))};
}

TEST(Drivers, OfEveryDistributionAgreeWithBruteForce) {
  const std::vector<Distribution> distributions{
      log_normal(1, 0.4), normal(1, 0.8), uniform(-1, 2.5), truncated(normal(0.5, 1), -0.5, 1.5),
      truncated(log_normal(2, 0.8), 0.5, 5)};
  const Sweep brute = sweep_of(Sampling::random, 100000000, distributions, 77);
  const ObjectiveStatistics found[] = {
      statistics_of(sweep_of(Sampling::random, 40000, distributions, 3), everything),
      statistics_of(sweep_of(Sampling::sobol, 40000, distributions, 3), everything)};
  for (std::size_t k = 0; k < distributions.size(); ++k) {
    const auto [expected, error] = pick_freeze(brute, k);
    EXPECT_GT(expected, 0.005) << k;
    EXPECT_LT(error, 0.01) << k;
    for (const ObjectiveStatistics& statistics : found) {
      const Estimate& estimate = statistics.drivers[k].first_order;
      expect_inside(estimate, expected, 3.0 * error, "first order");
      EXPECT_LT(estimate.high - estimate.low, 0.05) << k;
      EXPECT_GT(statistics.drivers[k].total_bound.value, expected) << k;
    }
  }
}

}  // namespace
}  // namespace gradus::test
