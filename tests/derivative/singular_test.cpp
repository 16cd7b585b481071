// Motions that pass through a singular configuration between two steps fail there, or are remarked
// on, as is asked for.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "gradus/gradus.hpp"
#include "src/motion/mechanism.hpp"
#include "tests/derivative/build.hpp"

namespace gradus::derivative {
namespace {

constexpr double kStep = 0.002;

struct Passage {
  Model model;
  double time;  // s, of the singular configuration
};

Body bar(const std::string& name, double length) {
  return make_body(name, length, {0.5 * length, 0, 0}, {0.01, 0.1, 0.1, 0, 0, 0},
                   {{"tip", {length, 0, 0}}});
}

// A crank that turns from `start` at `rate`, with what closes the loop between its tip and the
// ground.
Model driven(const std::string& name, double crank, double start, double rate, double ground) {
  Model model;
  model.name = name;
  model.gravity = {0, -1, 0};
  model.parameters = {make_parameter("m", 1.0)};
  model.ground.points = {{"A", {0, 0, 0}}, {"B", {ground, 0, 0}}};
  model.bodies = {bar("crank", crank)};
  model.bodies[0].mass = "m";
  model.joints = {make_guess("drive", JointType::revolute, "ground.A", "crank", {0, 0, 1}, start)};
  model.sensors = {{"turn", "coordinate", "drive"}};
  Constraint driver;
  driver.name = "driver";
  driver.type = "expression";
  driver.value = "turn - " + std::to_string(start) + " - (" + std::to_string(rate) + ")*t";
  model.constraints = {driver};
  model.objectives = {{"work", ObjectiveKind::integral, "m*turn^2", "", ""}};
  model.analysis.duration = 0.5;
  model.analysis.step = kStep;
  return model;
}

void close_by_rocker(Model& model, double rod, double rocker, double rod_start,
                     double rocker_start) {
  model.bodies.push_back(bar("rod", rod));
  model.bodies.push_back(bar("rocker", rocker));
  model.joints.push_back(
      make_guess("knee", JointType::revolute, "crank.tip", "rod", {0, 0, 1}, rod_start));
  model.joints.push_back(
      make_guess("swing", JointType::revolute, "ground.B", "rocker", {0, 0, 1}, rocker_start));
  Joint pin = make_guess("pin", JointType::revolute, "rod.tip", "rocker.tip", {0, 0, 1}, 0);
  pin.start.clear();
  model.loops = {pin};
}

Passage parallelogram() {
  Model model = driven("parallelogram", 1.0, 0.7, -3.0, 2.0);
  close_by_rocker(model, 2.0, 1.0, -0.7, 0.7);
  return {model, 0.7 / 3.0};
}

// Crank and rod of equal length, the slider at the crank's hinge when the crank is upright.
Passage folding_slider_crank() {
  Model model = driven("folding slider-crank", 1.0, 1.0, 2.0, 0.0);
  model.bodies.push_back(bar("rod", 1.0));
  model.joints.push_back(
      make_guess("knee", JointType::revolute, "crank.tip", "rod", {0, 0, 1}, -2.0));
  Constraint rail;
  rail.name = "rail";
  rail.type = "expression";
  rail.value = "end.y";
  model.sensors.push_back({"end", "position", "rod.tip"});
  model.constraints.push_back(rail);
  return {model, (M_PI / 2.0 - 1.0) / 2.0};
}

// The end of the rod is driven until crank and rod are stretched, and back: the mechanism goes
// through that, or bounces.
Passage stretched_slider_crank() {
  const double crank = 0.6, rod = 1.3, x = 1.9 - 0.5 * 0.0625;
  const double start = std::acos((crank * crank + x * x - rod * rod) / (2.0 * crank * x));
  const double knee = M_PI - std::acos((crank * crank + rod * rod - x * x) / (2.0 * crank * rod));
  Model model = driven("stretched slider-crank", crank, start, 0.0, 0.0);
  model.bodies.push_back(bar("rod", rod));
  model.joints.push_back(
      make_guess("knee", JointType::revolute, "crank.tip", "rod", {0, 0, 1}, -knee));
  model.sensors.push_back({"end", "position", "rod.tip"});
  model.constraints[0].value = "end.x - 1.9 + 0.5*(t - 0.25)^2";
  Constraint rail;
  rail.name = "rail";
  rail.type = "expression";
  rail.value = "end.y";
  model.constraints.push_back(rail);
  return {model, 0.25};
}

// Sides 1 and 2 in pairs: the crank's tip passes through the hinge of the rocker.
Passage kite() {
  Model model = driven("kite", 1.0, 0.5, -2.0, 1.0);
  const double gap = 2.0 * std::sin(0.25);
  const double across = 0.5 + M_PI / 2.0 - 0.25;  // direction from B to the tip of the crank
  const double half = std::acos(gap / 2.0 / 2.0);
  const double rocker = across - half;
  const double tip_x = 1.0 + 2.0 * std::cos(rocker), tip_y = 2.0 * std::sin(rocker);
  const double rod = std::atan2(tip_y - std::sin(0.5), tip_x - std::cos(0.5));
  close_by_rocker(model, 2.0, 2.0, rod - 0.5, rocker);
  return {model, 0.25};
}

struct Setting {
  const char* formulation;
  const char* integrator;
};

const std::vector<Setting>& ways() {
  static const std::vector<Setting> all{{"ali3p", "newmark"},  {"ali3p", "generalised-alpha"},
                                        {"kinematic", ""},     {"matrix-r", "rk4"},
                                        {"index1", "rk4"},     {"matrix-r", "trapezoidal"},
                                        {"penalty", "dop853"}, {"fully-recursive", "rk4"}};
  return all;
}

Options options_of(const Setting& way, const std::string& backend) {
  Options options;
  options.backend = backend;
  options.formulation = way.formulation;
  if (*way.integrator != 0) options.integrator = way.integrator;
  return options;
}

TEST(SingularPassage, FailsByDefault) {
  std::vector<Setting> all = ways();
  all.push_back({"penalty", "newmark"});
  for (const Passage& passage :
       {parallelogram(), folding_slider_crank(), kite(), stretched_slider_crank()})
    for (const Setting& way : all)
      for (const char* backend : {"cpu:1", "debug"}) {
        SCOPED_TRACE(passage.model.name + ", " + way.formulation + ", " + way.integrator + ", " +
                     backend);
        for (const char* method : {"direct", "adjoint"}) {
          Options options = options_of(way, backend);
          options.method = method;
          const Result result = gradient(passage.model, options);
          ASSERT_FALSE(result.all_ok());
          EXPECT_NEAR(result.status[0].time, passage.time, 2.0 * kStep);
          EXPECT_TRUE(std::isnan(result.gradient[0]));
          // Newton's method of implicit steps may fail on the corner itself.
          if (std::string(way.integrator) == "trapezoidal") continue;
          EXPECT_NE(result.status[0].message.find("singular configuration"), std::string::npos)
              << result.status[0].message;
        }
      }
}

// What the first step goes across is told by the start.
TEST(SingularPassage, FailsInTheFirstStep) {
  for (const double start : {0.03, 0.1, 0.15, 0.2, 0.27})
    for (const Setting& way : ways()) {
      SCOPED_TRACE(std::to_string(start) + ", " + way.formulation + ", " + way.integrator);
      Model model = driven("parallelogram", 1.0, start, -3.0, 2.0);
      close_by_rocker(model, 2.0, 1.0, -start, start);
      model.analysis.step = 0.1;
      const Result result = simulate(model, options_of(way, "cpu:1"));
      ASSERT_FALSE(result.all_ok());
      EXPECT_LT(result.status[0].time, 0.15);
    }
}

// A slider-crank, closed by expressions, with a distance that says the same once more: which of its
// rows are pivots changes where two of them become parallel, and nothing is singular there.
TEST(SingularPassage, IsNotWhereRowsOfRedundantConstraintsTurnParallel) {
  for (const double start : {0.3, 0.6857, 1.9, 2.7, 4.1}) {
    SCOPED_TRACE(start);
    const double crank = 0.5, rod = 0.55;
    const double slope = -std::asin(crank * std::sin(start) / rod);
    Model model = driven("redundant slider-crank", crank, start, 3.0, 0.0);
    model.bodies.push_back(bar("rod", rod));
    model.bodies.push_back(bar("slider", 0.1));
    model.joints.push_back(
        make_guess("knee", JointType::revolute, "crank.tip", "rod", {0, 0, 1}, slope - start));
    model.joints.push_back(make_guess("rail", JointType::prismatic, "ground.A", "slider", {1, 0, 0},
                                      crank * std::cos(start) + rod * std::cos(slope)));
    model.sensors.push_back({"end", "position", "rod.tip"});
    model.sensors.push_back({"slide", "coordinate", "rail"});
    model.sensors.push_back({"length", "distance", "crank.tip", "slider"});
    for (const auto& [name, value] :
         {std::pair{"along", "end.x - slide"}, {"across", "end.y"}, {"length", "length - 0.55"}}) {
      Constraint constraint;
      constraint.name = name;
      constraint.type = "expression";
      constraint.value = value;
      model.constraints.push_back(constraint);
    }
    model.analysis.duration = 2.2;
    for (const Setting& way :
         {Setting{"ali3p", "newmark"}, Setting{"kinematic", ""}, Setting{"index1", "rk4"}}) {
      SCOPED_TRACE(way.formulation);
      const Result result = gradient(model, options_of(way, "cpu:1"));
      EXPECT_TRUE(result.all_ok()) << result.status[0].message;
    }
  }
}

TEST(SingularPassage, MayBeARemarkOrNothing) {
  for (const char* what : {"warn", "continue"}) {
    Options options = options_of({"kinematic", ""}, "cpu:1");
    options.singular = what;
    std::vector<std::string> log;
    options.log = [&](const std::string& line) { log.push_back(line); };
    const Passage passage = parallelogram();
    const Result result = simulate(passage.model, options);
    ASSERT_TRUE(result.all_ok()) << result.status[0].message;
    const bool warns = std::string(what) == "warn";
    EXPECT_NEAR(result.singular_passage[0], warns ? passage.time : 0.0, warns ? 2.0 * kStep : 0.0);
    EXPECT_EQ(log.size(), warns ? 1U : 0U);
    if (warns) {
      EXPECT_EQ(log[0].find("singular: 1 of 1 motions pass"), 0U) << log[0];
    }
  }
  Options options;
  options.singular = "perhaps";
  EXPECT_THROW(simulate(parallelogram().model, options), InputError);
}

// A motion may begin where its loops have less rank than beside it.
Passage flat_parallelogram() {
  Model model = driven("flat parallelogram", 1.0, 0.0, 3.0, 2.0);
  close_by_rocker(model, 2.0, 1.0, 0.0, 0.0);
  return {model, 0.0};
}

Passage folded_slider_crank() {
  Model model = folding_slider_crank().model;
  model.name = "folded slider-crank";
  model.joints[0].start[0].position = M_PI / 2.0;
  model.joints[1].start[0].position = -M_PI;
  model.constraints[0].value = "turn - 2*t - " + std::to_string(M_PI / 2.0);
  return {model, 0.0};
}

// Held at its start instead of driven.
Model undriven(Model model, double rate) {
  std::erase_if(model.constraints, [](const Constraint& c) { return c.name == "driver"; });
  model.joints[0].start[0] = {model.joints[0].start[0].position, rate, false, false};
  return model;
}

TEST(SingularStart, FailsWithNameAtTimeZero) {
  for (const Passage& start : {flat_parallelogram(), folded_slider_crank()})
    for (const Model& model : {start.model, undriven(start.model, 1.0)})
      for (const Setting& way : ways())
        for (const char* backend : {"cpu:1", "debug"}) {
          if (std::string(way.formulation) == "kinematic") continue;  // which is refused
          SCOPED_TRACE(model.name + ", " + way.formulation + ", " + way.integrator + ", " +
                       backend);
          const Result result = gradient(model, options_of(way, backend));
          ASSERT_FALSE(result.all_ok());
          EXPECT_EQ(result.status[0].time, 0.0);
          const std::string name = model.loops.empty() ? "rail" : "pin";
          EXPECT_EQ(result.status[0].message.find(
                        "the motion begins in a singular configuration of \"" + name + "\""),
                    0U)
              << result.status[0].message;
        }
}

// Beside it the constraints have their full rank, all of them hold, and energy is kept. There is no
// gradient, whatever the method.
TEST(SingularStart, GoesOnIfAskedFor) {
  for (const Passage& start : {flat_parallelogram(), folded_slider_crank()})
    for (const double rate : {2.0, -2.0}) {
      Model model = undriven(start.model, rate);
      model.sensors.push_back({"energy", "energy", "total"});
      model.sensors.push_back({"rate", "rate", "drive"});
      model.analysis.duration = 0.2;
      for (const Setting& way : ways()) {
        if (std::string(way.formulation) == "kinematic") continue;
        SCOPED_TRACE(model.name + ", " + way.formulation + ", " + way.integrator);
        Options options = options_of(way, "cpu:1");
        options.singular = "warn";
        options.record = true;
        const Result result = simulate(model, options);
        ASSERT_TRUE(result.all_ok()) << result.status[0].message;
        EXPECT_EQ(result.singular_passage[0], 0.0);
        EXPECT_EQ(result.singular_start, model.loops.empty() ? "rail" : "pin");
        EXPECT_LT(result.constraint_violation[0], 1e-6);
        const Trajectory& motion = result.trajectories[0];
        const std::size_t width = result.sensor_components.size();
        EXPECT_NEAR(motion.sensors[0], model.joints[0].start[0].position.value(), 2e-4);
        const double first = motion.sensors[width - 2];
        for (std::size_t k = 0; k < motion.time.size(); ++k)
          EXPECT_NEAR(motion.sensors[k * width + width - 2], first, 1e-3 * (std::abs(first) + 1.0));
        EXPECT_GT(motion.sensors[(motion.time.size() - 1) * width + width - 1] * rate, 0.0);
        for (const char* method : {"direct", "adjoint", "dual", "finite-difference"}) {
          options.method = method;
          EXPECT_THROW(gradient(model, options), InputError) << method;
        }
      }
    }
}

// Whether factors are sparse there, as those of the slider-cranks, or dense, as of loops with
// redundant rows.
TEST(SingularPassage, FailsInReferencePointCoordinatesAlike) {
  const auto in = [](const Setting& way, const char* coordinates) {
    Options options = options_of(way, "cpu:1");
    options.coordinates = coordinates;
    return options;
  };
  for (const auto& [model, is_sparse] :
       {std::pair{undriven(folding_slider_crank().model, 2.0), true},
        {stretched_slider_crank().model, true},
        {undriven(parallelogram().model, -3.0), false}})
    for (const Setting& way :
         {Setting{"ali3p", "newmark"}, Setting{"index1", "rk4"}, Setting{"matrix-r", "rk4"},
          Setting{"index1", "dop853"}, Setting{"fully-recursive", "dop853"}}) {
      SCOPED_TRACE(model.name + ", " + way.formulation + ", " + way.integrator);
      const Options options = in(way, "reference-point");
      EXPECT_EQ(!CompiledMechanism(model, options).plan().split_steps.empty(), is_sparse);
      const Result expected = simulate(model, in(way, "joint"));
      const Result result = simulate(model, options);
      ASSERT_FALSE(expected.all_ok());
      ASSERT_FALSE(result.all_ok());
      const double step = std::string(way.integrator) == "dop853" ? 0.05 : kStep;
      EXPECT_NEAR(result.status[0].time, expected.status[0].time, 2.0 * step);
      EXPECT_NE(result.status[0].message.find("singular configuration"), std::string::npos)
          << result.status[0].message;
    }
}

// Nor do rows that are all independent look reversed where nothing is singular.
TEST(SingularPassage, IsNoneOfTurningCranksInReferencePointCoordinates) {
  Model model = undriven(stretched_slider_crank().model, 9.0);
  model.gravity = {0, 0, 0};
  model.analysis.duration = 1.5;  // more than a turn
  for (const Setting& way : {Setting{"ali3p", "newmark"}, Setting{"index1", "dop853"}}) {
    Options options = options_of(way, "cpu:1");
    options.coordinates = "reference-point";
    ASSERT_FALSE(CompiledMechanism(model, options).plan().split_steps.empty());
    const Result result = simulate(model, options);
    EXPECT_TRUE(result.all_ok()) << way.formulation << ": " << result.status[0].message;
  }
}

// However near it comes: a crank shorter than the rest by a thousandth of it swings by.
TEST(SingularPassage, NearMissesOfManyStepsAreNone) {
  Model model = driven("near miss", 0.98, 0.7, -3.0, 2.0);
  close_by_rocker(model, 2.0, 1.0, -0.7, 0.7);
  for (const Setting& way : ways()) {
    const Result result = simulate(model, options_of(way, "cpu:1"));
    EXPECT_TRUE(result.all_ok()) << way.formulation << ": " << result.status[0].message;
  }
}

}  // namespace
}  // namespace gradus::derivative
