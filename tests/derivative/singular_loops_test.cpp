// Several loops that pass their singular configurations within the same step fail as one does.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "src/motion/design_run.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"

namespace gradus::derivative {
namespace {

constexpr double kLoopStep = 0.002;

Body even_bar(const std::string& name, double length) {
  return make_body(name, length, {0.5 * length, 0, 0}, {0.01, 0.1, 0.1, 0, 0, 0},
                   {{"tip", {length, 0, 0}}});
}

// A rod from the crank to a rocker with its hinge `ground` away from the crank's.
struct Dyad {
  double ground, rod, rocker;
  double rod_start, rocker_start;  // angles to the crank and to the ground
};

// A crank that parameters drive, and dyads on it.
Model crank_with(const std::vector<Dyad>& dyads, double crank, double start, double rate) {
  Model m;
  m.name = std::to_string(dyads.size()) + " dyads";
  m.gravity = {0, 0, 0};
  m.parameters = {make_parameter("rate", rate), make_parameter("m", 1.0)};
  m.ground.points = {{"A", {0, 0, 0}}};
  m.bodies = {even_bar("crank", crank)};
  m.bodies[0].mass = "m";
  m.joints = {make_guess("drive", JointType::revolute, "ground.A", "crank", {0, 0, 1}, start)};
  m.sensors = {{"turn", "coordinate", "drive"}};
  Constraint driver;
  driver.name = "driver";
  driver.type = "expression";
  driver.value = "turn - (" + std::to_string(start) + ") - rate*t";
  m.constraints = {driver};
  for (std::size_t k = 0; k < dyads.size(); ++k) {
    const Dyad& dyad = dyads[k];
    const std::string n = std::to_string(k);
    m.ground.points["B" + n] = {dyad.ground, 0, 0};
    m.bodies.push_back(even_bar("rod" + n, dyad.rod));
    m.bodies.push_back(even_bar("rocker" + n, dyad.rocker));
    m.joints.push_back(make_guess("knee" + n, JointType::revolute, "crank.tip", "rod" + n,
                                  {0, 0, 1}, dyad.rod_start));
    m.joints.push_back(make_guess("swing" + n, JointType::revolute, "ground.B" + n, "rocker" + n,
                                  {0, 0, 1}, dyad.rocker_start));
    Joint pin = make_guess("pin" + n, JointType::revolute, "rod" + n + ".tip",
                           "rocker" + n + ".tip", {0, 0, 1}, 0);
    pin.start.clear();
    m.loops.push_back(pin);
  }
  m.objectives = {{"work", ObjectiveKind::integral, "m*turn^2", "", ""}};
  m.analysis.duration = 0.5;
  m.analysis.step = kLoopStep;
  return m;
}

// The wheels of a locomotive: parallelograms of one crank, flat at the same time.
Model wheels(std::size_t count) {
  std::vector<Dyad> dyads;
  for (std::size_t k = 0; k < count; ++k) {
    const double width = 2.0 + static_cast<double>(k);
    dyads.push_back({width, width, 1.0, -0.7, 0.7});
  }
  return crank_with(dyads, 1.0, 0.7, -3.0);
}

constexpr double kFlat = 0.7 / 3.0;  // s

Model released(Model model) {
  model.constraints.clear();
  model.joints[0].start[0] = {0.7, -3.0, false, false};  // which it keeps until it is flat
  return model;
}

Model crank_rockers(std::size_t count) {
  const Dyad dyad{1.6659715885, 1.7006053313, 1.5274804660, 1.6192954415, -1.8957149163};
  Model model = crank_with(std::vector<Dyad>(count, dyad), 0.8561859535, -2.030926, -28.397859);
  model.analysis.duration = 1.0;
  return model;
}

struct LoopWay {
  const char* formulation;
  const char* integrator;
};

const std::vector<LoopWay>& loop_ways() {
  static const std::vector<LoopWay> all{{"ali3p", "newmark"},       {"ali3p", "generalised-alpha"},
                                        {"kinematic", ""},          {"matrix-r", "rk4"},
                                        {"index1", "rk4"},          {"matrix-r", "trapezoidal"},
                                        {"index1", "dop853"},       {"penalty", "dop853"},
                                        {"fully-recursive", "rk4"}, {"fully-recursive", "dop853"}};
  return all;
}

Options loop_options(const LoopWay& way, const std::string& backend) {
  Options options;
  options.backend = backend;
  options.formulation = way.formulation;
  if (*way.integrator != 0) options.integrator = way.integrator;
  return options;
}

bool is_kinematic(const LoopWay& way) {
  return std::string(way.formulation) == "kinematic";
}

TEST(SingularLoops, ThatPassTogetherFailAsOneDoes) {
  for (const std::size_t count : {2U, 4U})
    for (const Model& model : {wheels(count), released(wheels(count))})
      for (const LoopWay& way : loop_ways())
        for (const char* backend : {"cpu:1", "debug"})
          for (const char* method : {"direct", "adjoint"}) {
            if (count > 2 && (std::string(method) != "direct" || std::string(backend) != "cpu:1"))
              continue;
            const bool is_driven = !model.constraints.empty();
            if (!is_driven && is_kinematic(way)) continue;  // which is refused
            SCOPED_TRACE(model.name + (is_driven ? ", driven, " : ", ") + way.formulation + ", " +
                         way.integrator + ", " + backend + ", " + method);
            Options options = loop_options(way, backend);
            options.method = method;
            const Result result = gradient(model, options);
            ASSERT_FALSE(result.all_ok());
            const bool adapts = std::string(way.integrator) == "dop853";
            EXPECT_GT(result.status[0].time, kFlat - 2.0 * kLoopStep);
            EXPECT_LT(result.status[0].time, kFlat + (adapts ? 0.4 : 2.0 * kLoopStep));
            EXPECT_TRUE(std::isnan(result.gradient[0]));
            // Newton's method of implicit steps may fail on the corner itself.
            if (std::string(way.integrator) == "trapezoidal") continue;
            EXPECT_NE(result.status[0].message.find("singular configuration near \"pin"),
                      std::string::npos)
                << result.status[0].message;
          }
}

// Each in a step of its own, with the bits that it has alone.
TEST(SingularLoops, FailInLanesAsAlone) {
  for (const Model& model : {wheels(2), wheels(4)})
    for (const LoopWay& way : loop_ways()) {
      if (std::string(way.integrator) == "dop853") continue;  // goes alone
      SCOPED_TRACE(model.name + ", " + way.formulation + ", " + way.integrator);
      Options options = loop_options(way, "cpu:1");
      options.designs.count = 11;
      options.designs.spread = 0.3;
      Result results[3];
      for (const int lanes : {1, 0}) {
        options.lanes = lanes;
        results[lanes] = gradient(model, options);
      }
      options.backend = "debug";
      results[2] = gradient(model, options);
      EXPECT_GT(results[0].lanes, 1);
      for (std::size_t d = 0; d < results[1].n_design; ++d) {
        ASSERT_FALSE(results[1].status[d].ok) << d;
        for (const Result& other : {results[0], results[2]}) {
          EXPECT_EQ(other.status[d].time, results[1].status[d].time) << d;
          EXPECT_EQ(other.status[d].message, results[1].status[d].message) << d;
        }
      }
    }
}

// Steps so long that the rockers may come out on either side: two of them as one.
TEST(SingularLoops, ThatAreThrownOverTogetherFailAsOneDoes) {
  int failures = 0;
  for (const LoopWay& way : loop_ways())
    for (const double step : {0.5, 0.25, 0.1, 0.05, 0.02}) {
      if (std::string(way.integrator) == "dop853") continue;  // chooses its steps
      Options options = loop_options(way, "cpu:1");
      options.step = step;
      const Result one = simulate(crank_rockers(1), options);
      const bool passes = one.status[0].message.find("singular configuration") != std::string::npos;
      if (!one.all_ok() && !passes) continue;
      const Result two = simulate(crank_rockers(2), options);
      EXPECT_EQ(two.status[0].message.find("singular configuration") != std::string::npos, passes)
          << way.formulation << ", " << way.integrator << ", " << step << ": "
          << two.status[0].message;
      failures += passes ? 1 : 0;
    }
  EXPECT_GT(failures, 3);
}

TEST(SingularLoops, NearMissesOfManyStepsAreNone) {
  const Model model =
      crank_with({{2.0, 2.0, 1.0, -0.7, 0.7}, {3.0, 3.0, 1.0, -0.7, 0.7}}, 0.98, 0.7, -3.0);
  for (const LoopWay& way : loop_ways()) {
    const Result result = simulate(model, loop_options(way, "cpu:1"));
    EXPECT_TRUE(result.all_ok()) << way.formulation << ": " << result.status[0].message;
  }
}

Plan plan_of(const Model& model) {
  Options options;
  options.backend = "cpu:1";
  return DesignRun(model, options).plan();
}

void expect_groups(const Model& model, const std::vector<std::pair<int, int>>& sizes) {
  SCOPED_TRACE(model.name);
  const Plan plan = plan_of(model);
  ASSERT_EQ(plan.row_groups.size(), sizes.size());
  for (std::size_t g = 0; g < sizes.size(); ++g) {
    EXPECT_EQ(plan.row_groups[g].rows, sizes[g].first) << g;
    EXPECT_EQ(plan.row_groups[g].columns, sizes[g].second) << g;
  }
}

// All but one, which the orientation of all rows tells with them. What a driver says of its crank
// is the same everywhere, and no question.
TEST(RowGroups, AreTheLoopsThatStandAlone) {
  expect_groups(wheels(1), {});
  expect_groups(released(wheels(1)), {});
  expect_groups(wheels(2), {{2, 2}});
  expect_groups(released(wheels(2)), {{2, 3}});
  expect_groups(wheels(4), {{2, 2}, {2, 2}, {2, 2}});
  expect_groups(five_bar(false), {});
  expect_groups(two_four_bars(), {{2, 3}});  // the second hangs on the rocker of the first
}

// A driver that can turn back is a group of its own, and a loop of two equations one.
TEST(RowGroups, AreDriversAndEquationsTogether) {
  Model model = wheels(2);
  model.constraints[0].value = "sin(turn) - sin(0.7 + rate*t)";
  expect_groups(model, {{1, 1}, {2, 2}});
  model = wheels(2);
  model.loops.pop_back();
  model.sensors.push_back({"end", "position", "rod1.tip"});
  model.sensors.push_back({"tip", "position", "rocker1.tip"});
  for (const char* axis : {"x", "y"}) {
    Constraint constraint;
    constraint.name = axis;
    constraint.type = "expression";
    constraint.value = std::string("end.") + axis + " - tip." + axis;
    model.constraints.push_back(constraint);
  }
  expect_groups(model, {{2, 2}});
}

// Three wheels, each of which two equations tie to the others: none stands alone.
void add_ring(Model& model, const std::string& name) {
  const double start[3] = {0.3, 0.4, 0.5};
  for (int k = 0; k < 3; ++k) {
    const std::string n = name + std::to_string(k);
    model.bodies.push_back(even_bar("wheel" + n, 1.0));
    model.joints.push_back(
        make_guess("axle" + n, JointType::revolute, "ground.A", "wheel" + n, {0, 0, 1}, start[k]));
    model.sensors.push_back({"turn" + n, "coordinate", "axle" + n});
    Constraint tie;
    tie.name = "tie" + n;
    tie.type = "expression";
    tie.value = "turn" + n + "^2 + turn" + name + std::to_string((k + 1) % 3) + " - (" +
                std::to_string(start[k] * start[k] + start[(k + 1) % 3]) + ")";
    model.constraints.push_back(tie);
  }
}

TEST(RowGroups, AreEquationsThatNeedEachOther) {
  Model model = wheels(1);
  add_ring(model, "x");
  add_ring(model, "y");
  expect_groups(model, {{2, 2}, {3, 3}});
}

}  // namespace
}  // namespace gradus::derivative
