// Random trees and loops of every joint, compared with the Cartesian oracle, which shares no code
// with the kernels: accelerations at the start, and trajectories at the order of the method.
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/gradus.hpp"
#include "tests/support/random_mechanism.hpp"

namespace gradus::test {
namespace {

Result run(const Model& model, const std::string& reference, double duration, double step) {
  Options options;
  options.backend = "cpu:1";
  options.reference = reference;
  options.duration = duration;
  options.step = step;
  options.record = true;
  Result result = simulate(model, options);
  EXPECT_TRUE(result.all_ok()) << result.status[0].message;
  return result;
}

// Sensors of body i in a row of a trajectory: position, velocity, acceleration of p1.
struct PointRow {
  Eigen::Vector3d r, v, a;
};

PointRow point_row(const Result& result, std::size_t time, int body) {
  const std::size_t width = result.sensor_components.size();
  const double* row =
      result.trajectories[0].sensors.data() + time * width + static_cast<std::size_t>(body) * 9;
  return {Eigen::Vector3d(row), Eigen::Vector3d(row + 3), Eigen::Vector3d(row + 6)};
}

Eigen::Vector3d p1(const Model& model, int body) {
  const Vector3& p = model.bodies[static_cast<std::size_t>(body)].points.at("p1");
  return {p[0].value(), p[1].value(), p[2].value()};
}

// Largest deviation of positions, velocities and accelerations from the oracle, over all bodies, at
// one instant.
PointRow deviation(const MechanismPair& pair, const Result& result, std::size_t time,
                   const oracle::State<double>& state, const Eigen::VectorXd& accelerations) {
  PointRow worst{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  for (int i = 0; i < pair.reference.body_count(); ++i) {
    const PointRow row = point_row(result, time, i);
    const Eigen::Vector3d p = p1(pair.model, i);
    worst.r = worst.r.cwiseMax(
        (row.r - oracle::point_position<double>(pair.reference, state, i, p)).cwiseAbs());
    worst.v = worst.v.cwiseMax(
        (row.v - oracle::point_velocity<double>(pair.reference, state, i, p)).cwiseAbs());
    worst.a = worst.a.cwiseMax(
        (row.a - oracle::point_acceleration<double>(pair.reference, state, accelerations, i, p))
            .cwiseAbs());
  }
  return worst;
}

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

// End of a short motion with step h against the oracle's with a step of its own.
double end_deviation(const MechanismPair& pair, const oracle::Sample<double>& end, double duration,
                     double step) {
  const Result result = run(pair.model, "rtdyn0", duration, step);
  return deviation(pair, result, result.steps, end.state, end.acceleration).r.maxCoeff();
}

void expect_second_order(const MechanismPair& pair, double duration) {
  oracle::IntegrationOptions options;
  options.duration = duration;
  options.steps = 2000;
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
