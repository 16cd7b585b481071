// Whole-run gradients of splines of all kinds by the values at their knots, in forces, drivers,
// constraints, objectives and reactions; lanes and devices beside single designs.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"

namespace gradus::derivative {
namespace {

// Values of local kinds far from where the motion goes change nothing: then other entries prove it.
void expect_exact(const Model& m, const std::string& options) {
  Tolerances tolerances;
  const bool local = options.find("linear") == 3 || options.find("monotone") == 3;
  if (local) tolerances.smallest_entry = -1.0;
  expect_exact_gradient(m, tolerances);
}

// Two splines share the array; each spring moves over several knots and beyond the last.
Model sprung_chain(const std::string& options, const std::string& drag_options) {
  Model m = skew_chain();
  add_array(m, "pull", {-4.0, -1.0, 2.0, 2.5, 3.5, 6.0});
  add_array(m, "drag", {-1.5, -0.4, 0.6, 1.1});
  const std::string law = "spline(length, [0.2, 0.5, 0.8, 1.1, 1.35, 1.6], pull" + options +
                          ") + spline(rate, [-2, -0.3, 0.4, 1.5], drag" + drag_options +
                          ")*pull[1]";
  m.forces[0] =
      make_spring_law(m.forces[0].name, m.forces[0]["from"].text(), m.forces[0]["to"].text(), law);
  m.forces.push_back(make_joint_force("motor", "j3",
                                      "spline(t, [0, 0.1, 0.2, 0.35], 0.3*drag" + drag_options +
                                          ")*cos(spline(q, [-1, 0, 1], [pull[2], 1, pull[3]]" +
                                          drag_options + "))"));
  return m;
}

TEST(SplineKindsInRuns, Forces) {
  for (const char* options : {", 'natural', 'extend'", ", 'clamped'", ", 'clamped', [2*pull[0], 5]",
                              ", 'not-a-knot'", ", 'linear'", ", 'monotone'"}) {
    SCOPED_TRACE(options);
    expect_exact(sprung_chain(options, ""), options);
  }
}

// What touches few values, and what repeats.
TEST(SplineKindsInRuns, LocalForces) {
  for (const char* options : {", 'linear', 'straight'", ", 'monotone', 'extend'"}) {
    SCOPED_TRACE(options);
    expect_exact(sprung_chain("", options), options);
  }
}

TEST(SplineKindsInRuns, RepeatingForces) {
  Model m = skew_chain();
  add_array(m, "wave", {1.0, 3.0, -2.0, 0.5});
  m.forces.push_back(make_joint_force(
      "motor", "j3",
      "spline(t, [0, 0.02, 0.05, 0.07, 0.1], wave, 'periodic') + "
      "spline(40*t + q, [-1, -0.3, 0.2, 1, 1.7], 0.5*wave, 'monotone', 'repeat')*wave[2]"));
  expect_exact_gradient(m);
}

// Second derivatives by time make the motion, rates of constraints hold as well.
TEST(SplineKindsInRuns, Drivers) {
  for (const char* options : {", 'clamped'", ", 'clamped', [path[1], 0.3]", ", 'not-a-knot'",
                              ", 'monotone'", ", 'natural', 'extend'"}) {
    SCOPED_TRACE(options);
    Model m = driven_loop();
    m.parameters.clear();
    m.definitions.clear();
    add_array(m, "path", {0.9, 1.0, 1.25, 1.3, 1.42});
    m.constraints = {{"drive", "coordinate", "j4", "",
                      std::string("spline(t, [0, 0.05, 0.13, 0.3, 0.4], path") + options + ")"}};
    expect_exact(m, options);
  }
}

// A law of positions: its stiffness, and what multipliers make of it.
TEST(SplineKindsInRuns, ConstraintsOfPositions) {
  for (const char* options : {"", ", 'not-a-knot'", ", 'clamped', [shape[1], -0.03]"}) {
    SCOPED_TRACE(options);
    Model m = guided_loop();
    add_array(m, "shape", {0.02, -0.03, 0.05, 0.01});
    m.constraints[0].value = std::string(
                                 "q - 0.12 - depth*sin(beat*t) + spline(r.x + 0.2*sin(3*q), [-1, "
                                 "-0.2, 0.3, 1.5], shape") +
                             options + ")";
    Tolerances tolerances;
    tolerances.dual = 1e-9;
    expect_exact_gradient(m, tolerances);
  }
}

TEST(SplineKindsInRuns, Objectives) {
  for (const char* options : {", 'not-a-knot'", ", 'monotone'", ", 'linear', 'straight'",
                              ", 'clamped', [price[1], -1]"}) {
    SCOPED_TRACE(options);
    Model m = skew_chain();
    m.parameters = {make_parameter("mass", 1.3)};
    m.bodies[0].mass = "mass";
    add_array(m, "price", {1.0, 3.0, 3.5, 0.5});
    const std::string end = std::string(options) + ")";
    m.objectives = {
        {"cost", ObjectiveKind::integral,
         "spline(r.x*mass, [-0.5, 0.5, 1, 1.5], price" + end + " + mass*t", "", ""},
        {"end", ObjectiveKind::terminal,
         "spline(r.y, [-1, -0.2, 0.4, 1], price" + end + "*spline(qd, [-3, 0, 1, 3], -price)", "",
         ""}};
    Objective squares;
    squares.name = "squares";
    squares.kind = ObjectiveKind::integral;
    squares.residuals = {"spline(r.x, [-0.5, 0.5, 1, 1.5], price" + end, "mass*r.y",
                         "spline(r.x, [-0.5, 0.5, 1, 1.5], price" + end + " - price[2]*t"};
    m.objectives.push_back(squares);
    expect_exact(m, options);
  }
}

// Numbers of the model, and definitions that other expressions use.
TEST(SplineKindsInRuns, NumbersOfTheModel) {
  Model m = skew_chain();
  add_array(m, "table", {1.0, 1.3, 1.35, 2.0});
  m.parameters.push_back(make_parameter("size", 0.4));
  m.definitions = {{"heavy", "spline(size, [0, 0.3, 0.5, 1], table, 'monotone')"},
                   {"knots", "[0, 0.2, 0.5, 1]"}};
  m.bodies[0].mass = "heavy";
  m.forces.push_back(
      make_joint_force("motor", "j3", "heavy*spline(q + size, knots, heavy*table, 'not-a-knot')"));
  expect_exact_gradient(m);
}

TEST(SplineKindsInRuns, Reactions) {
  Model m = sprung_chain(", 'not-a-knot'", "");
  m.sensors.push_back({"bearing", "reaction_force", "j2"});
  m.objectives = {{"load", ObjectiveKind::integral, "dot(bearing, bearing)", "", ""},
                  {"last", ObjectiveKind::terminal,
                   "spline(bearing.x, [-9, 0, 9], pull[1]*[1, 2, 0])", "", ""}};
  expect_exact_gradient(m);
}

TEST(SplineKindsInRuns, StepsOfTheirOwn) {
  const Model m = sprung_chain(", 'not-a-knot'", "");
  Options options;
  options.formulation = "matrix-r";
  options.integrator = "dop853";
  const Result direct = run_gradient(m, "direct", options);
  const Result adjoint = run_gradient(m, "adjoint", options);
  EXPECT_LT(largest_deviation(direct.gradient, adjoint.gradient, direct.parameters.size()), 1e-10);
}

// Which errs by what the steps do.
TEST(SplineKindsInRuns, ContinuousAdjoint) {
  const Model m = sprung_chain(", 'not-a-knot'", "");
  double before = 0.0;
  for (const double step : {2e-3, 1e-3}) {
    Options options;
    options.step = step;
    const Result direct = run_gradient(m, "direct", options);
    const Result continuous = run_gradient(m, "continuous-adjoint", options);
    const double off =
        largest_deviation(direct.gradient, continuous.gradient, direct.parameters.size());
    EXPECT_LT(off, 2e-3);
    if (before > 0.0) {
      EXPECT_LT(off, 0.4 * before);
    }
    before = off;
  }
}

// Every lane may be on another segment, beyond the ends or in another period.
TEST(SplineKindsInRuns, LanesAndDevicesHaveTheSameBits) {
  for (const char* options : {"", ", 'linear'", ", 'monotone', 'extend'"}) {
    SCOPED_TRACE(options);
    Model m = sprung_chain(options, "");
    add_array(m, "wave", {1.0, 3.0, -2.0, 0.5});
    m.forces.push_back(
        make_joint_force("shaker", "j3", "spline(30*q, [-1, 0, 0.4, 1, 1.7], wave, 'periodic')"));
    m.objectives.push_back({"cost", ObjectiveKind::integral,
                            "spline(r.x, [-0.5, 0.5, 1, 1.5], pull[2]*wave)", "", ""});
    for (const char* method : {"direct", "adjoint"}) {
      SCOPED_TRACE(method);
      Options chosen;
      chosen.method = method;
      chosen.designs.count = 11;
      chosen.designs.spread = 0.3;
      expect_same_bits_everywhere(m, chosen);
    }
  }
}

}  // namespace
}  // namespace gradus::derivative
