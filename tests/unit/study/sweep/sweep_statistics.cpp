// Statistics of single objectives against known values, and where no interval can be given.
#include "src/study/sweep/sweep_statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/unit/study/sweep/sweeps.hpp"

namespace gradus::test {
namespace {

bool has_interval(const Estimate& estimate) {
  EXPECT_EQ(std::isnan(estimate.low), std::isnan(estimate.high));
  return !std::isnan(estimate.low);
}

// A sweep of one parameter whose objective takes these values.
ObjectiveStatistics of_values(const std::vector<double>& values, Sampling sampling,
                              const StatisticsSettings& settings = {}) {
  Sweep sweep = sweep_of(sampling, values.size(), {normal(0, 1)});
  sweep.parameters[0].values = values;  // of a grid
  sweep.list = values;                  // of a list
  sweep.statistics = settings;
  sweep.gradients = false;
  SweepStatistics statistics(sweep, {{"f", "m"}});
  for (std::size_t k = 0; k < values.size(); ++k)
    statistics.add(k, {&values[k], 1}, {&values[k], 1}, {});
  return statistics.result().at(0);
}

TEST(SweepStatistics, MeanHasStudentsInterval) {
  const ObjectiveStatistics statistics = of_values({4, 1, 3, 2}, Sampling::random);
  EXPECT_EQ(statistics.objective.name, "f");
  EXPECT_EQ(statistics.objective.unit, "m");
  EXPECT_EQ(statistics.count, 4U);
  EXPECT_DOUBLE_EQ(statistics.mean.value, 2.5);
  EXPECT_DOUBLE_EQ(statistics.variance.value, 5.0 / 3.0);
  // t of 97.5 % and 3 degrees of freedom.
  const double half = 3.182446305284263 * std::sqrt(5.0 / 12.0);
  EXPECT_NEAR(statistics.mean.low, 2.5 - half, 1e-12);
  EXPECT_NEAR(statistics.mean.high, 2.5 + half, 1e-12);
  EXPECT_EQ(statistics.minimum, 1.0);
  EXPECT_EQ(statistics.maximum, 4.0);
  EXPECT_TRUE(statistics.drivers.empty());
  EXPECT_FALSE(has_interval(statistics.variance));  // takes 64 designs
  StatisticsSettings narrow;
  narrow.confidence = 0.5;
  EXPECT_NEAR(of_values({4, 1, 3, 2}, Sampling::random, narrow).mean.high,
              2.5 + 0.7648923284043526 * std::sqrt(5.0 / 12.0), 1e-12);
}

TEST(SweepStatistics, GivesNoIntervalsOfFewGivenOrNoDesigns) {
  EXPECT_FALSE(has_interval(of_values({1}, Sampling::random).mean));
  EXPECT_TRUE(std::isnan(of_values({1}, Sampling::random).variance.value));
  EXPECT_TRUE(has_interval(of_values({1, 2}, Sampling::random).mean));
  std::vector<double> values(64);
  std::iota(values.begin(), values.end(), 0.0);
  for (const Sampling sampling : {Sampling::random, Sampling::latin_hypercube, Sampling::sobol}) {
    const ObjectiveStatistics statistics = of_values(values, sampling);
    EXPECT_TRUE(has_interval(statistics.variance));
    EXPECT_TRUE(has_interval(statistics.quantiles[2].value));
  }
  for (const Sampling sampling : {Sampling::grid, Sampling::list}) {
    const ObjectiveStatistics statistics = of_values(values, sampling);
    EXPECT_DOUBLE_EQ(statistics.mean.value, 31.5);
    EXPECT_DOUBLE_EQ(statistics.variance.value, 64.0 * 65.0 / 12.0);
    EXPECT_DOUBLE_EQ(statistics.quantiles[2].value.value, 31.5);
    EXPECT_FALSE(has_interval(statistics.mean));
    EXPECT_FALSE(has_interval(statistics.variance));
    EXPECT_FALSE(has_interval(statistics.quantiles[2].value));
  }
  values.pop_back();
  EXPECT_FALSE(has_interval(of_values(values, Sampling::random).variance));
  const ObjectiveStatistics nothing = of_values({}, Sampling::random);
  EXPECT_EQ(nothing.count, 0U);
  EXPECT_TRUE(std::isnan(nothing.mean.value) && std::isnan(nothing.variance.value));
  EXPECT_TRUE(std::isnan(nothing.minimum) && std::isnan(nothing.quantiles[0].value.value));
  EXPECT_TRUE(nothing.histogram.edges.empty());
}

TEST(SweepStatistics, EqualValuesHaveNoVariance) {
  const ObjectiveStatistics statistics = of_values(std::vector<double>(100, 0.1), Sampling::random);
  EXPECT_EQ(statistics.mean.value, 0.1);
  EXPECT_EQ(statistics.variance.value, 0.0);
  EXPECT_FALSE(has_interval(statistics.variance));
  EXPECT_EQ(statistics.histogram.counts, (std::vector<std::size_t>{100}));
  EXPECT_EQ(statistics.histogram.edges, (std::vector<double>{0.1, 0.1}));
}

TEST(SweepStatistics, LargeMeansTakeNoDigits) {
  std::vector<double> values;
  for (int k = 0; k < 100; ++k) values.push_back(1e9 + k);
  EXPECT_NEAR(of_values(values, Sampling::random).variance.value, 100.0 * 101.0 / 12.0, 1e-6);
}

TEST(OrderStatistics, QuantilesAreThoseOfNumpy) {
  const std::vector<double> sorted{1, 2, 4, 8, 16};
  EXPECT_DOUBLE_EQ(quantile_of(sorted, 0.5), 4.0);
  EXPECT_DOUBLE_EQ(quantile_of(sorted, 0.05), 1.2);
  EXPECT_DOUBLE_EQ(quantile_of(sorted, 0.9), 12.8);
  EXPECT_DOUBLE_EQ(quantile_of(sorted, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(quantile_of(sorted, 1.0), 16.0);
  EXPECT_DOUBLE_EQ(quantile_of({sorted.data(), 1}, 0.3), 1.0);
}

// The table of ranks in e.g. Conover: of 100 values the median lies between the 40th and the 61st.
TEST(OrderStatistics, IntervalsOfQuantilesAreRanks) {
  std::vector<double> sorted(100);
  std::iota(sorted.begin(), sorted.end(), 1.0);
  const Estimate median = quantile_estimate(sorted, 0.5, 0.95);
  EXPECT_EQ(median.value, 50.5);
  EXPECT_EQ(median.low, 40.0);
  EXPECT_EQ(median.high, 61.0);
  // Binomial of 100 and 0.05: P(X <= 0) = 0.006, P(X <= 1) = 0.037; P(X >= 10) = 0.028.
  const Estimate low = quantile_estimate(sorted, 0.05, 0.95);
  EXPECT_EQ(low.low, 1.0);
  EXPECT_EQ(low.high, 11.0);
  const Estimate high = quantile_estimate(sorted, 0.95, 0.95);
  EXPECT_EQ(high.low, 90.0);
  EXPECT_EQ(high.high, 100.0);
  EXPECT_FALSE(has_interval(quantile_estimate(sorted, 0.01, 0.95)));
  EXPECT_FALSE(has_interval(quantile_estimate({sorted.data(), 5}, 0.5, 0.95)));  // 2 / 2^5
  EXPECT_TRUE(has_interval(quantile_estimate({sorted.data(), 6}, 0.5, 0.95)));
}

TEST(OrderStatistics, HistogramsSpanAllValues) {
  std::vector<double> sorted(101);
  std::iota(sorted.begin(), sorted.end(), 0.0);
  const Histogram four = histogram_of(sorted, 4);
  EXPECT_EQ(four.edges, (std::vector<double>{0, 25, 50, 75, 100}));
  EXPECT_EQ(four.counts, (std::vector<std::size_t>{25, 25, 25, 26}));
  EXPECT_EQ(histogram_of(sorted, 0).counts.size(), 11U);
  EXPECT_EQ(histogram_of({sorted.data(), 4}, 0).counts.size(), 5U);
  const std::vector<double> many = [] {
    std::vector<double> values(10000);
    std::iota(values.begin(), values.end(), 0.0);
    return values;
  }();
  EXPECT_EQ(histogram_of(many, 0).counts.size(), 50U);
}

TEST(Jackknife, DealsOutDesignsEvenlyAndAtRandom) {
  std::vector<int> counts(jackknife_groups, 0);
  for (std::size_t design = 0; design < 64; ++design) ++counts[jackknife_group(design, 1)];
  for (const int count : counts) EXPECT_EQ(count, 2);
  std::size_t same = 0, same_seed = 0;
  for (std::size_t design = 0; design < 3200; ++design) {
    same += jackknife_group(design, 1) == jackknife_group(design + 32, 1) ? 1 : 0;
    same_seed += jackknife_group(design, 1) == jackknife_group(design, 2) ? 1 : 0;
  }
  EXPECT_NEAR(same, 100, 40);
  EXPECT_NEAR(same_seed, 100, 40);
}

// Of means the jackknife is the standard error: groups of one make it exact.
TEST(Jackknife, IsTheStandardErrorOfMeans) {
  std::vector<double> values, without;
  for (int k = 0; k < 32; ++k) values.push_back(std::sin(k));
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  double squares = 0.0;
  for (const double value : values) squares += std::pow(value - sum / 32, 2);
  for (const double value : values) without.push_back((sum - value) / 31);
  const Estimate found = jackknife_estimate(sum / 32, without, 0.95);
  const Estimate expected = mean_estimate(sum / 32, squares / 31, 32, 0.95);
  EXPECT_NEAR(found.low, expected.low, 1e-12);
  EXPECT_NEAR(found.high, expected.high, 1e-12);
  without[3] = NAN;
  EXPECT_FALSE(has_interval(jackknife_estimate(1.0, without, 0.95)));
}

}  // namespace
}  // namespace gradus::test
