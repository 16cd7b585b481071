// Which reactions forces may read: those that redundant constraints leave no choice, as in the
// plane of a plane loop, and those to which the force itself belongs.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "gradus/gradus.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::derivative {
namespace {

using test::expect_part;
using test::failure_of;

void set_accurate(Model& m, const std::string& formulation) {
  m.analysis.formulation = formulation;
  m.analysis.formulation_is_stated = true;
  m.analysis.integrator = formulation == "ali3p" ? "newmark" : "dop853";
  m.analysis.rtol = 1e-11;
  m.analysis.atol = 1e-12;
}

void add_friction(Model& m, const std::string& joint, const std::string& squares) {
  m.sensors.push_back({"on_" + joint, "reaction_force", joint});
  m.sensors.push_back({"rate_" + joint, "rate", joint});
  m.forces.push_back(
      make_joint_force("friction_" + joint, joint,
                       "-mu*0.1*sqrt(" + squares + " + 0.01)*tanh(rate_" + joint + "/0.5)"));
}

// A plane four-bar linkage with friction in two of its joints.
Model rough_four_bar(const std::string& formulation) {
  Model m = four_bar(2);
  m.parameters.push_back({"mu", 0.4, "", {}, ""});
  add_friction(m, "A", "on_A.x^2 + on_A.y^2");
  add_friction(m, "1", "on_1.x^2 + on_1.y^2");
  set_accurate(m, formulation);
  return m;
}

// The same, with its coupler and rocker held together by two equations instead of a hinge, which
// adds four that a plane linkage satisfies anyway.
Model closed_by_two_equations(Model m) {
  m.loops.clear();
  m.sensors.push_back({"end", "position", "coupler.tip"});
  m.sensors.push_back({"head", "position", "rocker.tip"});
  m.constraints = {{"along", "expression", "", "", "end.x - head.x"},
                   {"up", "expression", "", "", "end.y - head.y"}};
  return m;
}

class DeterminedReactions : public ::testing::TestWithParam<const char*> {};

TEST_P(DeterminedReactions, InAPlaneLoopAreThoseWithoutRedundantEquations) {
  const Model hinged = rough_four_bar(GetParam());
  const Result exact = run_gradient(closed_by_two_equations(hinged), "direct");
  const std::size_t parameters = exact.gradient.size() / exact.objective_values.size();
  for (const char* method : {"direct", "adjoint", "dual"}) {
    const Result r = run_gradient(hinged, method);
    expect_equal_values(r, exact, 1e-9);
    EXPECT_LT(largest_deviation(r.gradient, exact.gradient, parameters), 1e-8) << method;
  }
  Model smooth = hinged;  // what friction does is seen
  smooth.parameters.back().value = 0.0;
  const Result free = run_gradient(smooth, "direct");
  EXPECT_GT(std::abs(free.objective_values[0] - exact.objective_values[0]), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Formulations, DeterminedReactions,
                         ::testing::Values("index1", "matrix-r", "penalty", "ali3p"));

TEST(OpenReactions, AreRefusedByName) {
  Model m = four_bar(2);
  m.parameters.push_back({"mu", 0.4, "", {}, ""});
  add_friction(m, "A", "on_A.x^2 + on_A.z^2");
  set_accurate(m, "index1");
  expect_part(failure_of(m),
              "redundant equations of loops and constraints (the force \"friction_A\" depends on "
              "\"on_A.z\", which these share in more than one way)");
  m.sensors.push_back({"about_A", "reaction_moment", "A"});
  m.forces.back()["value"] = "-0.01*about_A.x";
  expect_part(failure_of(m), "depends on \"about_A.x\"");
  m.forces.back()["value"] = "-0.01*on_A.x*abs(rate_A)";
  EXPECT_EQ(failure_of(m), "no failure");
  m.sensors.push_back({"closing", "reaction_moment", "2"});
  m.forces.back()["value"] = "-0.01*closing.y";
  expect_part(failure_of(m), "depends on \"closing.y\"");
}

// A law may show nothing of what is open as it stands, and something of it as soon as a parameter
// moves; or so little, beside what smooths it, that it looks like round-off.
TEST(OpenReactions, AreRefusedWhereParametersOrSmoothingHideThem) {
  Model m = four_bar(2);
  m.parameters.push_back({"p", 0.0, "", {}, ""});
  add_friction(m, "A", "on_A.x^2 + on_A.y^2");
  set_accurate(m, "index1");
  m.forces.back()["value"] = "-0.01*(on_A.x + p*on_A.z)";
  expect_part(failure_of(m), "depends on \"on_A.z\"");
  m.bodies[0].vectors["along"] = {1, 0, "p"};
  m.sensors.push_back({"along", "vector", m.bodies[0].name + ".along"});
  m.forces.back()["value"] = "-0.01*dot(on_A, along)";
  expect_part(failure_of(m), "depends on \"on_A.z\"");
  m.bodies[0].vectors["along"] = {1, 0, 0};
  EXPECT_EQ(failure_of(m), "no failure");
  for (const char* large : {"1e5^2", "1e8^2"}) {
    m.forces.back()["value"] = "-0.01*sqrt(dot(on_A, on_A) + " + std::string(large) + ")";
    expect_part(failure_of(m), "depends on \"on_A.z\"");
  }
}

// A door on two hinges: how these share its weight, and what pulls it off the wall, is open.
TEST(OpenReactions, OfTwoHingesOnOneAxisAreRefused) {
  Model m = test::one_body("door", 3.0, "lower", JointType::revolute, {0, 0, 1}, 0.0, 0.0, "q");
  m.gravity = {0, -9.81, 0};
  m.ground.points = {{"top", {0, 0, 1}}};
  m.bodies[0].com = {0.4, 0, 0.5};
  m.bodies[0].points = {{"top", {0, 0, 1}}};
  m.joints = {make_guess("lower", JointType::revolute, "ground", "door", {0, 0, 1}, 0.3)};
  Joint upper;
  upper.name = "upper";
  upper.parent = "ground.top";
  upper.child = "door.top";
  upper.axis = {0, 0, 1};
  m.loops = {upper};
  m.parameters = {{"mu", 0.4, "", {}, ""}};
  add_friction(m, "lower", "on_lower.x^2 + on_lower.y^2");
  set_accurate(m, "index1");
  expect_part(failure_of(m), "\"friction_lower\" depends on \"on_lower.x\"");
}

// A force along its own axis is all that the joint exerts there, so that the law can be solved for
// it by hand. Without it the sensor shows round-off, which tells nothing about how it answers.
TEST(OwnReactions, AreFoundWhereTheRestOfTheReactionIsRoundOff) {
  for (const char* formulation : {"semi-recursive", "index1", "matrix-r"}) {
    Model m = test::one_body("rod", "m", "pin", JointType::revolute, {0, 0, 1}, 0.3, 1.5, "q");
    m.gravity = {0, -9.81, 0};
    m.bodies[0].com = {0.8, 0, 0.2};
    m.bodies[0].inertia = {0.01, 0.05, 0.05, 0, 0, 0, "com"};
    m.parameters = {{"m", 2.0, "", {}, ""}, {"c", 0.9, "", {}, ""}};
    m.sensors.push_back({"w", "rate", "pin"});
    m.sensors.push_back({"about", "reaction_moment", "pin"});
    m.forces = {make_joint_force("friction", "pin", "-c*w*(1 + about.z)")};
    m.objectives = {{"q", ObjectiveKind::terminal, "q", "", ""},
                    {"carried", ObjectiveKind::integral, "about.z", "", ""}};
    m.analysis.duration = 0.4;
    set_accurate(m, formulation);
    Model solved = m;
    solved.forces[0]["value"] = "-c*w/(1 + c*w)";
    const Result expected = run_gradient(solved, "direct");
    for (const char* method : {"direct", "adjoint", "dual"}) {
      const Result r = run_gradient(m, method);
      expect_equal_values(r, expected, 1e-10);
      EXPECT_LT(largest_deviation(r.gradient, expected.gradient, 2), 1e-9)
          << formulation << " " << method;
      EXPECT_LT(r.step_count[0], 2 * expected.step_count[0]) << formulation << " " << method;
    }
  }
}

}  // namespace
}  // namespace gradus::derivative
