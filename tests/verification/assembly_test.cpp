// Starting closed loops: what is said when held coordinates, guesses and loops do not fit together,
// and that redundant loops do no harm.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/support/source_path.hpp"
#include "tests/verification/one_thread.hpp"

namespace gradus::test {
namespace {

Model short_five_bar() {
  Model model = read_model(source_path("models/five-bar/five-bar.json"));
  model.analysis.duration = 0.02;
  return model;
}

CoordinateStart held(double position) {
  return {position, 0.0, false, false};
}
CoordinateStart guess(double position) {
  return {position, 0.0, true, true};
}

std::string failure(const Model& model) {
  const Result result = simulate(model, one_thread());
  EXPECT_FALSE(result.all_ok());
  EXPECT_TRUE(std::isnan(result.objective_values[0]));
  return result.status[0].message;
}

std::string refusal(const Model& model) {
  try {
    simulate(model, one_thread());
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(Assembly, NamesTheLoopThatCannotClose) {
  Model model = short_five_bar();
  model.parameters[4].value = 10.0;  // L_A1
  model.parameters[4].bounds.reset();
  const std::string message = failure(model);
  expect_contains(message, "cannot be closed");
  expect_contains(message, "\"B\"");
}

Result recorded(const Model& model) {
  Options options = one_thread();
  options.record = true;
  Result result = simulate(model, options);
  EXPECT_TRUE(result.all_ok()) << result.status[0].message;
  return result;
}

// The largest difference of two motions, over all coordinates and times.
double largest_difference(const Result& a, const Result& b) {
  const std::vector<double>& one = a.trajectories[0].coordinates;
  const std::vector<double>& other = b.trajectories[0].coordinates;
  double largest = one.size() == other.size() ? 0.0 : 1e300;
  for (std::size_t k = 0; k < one.size() && largest < 1e300; ++k)
    largest = std::max(largest, std::abs(one[k] - other[k]));
  return largest;
}

// One coordinate is held and another left free: one of the guesses is held where the shortest way
// closes the loop. Held by the user at what was found, the motion is the same.
TEST(Assembly, HoldsGuessesWhereTheLoopLeavesFreedom) {
  Model model = short_five_bar();
  model.joints[1].start = {guess(1.7)};
  EXPECT_EQ(describe(model).degrees_of_freedom, 2U);
  const Result completed = recorded(model);
  const std::vector<double>& start = completed.trajectories[0].coordinates;
  EXPECT_NEAR(start[0], -0.75 * std::acos(-1.0), 1e-15);
  const double guesses[] = {1.7, 1.2, 1.8};
  for (std::size_t k = 1; k < 4; ++k) EXPECT_NEAR(start[k], guesses[k - 1], 0.3);
  model.joints[1].start = {held(start[1])};
  EXPECT_LT(largest_difference(completed, recorded(model)), 1e-9);
}

TEST(Assembly, SaysWhenTooManyCoordinatesAreHeld) {
  Model model = short_five_bar();
  model.joints[2].start = {held(2.0 * std::atan(1.0 / 1.5))};
  EXPECT_EQ(describe(model).degrees_of_freedom, 2U);
  expect_contains(failure(model), "determine more coordinates than are left to them");
}

TEST(Assembly, HoldsAllGuessesWithoutLoops) {
  Model model = short_five_bar();
  model.loops.clear();
  const Result guessed = recorded(model);
  model.joints[2].start = {held(1.2)};
  model.joints[3].start = {held(1.8)};
  EXPECT_EQ(largest_difference(guessed, recorded(model)), 0.0);
  EXPECT_EQ(describe(model).degrees_of_freedom, 4U);
}

TEST(Assembly, RefusesLoopsWithoutGuesses) {
  Model model = short_five_bar();
  for (Joint& joint : model.joints) joint.start = {held(1.0)};
  expect_contains(refusal(model), "nothing is left to close the loop");
}

TEST(Assembly, RefusesAGuessedRateOfAHeldPosition) {
  Model model = short_five_bar();
  model.joints[0].start[0].velocity_is_guess = true;
  expect_contains(refusal(model), "hold both or guess both");
}

TEST(Assembly, RedundantLoopsChangeNothing) {
  const Result once = gradient(short_five_bar(), one_thread());
  Model model = short_five_bar();
  Joint again = model.loops[0];
  again.name = "B again";
  model.loops.push_back(again);
  const Result twice = gradient(model, one_thread());
  ASSERT_TRUE(once.all_ok() && twice.all_ok());
  for (std::size_t k = 0; k < once.gradient.size(); ++k) {
    EXPECT_NE(once.gradient[k], 0.0);
    EXPECT_NEAR(twice.gradient[k], once.gradient[k], 1e-10 * std::abs(once.gradient[k]));
  }
}

// A body without mass at the end of the chain is refused; here masses are there but turn about axes
// on which they lie.
TEST(Assembly, SaysWhenAMotionMovesNoInertia) {
  Model model;
  model.name = "needle";
  Body needle;
  needle.name = "needle";
  needle.mass = 1.0;
  needle.com = {0.5, 0, 0};
  needle.inertia = {0.0, 0.1, 0.1, 0.0, 0.0, 0.0, "com"};
  model.bodies = {needle};
  Joint hinge;
  hinge.name = "hinge";
  hinge.parent = "ground";
  hinge.child = "needle";
  hinge.axis = {1, 0, 0};
  model.joints = {hinge};
  model.sensors = {{"angle", "coordinate", "hinge"}};
  model.objectives = {{"turn", ObjectiveKind::terminal, "angle", "", ""}};
  expect_contains(failure(model), "a motion of \"hinge\" moves no inertia");
}

// A rod without mass between two balls, which is free to turn about itself; with a hinge at one
// end it is not.
TEST(Assembly, SaysWhichMasslessBodyOfALoopIsFree) {
  Model model = read_model(source_path("models/slider-crank/slider-crank.json"));
  model.analysis.duration = 0.01;
  model.objectives = {{"x", ObjectiveKind::terminal, "x_C", "", ""}};
  for (Body& body : model.bodies) {
    if (body.name != "rod") continue;
    body.mass = 0.0;
    body.inertia = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, "com"};
  }
  EXPECT_TRUE(simulate(model, one_thread()).all_ok());
  for (Joint& joint : model.joints)
    if (joint.type == JointType::cardan) {
      joint.type = JointType::spherical;
      joint.axis = joint.child_axis = joint.zero = joint.child_zero = std::nullopt;
      joint.start.clear();
    }
  expect_contains(failure(model), "the mass matrix is singular: a motion of ");
}

}  // namespace
}  // namespace gradus::test
