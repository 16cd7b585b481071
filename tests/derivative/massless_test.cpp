// Bodies without mass whose motion others determine: the motion, and derivatives by the mass that
// they do not have.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"

namespace gradus::derivative {
namespace {

// The body has the mass "m<i>", zero, and unless it slides the inertia "J<i>" about z, zero too.
void take_mass(Model& model, std::size_t i, bool slides = false) {
  const std::string mass = "m" + std::to_string(i), inertia = "J" + std::to_string(i);
  model.parameters.push_back(make_parameter(mass, 0.0));
  model.bodies[i].mass = mass;
  model.bodies[i].inertia = {0, 0, 0, 0, 0, 0, "com"};
  if (slides) return;
  model.parameters.push_back(make_parameter(inertia, 0.0));
  model.bodies[i].inertia.zz = inertia;
}

void expect_right_derivatives(Model model) {
  model.analysis.duration = 0.1;
  const std::size_t count = model.parameters.size();
  const Result reference = run_gradient(model, "direct");
  for (const char* formulation : {"ali3p", "matrix-r", "index1", "penalty"}) {
    SCOPED_TRACE(formulation);
    Options options;
    options.formulation = formulation;
    options.penalty = 1e11;
    const Result direct = run_gradient(model, "direct", options);
    ASSERT_TRUE(direct.all_ok());
    // Each integrates in its own way.
    expect_equal_values(direct, reference, 1e-3);
    EXPECT_LT(
        largest_deviation(direct.gradient, run_gradient(model, "adjoint", options).gradient, count),
        1e-9);
    EXPECT_LT(
        largest_deviation(direct.gradient, run_gradient(model, "dual", options).gradient, count),
        1e-9);
    // To one side: masses are not negative.
    options.difference_step = 1e-5;
    EXPECT_LT(largest_deviation(direct.gradient,
                                run_gradient(model, "finite-difference", options).gradient, count),
              1e-5);
    for (const double entry : direct.gradient) EXPECT_NE(entry, 0.0);
  }
}

TEST(Massless, CouplersOfFourBars) {
  for (int cut = 0; cut < 4; ++cut) {
    SCOPED_TRACE(cut);
    Model model = four_bar(cut);
    take_mass(model, 1);
    expect_right_derivatives(std::move(model));
  }
}

// One whose mass can only become less.
TEST(Massless, DifferencesGoToEitherSide) {
  Model model = four_bar(1);
  take_mass(model, 1);
  model.bodies[1].mass = "-m1";
  expect_right_derivatives(std::move(model));
}

// Both sides of a parameter may be without a motion.
TEST(Massless, NoDifferenceWhereBothSidesFail) {
  Model model = four_bar(1);
  take_mass(model, 1);
  model.bodies[1].mass = "-m1^2";
  Options options;
  options.backend = "cpu:1";
  options.method = "finite-difference";
  const Result result = gradient(model, options);
  EXPECT_FALSE(result.all_ok());
  EXPECT_NE(result.status[0].message.find("a mass is negative"), std::string::npos);
}

TEST(Massless, CouplersAndRockers) {
  Model model = four_bar(2);
  take_mass(model, 1);
  take_mass(model, 2);
  expect_right_derivatives(std::move(model));
}

TEST(Massless, RodsAndSliders) {
  for (const JointType cut : {JointType::prismatic, JointType::revolute}) {
    Model model = slider_crank(cut);
    take_mass(model, 1);
    take_mass(model, 2, true);
    expect_right_derivatives(std::move(model));
  }
}

// A flap without mass that is moved as the time says.
TEST(Massless, DrivenBodies) {
  Model model = four_bar(1);
  model.bodies.push_back(make_body("flap", 0, {0.3, 0.1, 0}, {}, {}));
  take_mass(model, 3);
  model.joints.push_back(
      make_guess("drive", JointType::revolute, "rocker.side", "flap", {0, 0, 1}, 0.3));
  Constraint drive;
  drive.name = "drive law";
  drive.type = "coordinate";
  drive.first = "drive";
  drive.value = "0.3 + 0.5*t + 2*t^2";
  model.constraints = {drive};
  expect_right_derivatives(std::move(model));
}

// A frame fixed to the bar, given mass, is part of the bar.
TEST(Massless, FramesFixedToOthers) {
  Model together;
  together.name = "bar";
  together.gravity = {0, -9.81, 0};
  together.parameters = {make_parameter("m", 0.0), make_parameter("J", 0.0)};
  together.bodies = {make_body("bar", "2 + m", {"(2*0.3 + m*0.8)/(2 + m)", 0, 0},
                               {1, 1, "0.2 + 2*0.3^2 + J + m*0.8^2", 0, 0, 0, "root"},
                               {{"root", {0, 0, 0}}, {"end", {0.5, 0, 0}}})};
  together.joints = {
      make_joint("hinge", JointType::revolute, "ground", "bar", {0, 0, 1}, 0.4, 0.7)};
  add_objectives(together, "bar.end", "hinge");
  together.analysis.duration = 0.2;
  Model apart = together;
  apart.bodies = {
      make_body("bar", 2, {0.3, 0, 0}, {0, 0, 0.2, 0, 0, 0, "com"}, {{"end", {0.5, 0, 0}}}),
      make_body("frame", "m", {0, 0.3, 0}, {0, 0, "J", 0, 0, 0, "com"}, {})};
  Joint weld;
  weld.name = "weld";
  weld.type = JointType::fixed;
  weld.parent = "bar.end";
  weld.child = "frame";
  weld.axis = {1, 0, 0};  // along the y axis of the frame
  weld.child_axis = {0, 1, 0};
  weld.zero = {0, 0, 1};
  weld.child_zero = {0, 0, 1};
  apart.joints.push_back(weld);
  for (const char* formulation :
       {"ali3p", "semi-recursive", "fully-recursive", "matrix-r", "index1", "penalty"})
    for (const char* method : {"direct", "adjoint"}) {
      SCOPED_TRACE(std::string(formulation) + ", " + method);
      Options options;
      options.formulation = formulation;
      const Result one = run_gradient(together, method, options);
      const Result two = run_gradient(apart, method, options);
      expect_equal_values(two, one, 1e-11);
      EXPECT_LT(largest_deviation(one.gradient, two.gradient, 2), 1e-10);
    }
}

}  // namespace
}  // namespace gradus::derivative
