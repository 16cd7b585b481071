// The fully recursive formulation: the same accelerations and motions as by the mass matrix, for
// trees of all joints, without ever touching a matrix.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gradus/error.hpp"
#include "kernels/stages/acceleration.hpp"
#include "kernels/stages/normalise.hpp"
#include "src/motion/mobility.hpp"
#include "src/motion/tableau.hpp"
#include "tests/support/design_fixture.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/oracle_comparison.hpp"

namespace gradus::test {
namespace {

struct Way {
  const char* formulation;
  const char* reference;
  const char* integrator = "rk4";
};

Result run_by(Model model, const Way& way, double duration, double step) {
  model.analysis.formulation = way.formulation;
  model.analysis.integrator = way.integrator;
  return run(model, way.reference, duration, step);
}

// Largest difference of the first `count` numbers, relative to the largest of them.
double relative_difference(const std::vector<double>& a, const std::vector<double>& b,
                           std::size_t first, std::size_t count) {
  double scale = 0.0;
  double difference = 0.0;
  for (std::size_t k = first; k < first + count; ++k) {
    scale = std::max(scale, std::abs(a[k]));
    if (!(std::abs(a[k] - b[k]) <= difference)) difference = std::abs(a[k] - b[k]);
  }
  EXPECT_GT(scale, 0.1) << "nothing moves";
  return difference / scale;
}

class FullyRecursive : public testing::TestWithParam<unsigned> {
 protected:
  MechanismPair mechanism(int fewest, int range) const {
    return random_tree_of_all_joints(
        GetParam(), fewest + static_cast<int>(GetParam() % static_cast<unsigned>(range)));
  }
};

// Round-off alone separates the two: the smallest bound that all these trees keep with a margin.
TEST_P(FullyRecursive, AccelerationsAreThoseOfTheMassMatrix) {
  const Model model = mechanism(3, 13).model;
  const Result expected = run_by(model, {"semi-recursive", "rtdyn0"}, 1e-3, 1e-3);
  const std::size_t n = expected.coordinates.size();
  for (const char* reference : {"rtdyn0", "rtdyn1"}) {
    const Result found = run_by(model, {"fully-recursive", reference}, 1e-3, 1e-3);
    EXPECT_LT(relative_difference(expected.trajectories[0].accelerations,
                                  found.trajectories[0].accelerations, 0, n),
              1e-11)
        << reference;
  }
}

TEST_P(FullyRecursive, AccelerationsAgreeWithTheOracle) {
  MechanismPair pair = mechanism(3, 13);
  pair.model.analysis.formulation = "fully-recursive";
  pair.model.analysis.integrator = "rk4";
  expect_agreement(pair);
}

// The formulations differ in how they project the Euler parameters, by what a step leaves of their
// normalisation.
TEST_P(FullyRecursive, TrajectoriesAreThoseOfTheMassMatrix) {
  const Model model = mechanism(3, 7).model;
  const Result expected = run_by(model, {"semi-recursive", "rtdyn0"}, 0.1, 5e-4);
  const Result found = run_by(model, {"fully-recursive", "rtdyn0"}, 0.1, 5e-4);
  const std::size_t n = expected.coordinates.size();
  const std::size_t last = found.trajectories[0].coordinates.size() - n;
  EXPECT_LT(relative_difference(expected.trajectories[0].coordinates,
                                found.trajectories[0].coordinates, last, n),
            1e-9);
  EXPECT_LT(
      relative_difference(expected.trajectories[0].rates, found.trajectories[0].rates, last, n),
      1e-9);
}

// Without damping; the method is of order four.
TEST_P(FullyRecursive, KeepsTheEnergy) {
  Model model = mechanism(3, 7).model;
  set_damping_of_springs(model, 0.0);
  const auto drift = [&](double step) {
    const Result result = run_by(model, {"fully-recursive", "rtdyn0"}, 0.1, step);
    const std::vector<double>& sensors = result.trajectories[0].sensors;
    const std::size_t width = result.sensor_components.size();
    double largest = 0.0;
    for (std::size_t row = width; row <= sensors.size(); row += width)
      largest = std::max(largest, std::abs(sensors[row - 1] - sensors[width - 1]));
    return largest / (1.0 + std::abs(sensors[width - 1]));
  };
  EXPECT_LT(drift(1e-3), 1e-7);
}

TEST_P(FullyRecursive, KeepsEulerParametersNormal) {
  const Model model = mechanism(3, 7).model;
  const Result result = run_by(model, {"fully-recursive", "rtdyn0"}, 0.1, 2e-3);
  EXPECT_LT(result.constraint_violation[0], 1e-14);
  EXPECT_LT(result.constraint_violation[1], 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FullyRecursive, testing::Range(1U, 17U));

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
  const Model model = loop();
  const Result expected = run_by(model, {"index1", "rtdyn0"}, 1e-3, 1e-3);
  const std::size_t n = expected.coordinates.size();
  for (const char* reference : {"rtdyn0", "rtdyn1"}) {
    const Result found = run_by(model, {"fully-recursive", reference}, 1e-3, 1e-3);
    EXPECT_LT(relative_difference(expected.trajectories[0].accelerations,
                                  found.trajectories[0].accelerations, 0, n),
              1e-11)
        << reference;
  }
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

// Fixed-point iteration needs no matrix either, and ends where Newton's method does.
TEST(FullyRecursiveIteration, FixedPointEndsWhereNewtonDoes) {
  for (const char* integrator : {"newmark", "generalised-alpha"}) {
    Model model = random_tree_of_all_joints(8, 6).model;
    const Result newton = run_by(model, {"fully-recursive", "rtdyn0", integrator}, 0.02, 5e-4);
    model.analysis.iteration = "fixed-point";
    const Result fixed = run_by(model, {"fully-recursive", "rtdyn0", integrator}, 0.02, 5e-4);
    const std::size_t n = newton.coordinates.size();
    const std::size_t last = newton.trajectories[0].rates.size() - n;
    EXPECT_LT(
        relative_difference(newton.trajectories[0].rates, fixed.trajectories[0].rates, last, n),
        1e-11)
        << integrator;
    EXPECT_GT(fixed.newton_iterations[0], newton.newton_iterations[0]) << integrator;
  }
}

// Arrays that grow faster than the number of bodies, and how many entries each has.
struct Extent {
  int offset, size;
};

std::vector<Extent> matrices(const kernels::PlanView& p, const kernels::Layout& l) {
  const int n = p.coordinate_count;
  const int m = p.constraint_rows;
  std::vector<Extent> all;
  for (const int offset : {l.mass_matrix, l.stiffness, l.damping, l.velocity_stiffness,
                           l.acceleration_stiffness, l.position_matrix, l.product, l.held_rate})
    all.push_back({offset, n * n});
  for (const int offset : {l.jacobian, l.jacobian_rate, l.jacobian_acceleration, l.reflected})
    all.push_back({offset, m * n});
  for (const int offset : {l.position_factor, l.mass_factor, l.kinematic_factor})
    all.push_back({offset, p.independent_count * p.independent_count});
  all.push_back({l.range, n * p.constraint_rank});
  all.push_back({l.null_space, n * p.independent_count});
  all.push_back({l.triangle, p.constraint_rank * p.constraint_rank});
  return all;
}

// Matrices full of NaN stay so and spoil nothing.
TEST(FullyRecursiveCost, TouchesNoMatrix) {
  const Model model = random_tree_of_all_joints(4, 9).model;
  Analysis analysis;
  analysis.integrator = "rk4";
  const Tableau tableau = make_tableau(analysis);
  support::DesignFixture<double> f(model, Reference::rtdyn0, tableau.view(nullptr));
  f.set_random_state(3);
  const auto all = matrices(f.view(), f.layout());
  for (const Extent& extent : all)
    for (int k = 0; k < extent.size; ++k)
      f.at(extent.offset, k) = std::numeric_limits<double>::quiet_NaN();
  kernels::normalise(f.design());
  kernels::accelerate_recursively(f.design(), 0.0);
  ASSERT_FALSE(f.design().failed());
  for (int c = 0; c < f.view().coordinate_count; ++c)
    EXPECT_TRUE(std::isfinite(f.value(f.layout().acceleration, c))) << c;
  for (const Extent& extent : all)
    for (int k = 0; k < extent.size; ++k)
      ASSERT_TRUE(std::isnan(f.value(extent.offset, k))) << extent.offset << " " << k;
}

// Nor where it is tied, closed and watched.
TEST(FullyRecursiveCost, TouchesNoMatrixOfAllRows) {
  const Model model = random_loop_of_all_joints(4, 9, oracle::JointType::kRevolute).model;
  Analysis analysis;
  analysis.integrator = "rk4";
  const Tableau tableau = make_tableau(analysis);
  Extras extras;
  extras.ties = true;
  Plan plan = build_plan(model, Reference::rtdyn0);
  complete_start(plan, false);
  support::DesignFixture<double> f(std::move(plan), model.analysis, tableau.view(nullptr),
                                   Sensitivity::direct, extras);
  f.set_random_state(3);
  for (int c = 0; c < f.view().coordinate_count; ++c)
    if (std::isfinite(f.view().guess[c])) f.at(f.layout().position, c) = f.view().guess[c];
  const auto all = matrices(f.view(), f.layout());
  for (const Extent& extent : all)
    for (int k = 0; k < extent.size; ++k)
      f.at(extent.offset, k) = std::numeric_limits<double>::quiet_NaN();
  kernels::begin_independents(f.design());
  kernels::close_tied_position(f.design(), 0.0);
  kernels::close_tied_velocity(f.design(), 0.0);
  kernels::accelerate_recursively(f.design(), 0.0);
  kernels::watch_first_ties(f.design());
  kernels::watch_singularity(f.design(), 1.0);
  kernels::renew_choice(f.design(), 1.0);
  ASSERT_FALSE(f.design().failed()) << static_cast<int>(f.design().status[0]);
  for (int i = 0; i < f.view().constraint_rows; ++i)
    EXPECT_NEAR(f.value(f.layout().constraint_acceleration, i), 0.0, 1e-9) << i;
  for (const Extent& extent : all)
    for (int k = 0; k < extent.size; ++k)
      ASSERT_TRUE(std::isnan(f.value(extent.offset, k))) << extent.offset << " " << k;
}

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
    model.analysis.rtol = 1e-10;
    model.analysis.atol = 1e-12;
    const Result expected = run_by(model, {"index1", "rtdyn0", "dop853"}, 0.05, 1e-3);
    const Result found = run_by(model, {"fully-recursive", "rtdyn0", "dop853"}, 0.05, 1e-3);
    for (std::size_t k = 0; k < 6; ++k)
      EXPECT_NEAR(found.final_sensors[k], expected.final_sensors[k], 1e-7) << driven << " " << k;
    EXPECT_GT(std::abs(found.final_sensors[3]), 1.0) << "nothing pulls";
  }
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

// A bead that turns about itself, hung on a bar.
Model bar_with_bead() {
  Model model;
  model.name = "bead";
  model.gravity = {0, -9.81, 0};
  for (const char* name : {"bar", "bead"}) {
    Body body;
    body.name = name;
    body.mass = 1.0;
    body.points["tip"] = {0.5, 0, 0};
    model.bodies.push_back(body);
    Joint joint;
    joint.name = std::string("hinge of ") + name;
    joint.parent = model.joints.empty() ? "ground" : "bar.tip";
    joint.child = name;
    joint.start = {CoordinateStart()};
    model.joints.push_back(joint);
  }
  return model;
}

TEST(FullyRecursiveErrors, SaysThatSomeMotionMovesNoInertia) {
  const Model model = bar_with_bead();
  Options options;
  options.backend = "cpu:1";
  options.formulation = "fully-recursive";
  options.integrator = "rk4";
  const Result result = simulate(model, options);
  ASSERT_FALSE(result.all_ok());
  EXPECT_NE(result.status[0].message.find(
                "the mass matrix is singular: a motion of \"hinge of bead\" moves no inertia"),
            std::string::npos)
      << result.status[0].message;
}

TEST(SemiRecursiveErrors, OpenTreesAlone) {
  const Model loop = random_loop_of_all_joints(2, 5, oracle::JointType::kRevolute).model;
  Options options;
  options.backend = "cpu:1";
  options.formulation = "semi-recursive";
  try {
    simulate(loop, options);
    ADD_FAILURE() << "took a closed loop";
  } catch (const InputError& error) {
    const std::string text = error.what();
    for (const char* part : {"semi-recursive", "\"cut\"", "open trees", "ali3p", "matrix-r"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace gradus::test
