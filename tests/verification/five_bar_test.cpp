// The five-bar mechanism against published and converged numbers. A. Lopez Varela, doctoral thesis,
// Universidade da Coruna, 2022, section 7.1; converged values by complex step through an
// independent simulation.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "gradus/gradus.hpp"
#include "tests/support/source_path.hpp"
#include "tests/verification/one_thread.hpp"

namespace gradus::test {
namespace {

using Row = std::array<double, 5>;
using Table = std::array<Row, 3>;

Model five_bar() {
  return read_model(source_path("models/five-bar/five-bar.json"));
}

void expect_table(const Result& result, const Table& table, double tolerance) {
  ASSERT_TRUE(result.all_ok());
  for (std::size_t o = 0; o < 3; ++o)
    for (std::size_t p = 0; p < 5; ++p)
      EXPECT_NEAR(result.gradient[o * 5 + p], table[o][p], tolerance * std::abs(table[o][p]))
          << result.objectives[o].name << " by " << result.parameters[p].name;
}

// Exact gradient of the trapezoidal rule at 1 ms.
constexpr Table kDiscrete{Row{-4.2288168, 3.2115941, 0.3186545, 0.4423445, 3.359833},
                          Row{-15.4521889, 50.308741, 0.9701588, 0.7456892, -27.3590876},
                          Row{221.6411136, 2436.6075893, -32.4969357, -85.6576148, -2546.5946247}};
constexpr Table kConverged{Row{-4.228810855, 3.211604103, 0.3186566756, 0.4423506782, 3.359809920},
                           Row{-15.45206907, 50.30878485, 0.9701235491, 0.7456023208, -27.35923995},
                           Row{221.6400682, 2436.607348, -32.49752271, -85.65671851, -2546.590203}};

TEST(FiveBar, ReproducesTheDiscreteGradient) {
  const Result result = gradient(five_bar(), one_thread());
  EXPECT_EQ(result.steps, 5000U);
  EXPECT_NEAR(result.objective_values[0], 0.7268774, 1e-7);
  EXPECT_NEAR(result.objective_values[1], 7.3422746, 1e-7);
  EXPECT_NEAR(result.objective_values[2], 304.9211215, 1e-6);
  expect_table(result, kDiscrete, 1.2e-6);
  EXPECT_NEAR(result.gradient[10], 221.6412643, 2e-7);
}

TEST(FiveBar, ConvergesAtSecondOrderToTheContinuousGradient) {
  Options options = one_thread();
  std::array<std::vector<double>, 2> gradients;
  for (std::size_t k = 0; k < 2; ++k) {
    options.step = k == 0 ? 2e-3 : 1e-3;
    gradients[k] = gradient(five_bar(), options).gradient;
  }
  Result extrapolated = gradient(five_bar(), options);
  for (std::size_t k = 0; k < 15; ++k)
    extrapolated.gradient[k] = (4.0 * gradients[1][k] - gradients[0][k]) / 3.0;
  expect_table(extrapolated, kConverged, 1e-7);
}

// Natural lengths rounded to four decimals, as the printed numbers imply: within two units of the
// last printed digit.
TEST(FiveBar, ReproducesThePublishedTables) {
  Options options = one_thread();
  options.set = {{"L_s1", 2.2361}, {"L_s2", 2.0616}};
  const Result result = gradient(five_bar(), options);
  constexpr Table printed{Row{-4.228, 3.212, 0.3186, 0.4423, 3.359},
                          Row{-15.45, 50.32, 0.9700, 0.7454, -27.37},
                          Row{221.7, 2437, -32.51, -85.70, -2547}};
  constexpr Table unit{Row{1e-3, 1e-3, 1e-4, 1e-4, 1e-3}, Row{1e-2, 1e-2, 1e-4, 1e-4, 1e-2},
                       Row{0.1, 1, 1e-2, 1e-2, 1}};
  for (std::size_t o = 0; o < 3; ++o)
    for (std::size_t p = 0; p < 5; ++p)
      EXPECT_NEAR(result.gradient[o * 5 + p], printed[o][p], 2.0 * unit[o][p]);
}

TEST(FiveBar, PassesTheConvergedCheckPoints) {
  Options options = one_thread();
  options.step = 2.5e-4;
  options.record = true;
  options.record_every = 4000;
  const Result result = simulate(five_bar(), options);
  // t, x, y, vx, vy, ax, ay of point 2
  constexpr double points[][7] = {
      {0, 0.5, -2, 0, 0, 0, -12.6853448},
      {1, 0.81379761, -2.10553537, 0.08347778, -1.22985808, -1.7104591, -8.2130773},
      {2, 0.40431865, -2.24145297, -0.25268618, -1.54679986, 2.4552869, 0.8566545},
      {3, 0.91182815, -2.42030921, -0.15688414, -0.84640966, -3.7792707, 8.1750911},
      {4, 0.30478275, -2.38524706, 0.50606260, 0.22051338, 4.7578287, 7.7554918},
      {5, 0.88403168, -2.30378344, -0.91235692, 1.12995255, -2.8328059, 2.5665030}};
  const Trajectory& trajectory = result.trajectories[0];
  ASSERT_EQ(trajectory.time.size(), 6U);
  const std::size_t width = result.sensor_components.size();
  for (std::size_t k = 0; k < 6; ++k) {
    const double* row = trajectory.sensors.data() + k * width;
    const double ours[] = {trajectory.time[k], row[0], row[1], row[3], row[4], row[6], row[7]};
    for (std::size_t j = 0; j < 7; ++j)
      EXPECT_NEAR(ours[j], points[k][j], j < 3 ? 5e-6 : 2e-4) << k << " " << j;
  }
}

TEST(FiveBar, KeepsEnergyAndConstraints) {
  Options options = one_thread();
  options.record = true;
  options.record_every = 100;
  const Result result = simulate(five_bar(), options);
  const std::size_t width = result.sensor_components.size();
  for (std::size_t k = 0; k < result.trajectories[0].time.size(); ++k)
    EXPECT_NEAR(result.trajectories[0].sensors[k * width + width - 1], -53.955, 1e-3);
  for (std::size_t level = 0; level < 3; ++level)
    EXPECT_LT(result.constraint_violation[level], 1e-9);
}

TEST(FiveBar, DirectEqualsDualThroughTheLoop) {
  Options options = one_thread();
  const Result direct = gradient(five_bar(), options);
  options.method = "dual";
  const Result dual = gradient(five_bar(), options);
  for (std::size_t k = 0; k < 15; ++k) {
    EXPECT_NE(direct.gradient[k], 0.0);
    EXPECT_NEAR(direct.gradient[k], dual.gradient[k], 1e-9 * std::abs(dual.gradient[k]));
  }
}

// At each entry's best step of a sweep: truncation and round-off part differently for each.
TEST(FiveBar, CentralDifferencesConfirmTheGradient) {
  Options options = one_thread();
  const Result direct = gradient(five_bar(), options);
  options.method = "finite-difference";
  std::vector<double> best(15, 1.0);
  for (const double step : {1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7}) {
    options.difference_step = step;
    const Result difference = gradient(five_bar(), options);
    for (std::size_t k = 0; k < 15; ++k) {
      EXPECT_NE(direct.gradient[k], difference.gradient[k]);
      best[k] = std::min(best[k], std::abs(difference.gradient[k] / direct.gradient[k] - 1.0));
    }
  }
  for (std::size_t k = 0; k < 15; ++k) EXPECT_LT(best[k], 1e-6) << "entry " << k;
}

TEST(FiveBar, BothReferencePointsAgree) {
  Options options = one_thread();
  const Result centre = gradient(five_bar(), options);
  options.reference = "rtdyn1";
  const Result origin = gradient(five_bar(), options);
  for (std::size_t k = 0; k < 15; ++k)
    EXPECT_NEAR(origin.gradient[k], centre.gradient[k], 1e-8 * std::abs(centre.gradient[k]));
}

}  // namespace
}  // namespace gradus::test
