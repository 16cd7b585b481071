// Every force and every constraint on random mechanisms of all joints, compared with the Cartesian
// oracle.
#include <gtest/gtest.h>

#include "tests/support/oracle_comparison.hpp"
#include "tests/support/random_forces.hpp"

namespace gradus::test {
namespace {

MechanismPair tree_with_forces(unsigned seed) {
  MechanismPair pair = random_tree_of_all_joints(seed, 3 + static_cast<int>(seed % 6));
  Draw draw(seed);
  add_random_forces(pair, draw);
  return pair;
}

class ForcesOnTrees : public testing::TestWithParam<unsigned> {};

TEST_P(ForcesOnTrees, AccelerationsAgreeWithTheOracle) {
  expect_agreement(tree_with_forces(GetParam()));
}

TEST_P(ForcesOnTrees, TrajectoryConvergesToTheOracleAtSecondOrder) {
  expect_order_two_from_the_recorded_start(tree_with_forces(GetParam()), 0.1);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ForcesOnTrees, testing::Range(1U, 13U));

class DrivenChains : public testing::TestWithParam<std::tuple<unsigned, const char*>> {
 protected:
  MechanismPair mechanism() const {
    const auto [seed, kind] = GetParam();
    return random_driven_chain(seed, 3 + static_cast<int>(seed % 6), kind);
  }
};

TEST_P(DrivenChains, AccelerationsAgreeWithTheOracle) {
  expect_agreement(mechanism());
}

TEST_P(DrivenChains, TrajectoryConvergesToTheOracleAtSecondOrder) {
  expect_order_two_from_the_recorded_start(mechanism(), 0.05);
}

INSTANTIATE_TEST_SUITE_P(Seeds, DrivenChains,
                         testing::Combine(testing::Range(1U, 9U),
                                          testing::Values("distance", "dot", "coincident",
                                                          "coordinate")));

}  // namespace
}  // namespace gradus::test
