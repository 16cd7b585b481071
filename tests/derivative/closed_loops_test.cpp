// Whole-run gradients of mechanisms with loops.
#include <gtest/gtest.h>

#include <string>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"

namespace gradus::derivative {
namespace {

TEST(ClosedLoop, FourBarCutAnywhere) {
  for (int cut = 0; cut < 4; ++cut) {
    SCOPED_TRACE("cut " + std::to_string(cut));
    expect_exact_gradient(parametrise_plane(four_bar(cut)));
  }
}

TEST(ClosedLoop, FiveBarCutAtTheGroundAndInTheMiddle) {
  expect_exact_gradient(parametrise_plane(five_bar(false)));
  expect_exact_gradient(parametrise_plane(five_bar(true)));
}

// The slider does not turn, so that nothing but its potential energy answers to its inertia and
// centre of mass, nor to where along the rail it is held.
TEST(ClosedLoop, SliderCrankWithPrismaticJointCut) {
  expect_exact_gradient(parametrise_plane(slider_crank(JointType::prismatic),
                                          {"inertia slider", "com slider", "point slider.root.x"}));
}

TEST(ClosedLoop, SliderCrankWithRevoluteJointCut) {
  expect_exact_gradient(parametrise_plane(slider_crank(JointType::revolute),
                                          {"inertia slider", "com slider", "point slider.root.x"}));
}

TEST(ClosedLoop, TwoFourBars) {
  expect_exact_gradient(parametrise_plane(two_four_bars()));
}

TEST(ClosedLoop, FourBarInATiltedPlane) {
  expect_exact_gradient(tilted_four_bar());
}

TEST(ClosedLoop, BennettLinkage) {
  expect_exact_gradient(bennett_linkage());
}

TEST(ClosedLoop, GeneralLoopWithRevoluteJointCut) {
  expect_exact_gradient(ended_after(20, parametrise_all(general_loop(JointType::revolute))));
}

TEST(ClosedLoop, GeneralLoopWithPrismaticJointCut) {
  // Its last body is guided by the ground and does not turn.
  expect_exact_gradient(ended_after(
      20, parametrise_all(general_loop(JointType::prismatic), {"inertia b6", "com b6"})));
}

TEST(ClosedLoop, TwoGeneralLoopsThatShareBodies) {
  expect_exact_gradient(ended_after(40, parametrise_all(double_general_loop())));
}

}  // namespace
}  // namespace gradus::derivative
