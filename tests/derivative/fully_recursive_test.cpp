// Gradients of open trees whose accelerations come without a mass matrix: what the normalisation
// at the end of a step does to columns, and those of whole runs.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/stages/normalise.hpp"
#include "src/motion/tableau.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/kernel_check.hpp"

namespace gradus::derivative {
namespace {

Model recursive_tree(const char* integrator) {
  Model model = parametrise_all(every_joint());
  model.analysis.formulation = "fully-recursive";
  model.analysis.integrator = integrator;
  model.analysis.duration = 0.05;
  model.analysis.step = 2e-3;
  return model;
}

class RecursiveTree : public testing::TestWithParam<const char*> {};

// Columns are as exact as dual numbers. Newton's method on the stages of an implicit step leaves
// 1e-13 of an acceleration, of which dual numbers and columns keep different parts.
TEST_P(RecursiveTree, DirectGradientIsThatOfDualNumbers) {
  const Model model = recursive_tree(GetParam());
  const Result direct = run_gradient(model, "direct");
  const Result dual = run_gradient(model, "dual");
  ASSERT_FALSE(testing::Test::HasFailure());
  EXPECT_LT(largest_deviation(direct.gradient, dual.gradient, direct.parameters.size()), 1e-9);
  expect_equal_values(direct, dual, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Integrators, RecursiveTree,
                         testing::Values("rk4", "newmark", "dopri5", "radau5"));

// The same gradient as by the mass matrix, up to what the steps err by.
TEST(RecursiveTrees, GradientIsThatOfTheMassMatrix) {
  Model model = recursive_tree("rk4");
  model.analysis.step = 1e-3;
  const Result recursive = run_gradient(model, "direct");
  model.analysis.formulation = "semi-recursive";
  const Result with_matrix = run_gradient(model, "direct");
  EXPECT_LT(
      largest_deviation(recursive.gradient, with_matrix.gradient, recursive.parameters.size()),
      1e-8);
}

TEST(RecursiveTrees, CarryForcesOfEveryKind) {
  Model model = parametrise_all(every_force());
  model.analysis.integrator = "rk4";
  model.analysis.formulation = "fully-recursive";
  const Result recursive = run_gradient(model, "direct");
  model.analysis.formulation = "semi-recursive";
  const Result with_matrix = run_gradient(model, "direct");
  EXPECT_LT(
      largest_deviation(recursive.gradient, with_matrix.gradient, recursive.parameters.size()),
      1e-9);
  expect_equal_values(recursive, with_matrix, 1e-11);
}

// One column of normalise_columns against dual numbers, far from unit length.
TEST(Normalise, ColumnsAreItsDerivative) {
  const Model model = parametrise_all(every_joint());
  Analysis analysis;
  analysis.integrator = "rk4";
  const Tableau tableau = make_tableau(analysis);
  const kernels::TableauView view = tableau.view(nullptr);
  Fixture<double> plain(model, Reference::rtdyn0, view);
  Fixture<Dual1> dual(model, Reference::rtdyn0, view);
  plain.set_random_state(5);
  dual.set_random_state(5);
  const kernels::Layout& l = plain.layout();
  const int n = plain.view().coordinate_count;
  const int parameters = plain.view().parameter_count;
  support::Numbers numbers(11);
  const int sets[2] = {l.position, l.velocity};
  const int columns[2] = {l.columns[kernels::kPosition], l.columns[kernels::kVelocity]};
  for (int set = 0; set < 2; ++set)
    for (int c = 0; c < n; ++c) {
      const double value = plain.value(sets[set], c) * (set == 0 ? 1.3 : 1.0);
      const double slope = numbers.next();
      plain.at(sets[set], c) = value;
      plain.at(columns[set], c * parameters + 2) = slope;
      dual.at(sets[set], c) = Dual1(value);
      dual.at(sets[set], c).derivative[0] = slope;
    }
  kernels::normalise(plain.design());
  kernels::normalise_columns(plain.design(), kernels::parameter_columns(plain.design()));
  kernels::normalise(dual.design());
  double change = 0.0;
  support::Numbers again(11);
  for (int set = 0; set < 2; ++set)
    for (int c = 0; c < n; ++c) {
      const double column = plain.value(columns[set], c * parameters + 2);
      EXPECT_NEAR(column, slope_of(dual.at(sets[set], c)), 1e-14) << set << " " << c;
      change = std::max(change, std::abs(column - again.next()));
    }
  EXPECT_GT(change, 0.1);
}

// A constraint of an Euler parameter loads its normalisation, whose curvature is part of the
// stiffness.
TEST(TiedTrees, MayTieEulerParameters) {
  Model model = parse_model(R"json({"schema": "gradus-model/1", "name": "top",
    "gravity": [0, 0, -9.81], "parameters": {"m": {"value": 2}, "d": {"value": 0.3}},
    "bodies": {"top": {"mass": "m", "com": ["d", 0.1, 0.2],
                       "inertia": {"xx": 0.2, "yy": 0.3, "zz": 0.25},
                       "points": {"tip": [0.5, 0.2, 0.1]}}},
    "joints": {"ball": {"type": "spherical", "parent": "ground", "child": "top", "initial": {
      "position": [{"guess": 0.9}, {"guess": 0.2}, {"guess": 0.3}, {"guess": 0.2}],
      "velocity": [{"guess": 1}, {"guess": 2}, {"guess": 0.5}]}}},
    "sensors": {"tip": {"position": "top.tip"}},
    "constraints": {"turn": {"coordinate": "ball.0", "value": "0.9 - 0.05*sin(3*t)"}},
    "objectives": {"path": {"integral": "dot(tip, [1, 2, 3])"}, "end": {"terminal": "tip.y"}},
    "analysis": {"duration": 0.3, "step": 5e-3, "formulation": "fully-recursive",
                 "integrator": "rk4"}})json");
  const Result direct = run_gradient(model, "direct");
  const Result dual = run_gradient(model, "dual");
  const Result adjoint = run_gradient(model, "adjoint");
  EXPECT_LT(largest_deviation(direct.gradient, dual.gradient, 2), 1e-11);
  EXPECT_LT(largest_deviation(direct.gradient, adjoint.gradient, 2), 1e-11);
  for (const double entry : direct.gradient) EXPECT_GT(std::abs(entry), 1e-4);
}

}  // namespace
}  // namespace gradus::derivative
