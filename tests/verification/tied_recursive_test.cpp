// The fully recursive formulation of trees that cut joints and constraints tie: the same motions as
// by the mass matrix, drivers on the way, and what is singular is told.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/verification/recursive_runs.hpp"

namespace gradus::test {
namespace {

// Trees that a cut joint ties: rows that depend on each other, Euler parameters and all.
class TiedRecursive : public testing::TestWithParam<unsigned> {
 protected:
  Model loop() const {
    using oracle::JointType;
    constexpr JointType cuts[] = {JointType::kRevolute, JointType::kSpherical,
                                  JointType::kCylindrical, JointType::kPrismatic};
    return random_loop_of_all_joints(GetParam(), 6 + static_cast<int>(GetParam() % 5U),
                                     cuts[GetParam() % 4U])
        .model;
  }
};

TEST_P(TiedRecursive, AccelerationsAreThoseOfTheMassMatrix) {
  expect_accelerations_of("index1", loop());
}

TEST_P(TiedRecursive, TrajectoriesAreThoseOfTheMassMatrix) {
  Model model = loop();
  model.analysis.rtol = 1e-11;
  model.analysis.atol = 1e-13;
  const Result expected = run_by(model, {"index1", "rtdyn0", "dop853"}, 0.1, 1e-2);
  const Result found = run_by(model, {"fully-recursive", "rtdyn0", "dop853"}, 0.1, 1e-2);
  const std::size_t n = expected.coordinates.size();
  const auto compare = [&](const std::vector<double>& a, const std::vector<double>& b) {
    EXPECT_LT(relative_difference(a, b, a.size() - n, n), 1e-8);
  };
  compare(expected.trajectories[0].coordinates, found.trajectories[0].coordinates);
  compare(expected.trajectories[0].rates, found.trajectories[0].rates);
  for (std::size_t level = 0; level < 3; ++level)
    EXPECT_LT(found.constraint_violation[level], 1e-9) << level;
}

INSTANTIATE_TEST_SUITE_P(Seeds, TiedRecursive, testing::Range(1U, 17U));

// Rods in a plane that hang from both ends of the chain, the first of them driven or not.
Model hanging_chain(int rods, bool driven) {
  std::ostringstream bodies, joints;
  for (int i = 0; i < rods; ++i) {
    const std::string between = i == 0 ? "" : ", ";
    const std::string parent = i == 0 ? "ground" : "rod" + std::to_string(i - 1) + ".tip";
    bodies << between << "\"rod" << i << R"(": {"mass": "1/n", "com": ["0.5/n", 0, 0],
      "inertia": {"xx": "1/1200/n^3", "yy": "1/12/n^3", "zz": "1/12/n^3"},
      "points": {"tip": ["1/n", 0, 0]}})";
    joints << between << "\"hinge" << i
           << R"(": {"type": "revolute", "axis": [0, 0, 1], "parent": ")" << parent
           << R"(", "child": "rod)" << i << R"(", "initial": {"position": {"guess": )"
           << (i == 0          ? "-0.6"
               : i == rods / 2 ? "1.2"
                               : "0.0")
           << "}}}";
  }
  const std::string drive =
      driven
          ? R"("constraints": {"drive": {"coordinate": "hinge0", "value": "0.3*sin(10*t) - 0.6"}},)"
          : "";
  return parse_model(R"json({"schema": "gradus-model/1", "name": "chain", "gravity": [0, -9.81, 0],
    "parameters": {"n": {"value": )json" +
                     std::to_string(rods) + R"json(}},
    "ground": {"points": {"end": ["cos(0.6)", 0, 0]}},
    "bodies": {)json" +
                     bodies.str() + R"json(}, "joints": {)json" + joints.str() + "}," + drive +
                     R"json("loops": {"end": {"type": "spherical", "parent": "ground.end",
      "child": "rod)json" +
                     std::to_string(rods - 1) + R"json(.tip"}},
    "sensors": {"low": {"position": "rod)json" +
                     std::to_string(rods / 2) + R"json(.tip"}, "pull": {"reaction_force": "end"}},
    "analysis": {"duration": 0.001, "step": 1e-4}})json");
}

TEST(TiedChains, MoveAsByTheMassMatrix) {
  for (const bool driven : {false, true}) {
    Model model = hanging_chain(24, driven);
    if (driven) model.sensors.push_back({"torque", "constraint_force", "drive"});
    model.analysis.rtol = 1e-10;
    model.analysis.atol = 1e-12;
    const Result expected = run_by(model, {"index1", "rtdyn0", "dop853"}, 0.05, 1e-3);
    const Result found = run_by(model, {"fully-recursive", "rtdyn0", "dop853"}, 0.05, 1e-3);
    ASSERT_EQ(found.final_sensors.size(), expected.final_sensors.size());
    for (std::size_t k = 0; k < found.final_sensors.size(); ++k)
      EXPECT_NEAR(found.final_sensors[k], expected.final_sensors[k], 1e-7) << driven << " " << k;
    EXPECT_GT(std::abs(found.final_sensors[3]), 1.0) << "nothing pulls";
    if (driven) {
      EXPECT_GT(std::abs(found.final_sensors.back()), 1e-2) << "nothing drives";
    }
  }
}

// A four-bar whose links cannot turn about: each of its coordinates comes to rest in dead centres
// that the others pass quickly, where it cannot be held. Holding it all the same errs a hundred
// times as much (by 7e-3).
TEST(TiedChains, ChooseAnewAtDeadCentres) {
  const auto rod = [](const std::string& name, double length) {
    std::ostringstream text;
    text << '"' << name << "\": {\"mass\": " << length << ", \"com\": [" << 0.5 * length
         << ", 0, 0], \"inertia\": {\"xx\": " << length / 1200.0
         << ", \"yy\": " << std::pow(length, 3) / 12.0 << ", \"zz\": " << std::pow(length, 3) / 12.0
         << "}, \"points\": {\"tip\": [" << length << ", 0, 0]}}";
    return text.str();
  };
  const Model model = parse_model(
      R"json({"schema": "gradus-model/1", "name": "four-bar", "gravity": [0, -9.81, 0],
    "ground": {"points": {"pivot": [1.2, 0, 0]}}, "bodies": {)json" +
      rod("crank", 0.9) + ", " + rod("coupler", 0.5) + ", " + rod("rocker", 0.7) + R"json(},
    "joints": {
      "crank": {"type": "revolute", "axis": [0, 0, 1], "parent": "ground", "child": "crank",
                "initial": {"position": 0.9, "velocity": 6}},
      "coupler": {"type": "revolute", "axis": [0, 0, 1], "parent": "crank.tip", "child": "coupler",
                  "initial": {"position": {"guess": -1}}},
      "rocker": {"type": "revolute", "axis": [0, 0, 1], "parent": "coupler.tip", "child": "rocker",
                 "initial": {"position": {"guess": -1.5}}}},
    "loops": {"end": {"type": "spherical", "parent": "ground.pivot", "child": "rocker.tip"}},
    "analysis": {"duration": 2, "step": 0.0025}})json");
  Model accurate = model;
  accurate.analysis.rtol = 1e-10;
  accurate.analysis.atol = 1e-12;
  const Result expected = run_by(accurate, {"index1", "rtdyn0", "dop853"}, 2.0, 0.0025);
  const Result found = run_by(model, {"fully-recursive", "rtdyn0"}, 2.0, 0.0025);
  ASSERT_TRUE(found.all_ok()) << found.status[0].message;
  const std::vector<double>& rates = expected.trajectories[0].rates;
  for (std::size_t k = 0; k < 3; ++k) {
    double fastest_at_rest = 0.0;  // another coordinate, where this one turns
    for (std::size_t i = k; i + 3 < rates.size(); i += 3)
      if (rates[i] * rates[i + 3] < 0.0)
        fastest_at_rest = std::max(fastest_at_rest, std::abs(rates[i - k + (k + 1) % 3]));
    EXPECT_GT(fastest_at_rest, 3.0) << k;
  }
  const std::vector<double>& positions = found.trajectories[0].coordinates;
  for (std::size_t k = positions.size() - 3; k < positions.size(); ++k)
    EXPECT_NEAR(positions[k], expected.trajectories[0].coordinates[k], 1e-3) << k;
}

// What terms of the rows would be without cancelling must not grow with the number of bodies.
TEST(TiedChains, OfManyRodsKeepTheirRank) {
  const Result result =
      run_by(hanging_chain(200, false), {"fully-recursive", "rtdyn0"}, 3e-4, 1e-4);
  ASSERT_TRUE(result.all_ok()) << result.status[0].message;
  EXPECT_LT(result.constraint_violation[0], 1e-12);
}

// A driver carries what it takes to move what hangs on it.
TEST(TiedChains, DriversCarryWhatTheyMove) {
  Model model = hanging_chain(6, true);
  model.loops.clear();
  model.sensors.erase(model.sensors.begin() + 1);
  model.sensors.push_back({"torque", "constraint_force", "drive"});
  const Result expected = run_by(model, {"index1", "rtdyn0"}, 0.01, 1e-4);
  const Result found = run_by(model, {"fully-recursive", "rtdyn0"}, 0.01, 1e-4);
  EXPECT_GT(std::abs(expected.final_sensors[3]), 1e-2);
  EXPECT_NEAR(found.final_sensors[3], expected.final_sensors[3], 1e-9);
}

// A rod on a hinge, tied by constraints of its angle.
Model rod_with(const std::string& constraints) {
  return parse_model(R"json({"schema": "gradus-model/1", "name": "rod", "gravity": [0, -9.81, 0],
    "bodies": {"rod": {"mass": 1, "com": [0.5, 0, 0], "inertia": {"xx": 0.01, "yy": 0.1, "zz": 0.1},
                       "points": {"tip": [1, 0, 0]}}},
    "joints": {"q": {"type": "revolute", "parent": "ground", "child": "rod", "axis": [0, 0, 1],
                     "initial": {"position": {"guess": 0.0}}}},
    "parameters": {"g": {"value": 1}}, "sensors": {"tip": {"position": "rod.tip"}, "angle": {"coordinate": "q"}},
    "objectives": {"height": {"integral": "g*tip.y"}}, "constraints": {)json" +
                     constraints + R"json(}, "analysis": {"duration": 1, "step": 0.01}})json");
}

// Only a slope that never changes cannot pass zero: what reads its coordinate in another way ties
// the tree, and is watched as ties are.
TEST(PrescribedCoordinates, AreNotTakenAcrossSingularPositions) {
  for (const char* angle : {"sin(angle) - 0.9999999*sin(3*t)", "angle*cos(2*t) - 0.1*cos(2*t)"})
    for (const char* formulation : {"index1", "fully-recursive"}) {
      Options options;
      options.backend = "cpu:1";
      options.formulation = formulation;
      options.integrator = "rk4";
      const Result result =
          gradient(rod_with("\"c\": {\"expression\": \"" + std::string(angle) + "\"}"), options);
      ASSERT_FALSE(result.all_ok()) << formulation << " " << angle;
      EXPECT_NE(result.status[0].message.find("singular"), std::string::npos)
          << result.status[0].message;
    }
}

TEST(PrescribedCoordinates, MayBePrescribedTwice) {
  const Model model = rod_with(R"("cube": {"expression": "angle^3 - (t - 0.5)^3"},
                                  "driver": {"coordinate": "q", "value": "t - 0.5"},
                                  "again": {"expression": "3*angle - 3*t + 1.5"})");
  const Result result = run_by(model, {"fully-recursive", "rtdyn0"}, 1.0, 0.01);
  ASSERT_TRUE(result.all_ok()) << result.status[0].message;
  EXPECT_NEAR(result.final_sensors[0], std::cos(0.5), 1e-12);
}

// The rod with another that hangs on it, whose angle is tied by these expressions.
Model tied_rods(double mass, const std::vector<std::string>& expressions) {
  Model model = rod_with(R"("driver": {"coordinate": "q", "value": "t"})");
  Body second = model.bodies[0];
  second.name = "second";
  second.mass = mass;
  if (mass == 0.0) second.inertia = {};
  model.bodies.push_back(second);
  Joint joint = model.joints[0];
  joint.name = "r";
  joint.parent = "rod.tip";
  joint.child = "second";
  model.joints.push_back(joint);
  model.sensors.push_back({"other", "coordinate", "r"});
  if (expressions.size() > 1) model.constraints.clear();
  for (const std::string& expression : expressions)
    model.constraints.push_back(
        {"tie" + std::to_string(model.constraints.size()), "expression", "", "", expression});
  return model;
}

// Of two rows a ten-thousandth is left beside each other: the Schur complement has the square of
// that, and one solution alone half of the digits.
TEST(TiedChains, KeepTheDigitsOfRowsThatAreNearlyDependent) {
  const Model model =
      tied_rods(1.0, {"angle - other", "angle - other + 1e-4*(angle + other - sin(3*t))"});
  const Result result = run_by(model, {"fully-recursive", "rtdyn0"}, 0.4, 0.01);
  const std::vector<double>& accelerations = result.trajectories[0].accelerations;
  for (std::size_t k = accelerations.size() - 2; k < accelerations.size(); ++k)
    EXPECT_NEAR(accelerations[k], -4.5 * std::sin(1.2), 1e-10);
}

// Index1 takes a body without mass that only the other equation holds.
TEST(TiedChains, NeedInertiaInTheTree) {
  const Model model = tied_rods(0.0, {"other - 2*angle"});
  EXPECT_TRUE(run_by(model, {"index1", "rtdyn0"}, 0.1, 0.01).all_ok());
  Options options;
  options.backend = "cpu:1";
  options.formulation = "fully-recursive";
  options.integrator = "rk4";
  const Result result = simulate(model, options);
  ASSERT_FALSE(result.all_ok());
  EXPECT_NE(
      result.status[0].message.find("before its loops and constraints are taken into account"),
      std::string::npos)
      << result.status[0].message;
}

}  // namespace
}  // namespace gradus::test
