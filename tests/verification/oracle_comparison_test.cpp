// Random trees and loops of revolute and prismatic joints, compared with the Cartesian oracle,
// which shares no code with the kernels: accelerations at the start, and trajectories at the order
// of the method.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/oracle_comparison.hpp"

namespace gradus::test {
namespace {

void expect_start_agrees(const MechanismPair& pair, const std::string& reference) {
  const Result result = run(pair.model, reference, 1e-4, 1e-4);
  const oracle::State<double> state = oracle::assemble(pair.reference);
  const Eigen::VectorXd accelerations = oracle::accelerations(pair.reference, state);
  const PointRow worst = deviation(pair, result, 0, state, accelerations);
  const double speed = 1.0 + state.velocity.cwiseAbs().maxCoeff();
  const double scale = 1.0 + accelerations.cwiseAbs().maxCoeff();
  EXPECT_LT(worst.r.maxCoeff(), 1e-11);
  EXPECT_LT(worst.v.maxCoeff(), 1e-10 * speed);  // nearly singular loops amplify round-off
  EXPECT_LT(worst.a.maxCoeff(), 1e-10 * scale);
  EXPECT_GT(accelerations.cwiseAbs().maxCoeff(), 0.1);
  const double energy = result.trajectories[0].sensors[result.sensor_components.size() - 1];
  EXPECT_NEAR(energy, oracle::total_energy(pair.reference, state),
              1e-11 * speed * (1.0 + std::abs(energy)));
}

void expect_second_order(const MechanismPair& pair, double duration) {
  oracle::IntegrationOptions options;
  options.duration = duration;
  options.steps = 400;  // by a rule of fourth order
  const auto end = oracle::integrate(pair.reference, oracle::assemble(pair.reference), options);
  const double coarse = end_deviation(pair, end, duration, duration / 100);
  const double fine = end_deviation(pair, end, duration, duration / 200);
  ASSERT_GT(fine, 1e-12) << "nothing moves";
  EXPECT_LT(coarse, 1e-2);
  EXPECT_GT(coarse / fine, 3.5);
  EXPECT_LT(coarse / fine, 4.5);
}

class RandomTree : public testing::TestWithParam<unsigned> {};

TEST_P(RandomTree, AccelerationsAgreeWithTheOracle) {
  const int bodies = 3 + static_cast<int>(GetParam() % 6);
  const MechanismPair pair = random_tree(GetParam(), bodies, 0.3);
  for (const char* reference : {"rtdyn0", "rtdyn1"}) expect_start_agrees(pair, reference);
}

TEST_P(RandomTree, TrajectoryConvergesToTheOracleAtSecondOrder) {
  const int bodies = 3 + static_cast<int>(GetParam() % 3);
  expect_second_order(random_tree(GetParam(), bodies, 0.3), 0.2);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTree, testing::Range(1U, 13U));

class RandomLoop : public testing::TestWithParam<std::tuple<unsigned, bool>> {
 protected:
  MechanismPair mechanism() const {
    const auto [seed, prismatic_cut] = GetParam();
    return random_loop(seed, 6 + static_cast<int>(seed % 3), prismatic_cut);
  }
};

TEST_P(RandomLoop, AccelerationsAgreeWithTheOracle) {
  for (const char* reference : {"rtdyn0", "rtdyn1"}) expect_start_agrees(mechanism(), reference);
}

TEST_P(RandomLoop, TrajectoryConvergesToTheOracleAtSecondOrder) {
  expect_second_order(mechanism(), 0.05);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomLoop,
                         testing::Combine(testing::Range(1U, 9U), testing::Bool()));

TEST(References, GiveTheSameMotion) {
  for (unsigned seed = 20; seed < 24; ++seed) {
    const MechanismPair pair = random_loop(seed, 7, seed % 2 == 0);
    const Result centre = run(pair.model, "rtdyn0", 0.05, 1e-3);
    const Result origin = run(pair.model, "rtdyn1", 0.05, 1e-3);
    double largest = 0.0;
    for (std::size_t k = 0; k < centre.final_sensors.size(); ++k) {
      EXPECT_NEAR(origin.final_sensors[k], centre.final_sensors[k],
                  1e-9 * (1.0 + std::abs(centre.final_sensors[k])));
      largest = std::max(largest, std::abs(centre.final_sensors[k]));
    }
    EXPECT_GT(largest, 0.1);
  }
}

}  // namespace
}  // namespace gradus::test
