// Whole-run gradients by the nodes of splines, in forces, drivers, constraints and objectives.
#include <gtest/gtest.h>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"

namespace gradus::derivative {
namespace {

// A law of the length and the rate of a spring, whose nodes lie on both sides of where it moves.
TEST(Splines, InForces) {
  Model m = skew_chain();
  add_array(m, "pull", {-4.0, -1.0, 2.0, 9.0, 11.0});
  add_array(m, "drag", {-1.5, -0.4, 0.6, 1.1});
  m.forces[0] = make_spring_law(
      "s1", m.forces[0]["from"].text(), m.forces[0]["to"].text(),
      "spline(length, [0.2, 0.5, 0.8, 1.1, 1.6], pull) + spline(rate, [-2, -0.3, 0.4, 1.5], drag)");
  m.forces.push_back(
      make_joint_force("motor", "j3", "spline(t, [0, 0.1, 0.2, 0.35], 0.3*drag)*cos(q)"));
  expect_exact_gradient(m);
}

// Second derivatives by time make the motion: constraints hold their rates as well.
TEST(Splines, InDrivers) {
  Model m = driven_loop();
  m.parameters.clear();
  m.definitions.clear();
  add_array(m, "path", {0.9, 1.0, 1.25, 1.3, 1.2});
  m.constraints = {
      {"drive", "coordinate", "j4", "", "spline(t, [0, 0.05, 0.13, 0.35, 0.6], path)"}};
  expect_exact_gradient(m);
}

// Of positions, in a constraint that leaves a freedom. A node follows the time: then all that the
// spline is made of runs with the motion.
TEST(Splines, InConstraintsOfPositions) {
  Model m = guided_loop();
  add_array(m, "shape", {0.02, -0.03, 0.05, 0.01});
  m.constraints[0].value =
      "q - 0.12 - depth*sin(beat*t) + spline(r.x, [-1, -0.2, 0.3, 1.5], [shape[0], shape[1], "
      "shape[2] + 0.1*t, shape[3]])";
  expect_exact_gradient(m);
}

TEST(Splines, InObjectives) {
  Model m = skew_chain();
  m.parameters = {make_parameter("mass", 1.3)};
  m.bodies[0].mass = "mass";
  add_array(m, "price", {1.0, 3.0, -2.0, 0.5});
  m.objectives = {
      {"cost", ObjectiveKind::integral, "spline(r.x, [-0.5, 0.5, 1, 1.5], price) + mass*t", "", ""},
      {"end", ObjectiveKind::terminal,
       "spline(r.y, [-1, -0.2, 0.4, 1], price)*spline(qd, [-3, 0, 1, 3], -price)", "", ""}};
  expect_exact_gradient(m);
}

}  // namespace
}  // namespace gradus::derivative
