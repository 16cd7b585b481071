// Whole-run gradients of mechanisms with joints of every kind.
#include <gtest/gtest.h>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"

namespace gradus::derivative {
namespace {

TEST(EveryJoint, OpenTree) {
  expect_exact_gradient(ended_after(16, parametrise_all(every_joint())));
}

class CutJoint : public testing::TestWithParam<JointType> {};

// The zero of an angle that the loop determines changes nothing, nor does that of a cut joint which
// compares no zero directions.
TEST_P(CutJoint, ClosesAChainOfEveryJoint) {
  std::vector<std::string> without;
  for (const char* joint : {"cross", "sleeve", "table", "pin", "cut"}) {
    const bool compared = GetParam() == JointType::prismatic || GetParam() == JointType::fixed;
    if (joint == std::string("cut") && compared) continue;
    without.push_back(std::string("zero ") + joint);
    without.push_back(std::string("child_zero ") + joint);
  }
  // What does not turn, or not move, does not answer to all of its own inertia.
  const bool turns = GetParam() != JointType::prismatic && GetParam() != JointType::fixed;
  for (const char* inertia : {"inertia arm", "com arm", "mass arm"})
    if (!turns) without.emplace_back(inertia);
  expect_exact_gradient(ended_after(16, parametrise_all(closed_by(GetParam()), without)));
}

INSTANTIATE_TEST_SUITE_P(EveryKind, CutJoint,
                         testing::Values(JointType::revolute, JointType::prismatic,
                                         JointType::cardan, JointType::cylindrical,
                                         JointType::spherical, JointType::planar,
                                         JointType::fixed));

}  // namespace
}  // namespace gradus::derivative
