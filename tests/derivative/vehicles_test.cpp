// The vehicles of models/: gradients by every method, the same values by every formulation.
#include <gtest/gtest.h>

#include <string>

#include "gradus/gradus.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/source_path.hpp"

namespace gradus::derivative {
namespace {

Model vehicle(const char* file, double duration) {
  Model m = read_model(source_path(std::string("models/") + file));
  m.analysis.duration = duration;
  m.analysis.tolerance = 1e-12;
  return m;
}

TEST(Vehicles, HaveExactGradients) {
  Tolerances tolerances;
  tolerances.dual = 1e-9;
  tolerances.difference = 1e-5;
  expect_exact_gradient(vehicle("buggy/buggy-step.json", 0.08), tolerances);
  Model lanes = vehicle("buggy/buggy-lane-change.json", 0.1);
  lanes.analysis.step = 2e-3;
  expect_exact_gradient(lanes, tolerances);
}

TEST(Vehicles, MoveTheSameByEveryFormulation) {
  Model m = vehicle("buggy/buggy-step.json", 0.2);
  m.analysis.step = 2.5e-4;
  const Result steps = run_gradient(m, "direct");
  m.analysis.rtol = 1e-10;
  m.analysis.atol = 1e-12;
  m.analysis.formulation = "index1";
  m.analysis.integrator = "dop853";
  const Result index1 = run_gradient(m, "direct");
  const Result adjoint = run_gradient(m, "adjoint");
  Options from_bodies;
  from_bodies.coordinates = "reference-point";
  const Result bodies = run_gradient(m, "direct", from_bodies);
  m.analysis.formulation = "matrix-r";
  const Result matrix_r = run_gradient(m, "direct");
  for (const Result* r : {&matrix_r, &adjoint, &bodies}) {
    expect_equal_values(*r, index1, 1e-7);
    EXPECT_LT(largest_deviation(r->gradient, index1.gradient, 5), 1e-6);
  }
  expect_equal_values(steps, index1, 1e-3);
  EXPECT_LT(largest_deviation(steps.gradient, index1.gradient, 5), 1e-2);
}

// The torques on the handlebar matter from their knots on.
TEST(Vehicles, ABicycleAnswersToAllItsTorques) {
  Model m = vehicle("bicycle/bicycle.json", 1.0);
  m.analysis.step = 2e-3;
  const Result direct = run_gradient(m, "direct");
  const Result adjoint = run_gradient(m, "adjoint");
  EXPECT_LT(largest_deviation(direct.gradient, adjoint.gradient, 32), 1e-9);
  for (const double entry : direct.gradient) EXPECT_NE(entry, 0.0);
}

}  // namespace
}  // namespace gradus::derivative
