// The verb `check` on some random mechanisms; check_long_test.cpp does so with a hundred.
#include <gtest/gtest.h>

#include <string>

#include "gradus/gradus.hpp"
#include "tests/derivative/build.hpp"
#include "tests/verification/check_trials.hpp"

namespace gradus::test {
namespace {

TEST(Check, SomeMechanisms) {
  Tally tally;
  for (const unsigned seed : {2U, 4U}) expect_no_alarm(seed, findings_of(seed), tally);
  EXPECT_EQ(tally.inaccurate, 0U);
}

TEST(Check, SomeFaults) {
  for (const unsigned seed : {5U, 6U}) expect_faults_found(seed, findings_of(seed));
}

// A door on two hinges in line, and a pendulum on the door.
Model door() {
  using namespace derivative;
  Model model;
  model.name = "door";
  model.gravity = {0, -9.81, 1};
  model.parameters = {make_parameter("m", 2.0), make_parameter("out", 0.0)};
  model.ground.points = {{"low", {0, 0, 0}}, {"top", {"out", 0, 1}}};
  model.bodies = {make_body("door", "m", {0.25, 0.1, 0.3}, {0.1, 0.2, 0.15, 0, 0, 0},
                            {{"top", {0, 0, 1}}, {"corner", {0.3, 0.4, 0.1}}}),
                  make_body("knob", 0.5, {0.1, 0, 0}, {0.01, 0.01, 0.01, 0, 0, 0}, {})};
  model.joints = {
      make_guess("hinge", JointType::revolute, "ground.low", "door", {0, 0, 1}, 0.3),
      make_joint("knob", JointType::revolute, "door.top", "knob", {1, 0.2, 0.3}, 0.1, 0.5)};
  model.loops = {make_guess("second", JointType::revolute, "ground.top", "door.top", {0, 0, 1}, 0)};
  model.loops[0].start.clear();
  model.sensors = {{"corner", "position", "door.corner"}, {"turn", "coordinate", "knob"}};
  model.objectives = {{"corner", ObjectiveKind::terminal, "dot(corner, [1, 2, 3])", "", ""},
                      {"turn", ObjectiveKind::integral, "turn^2", "", ""}};
  model.analysis.step = 0.005;
  model.analysis.duration = 0.1;
  return model;
}

// However little the upper hinge stands out, the door does not fit.
TEST(Check, AParameterThatContradictsTheOthers) {
  Options options;
  options.backend = "cpu:1";
  const CheckReport report = check(door(), options);
  EXPECT_FALSE(report.model.passed);
  EXPECT_FALSE(report.passed);
  EXPECT_NE(report.model.message.find("no derivative by 1 of 2 parameters exists, the first is "
                                      "\"out\": however little it changes, "),
            std::string::npos)
      << report.model.message;
  Model fits = door();
  fits.parameters.pop_back();
  fits.ground.points["top"] = {0, 0, 1};
  const CheckReport other = check(fits, options);
  EXPECT_TRUE(other.passed) << other.derivative.message << other.model.message;
}

TEST(Check, AMotionThatFails) {
  const Model model = door();
  Options options;
  options.backend = "cpu:1";
  options.set = {{"m", -3.0}};
  const CheckReport report = check(model, options);
  EXPECT_TRUE(report.lines.empty());
  EXPECT_FALSE(report.model.passed || report.derivative.passed || report.accuracy.passed);
  EXPECT_NE(report.model.message.find("a mass is negative"), std::string::npos);
}

}  // namespace
}  // namespace gradus::test
