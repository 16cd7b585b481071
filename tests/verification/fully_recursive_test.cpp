// The fully recursive formulation: the same accelerations and motions as by the mass matrix, for
// trees of all joints, without ever touching a matrix.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
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
#include "tests/verification/recursive_runs.hpp"

namespace gradus::test {
namespace {

class FullyRecursive : public testing::TestWithParam<unsigned> {
 protected:
  MechanismPair mechanism(int fewest, int range) const {
    return random_tree_of_all_joints(
        GetParam(), fewest + static_cast<int>(GetParam() % static_cast<unsigned>(range)));
  }
};

TEST_P(FullyRecursive, AccelerationsAreThoseOfTheMassMatrix) {
  expect_accelerations_of("semi-recursive", mechanism(3, 13).model);
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
