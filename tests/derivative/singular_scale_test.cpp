// Whether a motion passes through a singular configuration does not depend on the unit of length,
// and neither on the length of the steps that see it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/derivative/build.hpp"

namespace gradus::derivative {
namespace {

constexpr double kCrankStart = 0.7;

// A bar whose inertia grows with its length, as that of a scaled mechanism does.
Body scaled_bar(const std::string& name, double length, double scale) {
  const double inertia = 0.1 * scale * scale;
  return make_body(name, 1.0, {0.5 * length * scale, 0, 0}, {inertia, inertia, inertia, 0, 0, 0},
                   {{"tip", {length * scale, 0, 0}}});
}

Model free_crank(const std::string& name, double crank, double scale) {
  Model model;
  model.name = name;
  model.parameters = {make_parameter("m", 1.0)};
  model.bodies = {scaled_bar("crank", crank, scale)};
  model.bodies[0].mass = "m";
  model.ground.points = {{"A", {0, 0, 0}}};
  model.joints = {
      make_guess("drive", JointType::revolute, "ground.A", "crank", {0, 0, 1}, kCrankStart)};
  model.joints[0].start[0] = {kCrankStart, 5.0, false, false};
  model.sensors = {{"turn", "coordinate", "drive"}};
  model.objectives = {{"turn", ObjectiveKind::terminal, "m*turn", "", ""}};
  model.analysis.duration = 1.0;
  return model;
}

struct Bars {
  double crank, rod, rocker, ground;
};

Model four_bar(const std::string& name, const Bars& bars, double scale) {
  Model model = free_crank(name, bars.crank, scale);
  const double tip_x = bars.crank * std::cos(kCrankStart);
  const double tip_y = bars.crank * std::sin(kCrankStart);
  const double gap = std::hypot(bars.ground - tip_x, tip_y);
  const double across = std::atan2(-tip_y, bars.ground - tip_x);
  const double rod =
      across + std::acos((bars.rod * bars.rod + gap * gap - bars.rocker * bars.rocker) /
                         (2.0 * bars.rod * gap));
  const double rocker =
      std::atan2(tip_y + bars.rod * std::sin(rod), tip_x + bars.rod * std::cos(rod) - bars.ground);
  model.ground.points["B"] = {bars.ground * scale, 0, 0};
  model.bodies.push_back(scaled_bar("rod", bars.rod, scale));
  model.bodies.push_back(scaled_bar("rocker", bars.rocker, scale));
  model.joints.push_back(
      make_guess("knee", JointType::revolute, "crank.tip", "rod", {0, 0, 1}, rod - kCrankStart));
  model.joints.push_back(
      make_guess("swing", JointType::revolute, "ground.B", "rocker", {0, 0, 1}, rocker));
  Joint pin = make_guess("pin", JointType::revolute, "rod.tip", "rocker.tip", {0, 0, 1}, 0);
  pin.start.clear();
  model.loops = {pin};
  return model;
}

Model slider_crank(const std::string& name, double crank, double rod, double scale) {
  Model model = free_crank(name, crank, scale);
  const double slope = std::asin(crank / rod * std::sin(kCrankStart));
  model.bodies.push_back(scaled_bar("rod", rod, scale));
  model.bodies.push_back(scaled_bar("slider", 0.0, scale));
  model.joints.push_back(
      make_guess("knee", JointType::revolute, "crank.tip", "rod", {0, 0, 1}, -slope - kCrankStart));
  model.joints.push_back(
      make_guess("rail", JointType::prismatic, "ground.A", "slider", {1, 0, 0},
                 scale * (crank * std::cos(kCrankStart) + rod * std::cos(slope))));
  Joint pin = make_guess("pin", JointType::revolute, "rod.tip", "slider", {0, 0, 1}, 0);
  pin.start.clear();
  model.loops = {pin};
  return model;
}

struct Case {
  Model (*make)(double scale);
  bool passes;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {[](double s) {
         return four_bar("crank-rocker", {0.3, 1.0, 0.9, 0.9}, s);
       },
       false},
      {[](double s) {
         return four_bar("narrow", {0.3, 1.0, 0.9, 1.599}, s);
       },
       false},
      {[](double s) {
         return four_bar("change point", {0.3, 1.0, 0.9, 1.6}, s);
       },
       true},
      {[](double s) {
         return four_bar("parallelogram", {0.5, 1.0, 0.5, 1.0}, s);
       },
       true},
      {[](double s) { return slider_crank("slider-crank", 0.7, 1.0, s); }, false},
      {[](double s) { return slider_crank("narrow slider-crank", 0.999, 1.0, s); }, false},
      {[](double s) { return slider_crank("folding slider-crank", 1.0, 1.0, s); }, true}};
  return all;
}

struct Way {
  const char* formulation;
  const char* integrator;
  double rtol;
};

TEST(SingularScale, VerdictsDependOnNoUnit) {
  const std::vector<Way> ways{{"index1", "dop853", 1e-4},      {"index1", "dop853", 1e-6},
                              {"index1", "dop853", 1e-9},      {"matrix-r", "dop853", 1e-6},
                              {"index1", "rk4", 0.0},          {"ali3p", "newmark", 0.0},
                              {"fully-recursive", "rk4", 0.0}, {"fully-recursive", "dop853", 1e-6}};
  for (const Case& example : cases())
    for (const Way& way : ways) {
      double turn = 0.0;
      for (const double scale : {1.0, 1e-6, 1e-4, 1e-2, 30.0, 1e4}) {
        // Which closes loops to round-off beside a metre, and so may not close one of kilometres.
        if (scale > 1e3 && std::string(way.formulation) == "matrix-r") continue;
        Model model = example.make(scale);
        SCOPED_TRACE(model.name + " times " + std::to_string(scale) + ", " + way.formulation +
                     ", " + way.integrator + ", rtol " + std::to_string(way.rtol));
        model.analysis.step = 1e-3;
        Options options;
        options.backend = "cpu:1";
        options.formulation = way.formulation;
        options.integrator = way.integrator;
        if (way.rtol > 0.0) {
          options.rtol = way.rtol;
          options.atol = 0.01 * way.rtol;
        }
        const Result result = simulate(model, options);
        ASSERT_EQ(result.all_ok(), !example.passes) << result.status[0].message;
        if (example.passes) {
          EXPECT_NE(result.status[0].message.find("singular configuration"), std::string::npos)
              << result.status[0].message;
          continue;
        }
        if (scale == 1.0) turn = result.objective_values[0];
        EXPECT_GT(std::abs(turn), 3.0);
        // Absolute tolerances of lengths, and with them steps, depend on the unit.
        EXPECT_NEAR(result.objective_values[0], turn, std::max(1e-3, 100.0 * way.rtol));
      }
    }
}

// A parallelogram without gravity turns evenly, in steps as long as the motion allows: the last one
// passes both pi and 2 pi.
TEST(SingularScale, LongStepsOverTwoPassagesSeeThem) {
  for (const char* formulation : {"index1", "matrix-r", "fully-recursive"}) {
    Model model = four_bar("parallelogram", {0.5, 1.0, 0.5, 1.0}, 1.0);
    model.analysis.duration = 1.4;
    Options options;
    options.backend = "cpu:1";
    options.formulation = formulation;
    options.integrator = "dop853";
    options.rtol = 1e-4;
    options.atol = 1e-6;
    const Result result = simulate(model, options);
    ASSERT_FALSE(result.all_ok()) << formulation;
    EXPECT_NE(result.status[0].message.find("singular configuration"), std::string::npos)
        << result.status[0].message;
  }
}

// A mechanism that starts flat is named as such, and goes on beside it, at every scale.
TEST(SingularScale, FlatStartsDependOnNoUnit) {
  for (const double scale : {1.0, 1e-6, 1e-3, 1e3}) {
    Model model = four_bar("flat", {0.5, 1.0, 0.5, 1.0}, scale);
    for (Joint& joint : model.joints) joint.start[0].position = 0.0;
    SCOPED_TRACE(scale);
    Options options;
    options.backend = "cpu:1";
    const Result failed = simulate(model, options);
    ASSERT_FALSE(failed.all_ok());
    EXPECT_EQ(failed.status[0].time, 0.0);
    EXPECT_EQ(failed.status[0].message.find("the motion begins in a singular configuration"), 0U)
        << failed.status[0].message;
    model.analysis.duration = 0.3;
    options.singular = "continue";
    const Result result = simulate(model, options);
    ASSERT_TRUE(result.all_ok()) << result.status[0].message;
    EXPECT_GT(result.objective_values[0], 0.5);
  }
}

// Where passages are wanted, adaptive steps go across: the crank of a parallelogram without gravity
// turns at its rate, through pi and 2 pi; that of a change-point four-bar ends where short steps
// of fixed length say.
TEST(SingularScale, AdaptiveStepsGoAcross) {
  for (const char* what : {"warn", "continue"})
    for (const double rtol : {1e-4, 1e-6, 1e-9}) {
      SCOPED_TRACE(std::string(what) + " " + std::to_string(rtol));
      Model model = four_bar("parallelogram", {0.5, 1.0, 0.5, 1.0}, 1.0);
      Options options;
      options.backend = "cpu:1";
      options.singular = what;
      options.rtol = rtol;
      options.atol = 0.01 * rtol;
      const Result even = simulate(model, options);
      ASSERT_TRUE(even.all_ok()) << even.status[0].message;
      EXPECT_NEAR(even.objective_values[0], kCrankStart + 5.0, 1e-3);
      model = four_bar("change point", {0.3, 1.0, 0.9, 1.6}, 1.0);
      const Result adaptive = simulate(model, options);
      ASSERT_TRUE(adaptive.all_ok()) << adaptive.status[0].message;
      EXPECT_EQ(adaptive.singular_passage[0] > 0.0, std::string(what) == "warn");
      Options fixed = options;
      fixed.formulation = "index1";
      fixed.integrator = "rk4";
      fixed.step = 1e-4;
      const Result short_steps = simulate(model, fixed);
      ASSERT_TRUE(short_steps.all_ok()) << short_steps.status[0].message;
      EXPECT_NEAR(adaptive.objective_values[0], short_steps.objective_values[0], 1e-2);
    }
}

}  // namespace
}  // namespace gradus::derivative
