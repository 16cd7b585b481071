// Interpolation between steps: exact for cubics and at steps, of fourth order otherwise.
#include "src/study/fit/fit_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace gradus {
namespace {

std::vector<double> grid(std::size_t intervals, double duration) {
  std::vector<double> times;
  for (std::size_t k = 0; k <= intervals; ++k)
    times.push_back(duration * static_cast<double>(k) / static_cast<double>(intervals));
  return times;
}

double interpolate(const std::vector<double>& times, double time,
                   const std::function<double(double)>& f) {
  const TimeWeights weights = weights_at(times, time);
  double value = 0.0;
  for (std::size_t k = 0; k < weights.count; ++k)
    value += weights.weight[k] * f(times[weights.first + k]);
  return value;
}

TEST(Interpolation, TakesTheValueOfAStepAlone) {
  const std::vector<double> times = grid(10, 1.0);
  for (std::size_t k = 0; k <= 10; ++k)
    for (const double round_off : {-1e-13, 0.0, 1e-13}) {
      const TimeWeights weights = weights_at(times, times[k] + round_off);
      EXPECT_EQ(weights.count, 1U);
      EXPECT_EQ(weights.first, k);
      EXPECT_EQ(weights.weight[0], 1.0);
    }
}

TEST(Interpolation, IsExactForCubicsEverywhere) {
  const auto cubic = [](double t) { return 1.0 - 2.0 * t + 3.0 * t * t - 4.0 * t * t * t; };
  for (const std::vector<double>& times :
       {grid(10, 1.0), grid(3, 1.0), std::vector{0.0, 0.1, 0.25, 0.5, 0.6, 1.0}})
    for (int k = 0; k <= 97; ++k) {
      const double time = k / 97.0;
      EXPECT_NEAR(interpolate(times, time, cubic), cubic(time), 1e-13) << time;
    }
}

TEST(Interpolation, TakesTheNearestFourTimes) {
  const std::vector<double> times = grid(10, 1.0);
  EXPECT_EQ(weights_at(times, 0.55).first, 4U);
  EXPECT_EQ(weights_at(times, 0.05).first, 0U);
  EXPECT_EQ(weights_at(times, 0.15).first, 0U);
  EXPECT_EQ(weights_at(times, 0.85).first, 7U);
  EXPECT_EQ(weights_at(times, 0.95).first, 7U);
}

TEST(Interpolation, ConvergesAtFourthOrder) {
  const auto f = [](double t) { return std::sin(5.0 * t); };
  const auto error = [&](std::size_t intervals) {
    double largest = 0.0;
    for (int k = 0; k <= 1013; ++k)
      largest = std::max(
          largest, std::abs(interpolate(grid(intervals, 1.0), k / 1013.0, f) - f(k / 1013.0)));
    return largest;
  };
  EXPECT_NEAR(std::log2(error(40) / error(80)), 4.0, 0.1);
  EXPECT_LT(error(80), 1e-6);
}

TEST(Interpolation, MakesDoWithFewerTimes) {
  EXPECT_EQ(weights_at({0.0}, 0.0).count, 1U);
  const TimeWeights line = weights_at({0.0, 1.0}, 0.25);
  EXPECT_EQ(line.count, 2U);
  EXPECT_DOUBLE_EQ(line.weight[0], 0.75);
  EXPECT_DOUBLE_EQ(line.weight[1], 0.25);
}

}  // namespace
}  // namespace gradus
