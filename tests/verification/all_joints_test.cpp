// Random trees and loops of all joints, compared with the Cartesian oracle, which shares no code
// with the kernels: accelerations, momenta and reactions at the same state, and trajectories at the
// order of the method.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/oracle_comparison.hpp"

namespace gradus::test {
namespace {

using Type = oracle::JointType;

// The start of gradus is that which the oracle finds by itself from the same model.
void expect_same_start(const MechanismPair& pair) {
  const Result result = run(pair.model, "rtdyn0", 1e-3, 1e-3);
  ASSERT_TRUE(result.all_ok());
  const oracle::State<double> found = oracle_state(pair, result, 0);
  const oracle::State<double> given =
      oracle::place_tree(pair.reference, oracle::start_values(pair.reference));
  for (int i = 0; i < pair.reference.body_count(); ++i) {
    const Eigen::Vector3d p = p1(pair.model, i);
    EXPECT_LT((oracle::point_position<double>(pair.reference, found, i, p) -
               oracle::point_position<double>(pair.reference, given, i, p))
                  .norm(),
              1e-11);
  }
}

void expect_references_agree(MechanismPair pair) {
  pair.model.analysis.tolerance = 1e-12;
  const Result centre = run(pair.model, "rtdyn0", 0.02, 1e-3);
  const Result origin = run(pair.model, "rtdyn1", 0.02, 1e-3);
  double scale = 1.0;
  for (const double value : centre.final_sensors) scale = std::max(scale, std::abs(value));
  for (std::size_t k = 0; k < centre.final_sensors.size(); ++k)
    EXPECT_NEAR(origin.final_sensors[k], centre.final_sensors[k], 1e-11 * scale)
        << centre.sensor_components[k].name;
  EXPECT_GT(scale, 1.0);
}

// Sensors of the whole system and of every joint, after those of the points.
void add_system_sensors(Model& model) {
  model.sensors.push_back({"kinetic", "energy", "kinetic", ""});
  model.sensors.push_back({"potential", "energy", "potential", ""});
  model.sensors.push_back({"momentum", "momentum", "linear", ""});
  model.sensors.push_back({"spin", "momentum", "angular", ""});
  const auto add_reactions = [&](const Joint& joint) {
    model.sensors.push_back({joint.name + "_f", "reaction_force", joint.name, ""});
    model.sensors.push_back({joint.name + "_n", "reaction_moment", joint.name, ""});
  };
  for (const Joint& joint : model.joints) add_reactions(joint);
  for (const Joint& loop : model.loops) add_reactions(loop);
}

// What `add_system_sensors` should show.
std::vector<double> expected_system_values(const MechanismPair& pair,
                                           const oracle::State<double>& state) {
  const oracle::Model<double>& model = pair.reference;
  std::vector<double> values{oracle::kinetic_energy(model, state),
                             oracle::potential_energy(model, state)};
  const auto append = [&](const Eigen::Vector3d& v) {
    values.insert(values.end(), v.data(), v.data() + 3);
  };
  append(oracle::linear_momentum(model, state));
  append(oracle::angular_momentum(model, state));
  const Eigen::VectorXd accelerations = oracle::accelerations(model, state);
  for (const auto& wrench : oracle::joint_wrenches(model, state, accelerations)) {
    append(wrench.force);
    append(wrench.moment);
  }
  return values;
}

// At the start, where accelerations and reactions belong to the recorded velocities to round-off.
void expect_system_agrees(MechanismPair pair) {
  add_system_sensors(pair.model);
  const Result result = run(pair.model, "rtdyn0", 1e-3, 1e-3);
  ASSERT_TRUE(result.all_ok());
  const std::size_t width = result.sensor_components.size();
  const auto expected = expected_system_values(pair, oracle_state(pair, result, 0));
  ASSERT_LT(expected.size(), width);
  const std::size_t first = width - expected.size();
  double scale = 1.0;
  for (const double value : expected) scale = std::max(scale, std::abs(value));
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(result.trajectories[0].sensors[first + k], expected[k], 1e-9 * scale)
        << result.sensor_components[first + k].name;
  EXPECT_GT(scale, 1.0);
}

class TreeOfAllJoints : public testing::TestWithParam<unsigned> {
 protected:
  MechanismPair mechanism(int fewest, int range) const {
    return random_tree_of_all_joints(
        GetParam(), fewest + static_cast<int>(GetParam() % static_cast<unsigned>(range)));
  }
};

TEST_P(TreeOfAllJoints, AccelerationsAgreeWithTheOracle) {
  expect_agreement(mechanism(3, 13));
}

TEST_P(TreeOfAllJoints, StartsAsTheModelSays) {
  const MechanismPair pair = mechanism(3, 13);
  expect_same_start(pair);
  const Result result = run(pair.model, "rtdyn0", 1e-3, 1e-3);
  ASSERT_TRUE(result.all_ok());
  // All rates are held, so both find the same velocities as well.
  const oracle::State<double> found = oracle_state(pair, result, 0);
  const oracle::State<double> given = oracle::assemble(pair.reference);
  EXPECT_LT((found.velocity - given.velocity).cwiseAbs().maxCoeff(),
            1e-11 * (1.0 + given.velocity.cwiseAbs().maxCoeff()));
}

TEST_P(TreeOfAllJoints, TrajectoryConvergesToTheOracleAtSecondOrder) {
  expect_order_two_from_the_recorded_start(mechanism(3, 7), 0.1);
}

TEST_P(TreeOfAllJoints, MomentaEnergiesAndReactionsAgreeWithTheOracle) {
  expect_system_agrees(mechanism(3, 9));
}

TEST_P(TreeOfAllJoints, ReferencesGiveTheSameMotion) {
  expect_references_agree(mechanism(3, 9));
}

INSTANTIATE_TEST_SUITE_P(Seeds, TreeOfAllJoints, testing::Range(1U, 21U));

class LoopOfAllJoints : public testing::TestWithParam<std::tuple<unsigned, Type>> {
 protected:
  MechanismPair mechanism(int fewest, int range) const {
    const auto [seed, cut] = GetParam();
    const int bodies = fewest + static_cast<int>(seed % static_cast<unsigned>(range));
    return random_loop_of_all_joints(seed, bodies, cut);
  }
};

TEST_P(LoopOfAllJoints, AccelerationsAgreeWithTheOracle) {
  expect_agreement(mechanism(3, 13));
}

TEST_P(LoopOfAllJoints, StartsAsTheModelSays) {
  expect_same_start(mechanism(3, 13));
}

TEST_P(LoopOfAllJoints, TrajectoryConvergesToTheOracleAtSecondOrder) {
  expect_order_two_from_the_recorded_start(mechanism(3, 6), 0.05);
}

TEST_P(LoopOfAllJoints, MomentaEnergiesAndReactionsAgreeWithTheOracle) {
  expect_system_agrees(mechanism(3, 9));
}

TEST_P(LoopOfAllJoints, ReferencesGiveTheSameMotion) {
  expect_references_agree(mechanism(3, 9));
}

INSTANTIATE_TEST_SUITE_P(Seeds, LoopOfAllJoints,
                         testing::Combine(testing::Range(1U, 8U),
                                          testing::Values(Type::kFixed, Type::kRevolute,
                                                          Type::kPrismatic, Type::kUniversal,
                                                          Type::kCylindrical, Type::kSpherical,
                                                          Type::kPlanar)));

}  // namespace
}  // namespace gradus::test
