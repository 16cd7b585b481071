// The random mechanisms themselves, by the oracle alone: that they hold what they promise, and that
// nothing in them gains energy.
#include <gtest/gtest.h>

#include <set>

#include "tests/support/random_forces.hpp"

namespace gradus::test {
namespace {

using Type = oracle::JointType;

// Both descriptions say the same types and start values.
void expect_same_joints(const MechanismPair& pair) {
  ASSERT_EQ(pair.model.joints.size(), pair.reference.joints.size());
  for (std::size_t j = 0; j < pair.model.joints.size(); ++j) {
    const Joint& said = pair.model.joints[j];
    const oracle::Joint<double>& joint = pair.reference.joints[j];
    EXPECT_EQ(said.type, joint_type(joint.type));
    EXPECT_EQ(static_cast<int>(said.start.size()), oracle::coordinate_count(joint.type));
    EXPECT_EQ(said.axis.has_value(), !has_euler_parameters(joint.type));
    for (std::size_t k = 0; k < said.start.size(); ++k) {
      EXPECT_EQ(said.start[k].position.value(), joint.coordinates(static_cast<Eigen::Index>(k)));
      EXPECT_EQ(said.start[k].position_is_guess, joint.dependent);
    }
  }
}

TEST(RandomMechanisms, TreesHoldEveryJointInEveryPlace) {
  std::set<Type> at_the_ground, in_the_middle;
  for (unsigned seed = 1; seed < 21; ++seed) {
    const MechanismPair pair = random_tree_of_all_joints(seed, 3 + static_cast<int>(seed % 13));
    expect_same_joints(pair);
    std::set<int> carriers;
    for (const auto& joint : pair.reference.joints) carriers.insert(joint.parent);
    for (const auto& joint : pair.reference.joints) {
      if (joint.parent == oracle::kGround) at_the_ground.insert(joint.type);
      if (joint.parent != oracle::kGround && carriers.count(joint.child) != 0)
        in_the_middle.insert(joint.type);
    }
  }
  EXPECT_EQ(at_the_ground.size(), all_joint_types().size());
  EXPECT_EQ(in_the_middle.size(), all_joint_types().size());
}

TEST(RandomMechanisms, AngularVelocityStandsAtTheLastParameters) {
  const MechanismPair pair = random_tree_of_all_joints(4, 15);
  for (std::size_t j = 0; j < pair.model.joints.size(); ++j) {
    const oracle::Joint<double>& joint = pair.reference.joints[j];
    if (!has_euler_parameters(joint.type)) continue;
    const auto& start = pair.model.joints[j].start;
    EXPECT_NEAR(joint.coordinates.tail<4>().norm(), 1.0, 1e-15);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(start[start.size() - 3 + k].velocity.value(),
                joint.rates(joint.rates.size() - 3 + static_cast<Eigen::Index>(k)));
      if (joint.type == Type::kFree) {
        EXPECT_EQ(start[k].velocity.value(), joint.rates(static_cast<Eigen::Index>(k)));
      }
    }
  }
}

class RandomLoops : public testing::TestWithParam<Type> {};

TEST_P(RandomLoops, CloseAsTheyStandAndAreFreeToMove) {
  int moving = 0;
  for (unsigned seed = 1; seed < 14; ++seed) {
    const MechanismPair pair =
        random_loop_of_all_joints(seed, 3 + static_cast<int>(seed), GetParam());
    expect_same_joints(pair);
    const oracle::State<double> drawn =
        oracle::place_tree(pair.reference, oracle::start_values(pair.reference));
    const auto loops = oracle::evaluate_constraints(pair.reference, drawn, pair.reference.loops);
    EXPECT_LT(loops.value.cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_EQ(loops.value.size(), oracle::constraint_count(GetParam()));
    const oracle::State<double> start = oracle::assemble(pair.reference);
    EXPECT_LT((start.pose - drawn.pose).norm(), 1e-12);
    EXPECT_GT(oracle::accelerations(pair.reference, start).norm(), 0.1);
    for (std::size_t j = 0; j < pair.model.joints.size(); ++j) {
      const std::vector<CoordinateStart>& s = pair.model.joints[j].start;
      if (s.size() == 1 && !s[0].position_is_guess && s[0].velocity.value() != 0.0) ++moving;
    }
  }
  EXPECT_GT(moving, 5);
}

// Without damping, over a short motion: joints and loops do no work.
TEST_P(RandomLoops, KeepTheirEnergy) {
  for (unsigned seed = 3; seed < 6; ++seed) {
    MechanismPair pair = random_loop_of_all_joints(seed, 3 + static_cast<int>(seed), GetParam());
    for (auto& spring : pair.reference.springs) spring.damping = 0.0;
    const oracle::State<double> start = oracle::assemble(pair.reference);
    const auto end =
        oracle::integrate<double>(pair.reference, start, {.duration = 0.1, .steps = 100});
    const double energy = oracle::total_energy(pair.reference, start);
    EXPECT_NEAR(oracle::total_energy(pair.reference, end.state), energy,
                1e-7 * (1.0 + std::abs(energy)));
  }
}

INSTANTIATE_TEST_SUITE_P(Cuts, RandomLoops,
                         testing::Values(Type::kFixed, Type::kRevolute, Type::kPrismatic,
                                         Type::kUniversal, Type::kCylindrical, Type::kSpherical,
                                         Type::kPlanar));

class RandomDrivenChains : public testing::TestWithParam<const char*> {};

// The oracle follows the drivers from where they find the chain.
TEST_P(RandomDrivenChains, BeginWhereTheyStandAndFollow) {
  for (unsigned seed = 1; seed < 7; ++seed) {
    const MechanismPair pair =
        random_driven_chain(seed, 3 + static_cast<int>(seed % 6), GetParam());
    ASSERT_FALSE(pair.model.constraints.empty());
    EXPECT_EQ(pair.model.constraints.size(), pair.reference.drivers.size());
    const oracle::State<double> start = oracle::assemble(pair.reference);
    const auto begun = oracle::evaluate_drivers(pair.reference, start, 0.0);
    EXPECT_LT(begun.value.cwiseAbs().maxCoeff(), 1e-12);
    const auto end =
        oracle::integrate<double>(pair.reference, start, {.duration = 0.05, .steps = 50});
    const auto followed = oracle::evaluate_constraints(pair.reference, end.state, 0.05);
    EXPECT_LT(followed.value.cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_LT((followed.jacobian * end.state.velocity - followed.velocity).norm(), 1e-10);
    EXPECT_GT((end.state.pose - start.pose).norm(), 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, RandomDrivenChains,
                         testing::Values("distance", "dot", "coincident", "coordinate"));

}  // namespace
}  // namespace gradus::test
