// Which coordinates are held while the constraints determine the others: a poor choice multiplies
// the errors of every step.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/source_path.hpp"

namespace gradus::derivative {
namespace {

// Bodies that tumble about a point, which some Euler parameters pass near zero on their way: those
// that follow from the others must not be among them.
struct Tumbling {
  std::array<double, 3> com;
  std::array<double, 4> position;
  std::array<double, 3> velocity;
};

Model tumbling(const Tumbling& start) {
  Body body = make_body("body", 1.5, {start.com[0], start.com[1], start.com[2]},
                        {0.1, 0.2, 0.15, 0, 0, 0}, {{"tip", {0.3, -0.2, 0.4}}});
  Joint joint = make_joint("pivot", JointType::spherical, "ground", "body", {0, 0, 1});
  joint.axis.reset();
  joint.start.clear();
  for (std::size_t k = 0; k < 4; ++k)
    joint.start.push_back({start.position[k], k == 0 ? 0.0 : start.velocity[k - 1], false, false});
  Model model;
  model.gravity = {0, 0, -9.81};
  model.parameters = {make_parameter("m", 1.5)};
  model.bodies = {body};
  model.bodies[0].mass = "m";
  model.joints = {joint};
  model.sensors = {{"tip", "position", "body.tip"}};
  model.objectives = {{"end", ObjectiveKind::terminal, "dot(tip, [1, 2, 3])", "", ""}};
  return model;
}

TEST(HeldCoordinates, LeaveLargeEulerParametersToFollow) {
  for (const Tumbling& start :
       {Tumbling{
            {-0.3546, 0.2211, 0.2115}, {-0.0076, -0.4448, 0.249, 0.8603}, {1.6253, 5.4448, 5.8411}},
        Tumbling{
            {0.0501, 0.1166, -0.1963}, {0.175, 0.6789, 0.2413, 0.671}, {-2.472, 4.5933, -5.1154}},
        Tumbling{{0.2129, 0.1634, 0.1291},
                 {-0.9011, -0.1253, 0.4023, -0.102},
                 {2.9568, -2.9714, 0.0192}}})
    for (const char* integrator : {"rk4", "dop853"}) {
      Options options;
      options.formulation = "semi-recursive";
      options.integrator = integrator;
      options.step = 1e-3;
      options.duration = 1.0;
      const Result tree = run_gradient(tumbling(start), "direct", options);
      options.formulation = "matrix-r";
      const Result held = run_gradient(tumbling(start), "direct", options);
      expect_equal_values(held, tree, 1e-5);
      EXPECT_NEAR(held.gradient[0], tree.gradient[0], 1e-4);
    }
}

// Costates change with the coordinates they belong to, between the halves of the trapezoidal rule.
TEST(HeldCoordinates, ChangeUnderContinuousAdjoints) {
  const Tumbling start{
      {-0.3546, 0.2211, 0.2115}, {-0.0076, -0.4448, 0.249, 0.8603}, {1.6253, 5.4448, 5.8411}};
  const auto deviation = [&](double step) {
    Options options;
    options.formulation = "matrix-r";
    options.integrator = "rk4";
    options.step = step;
    options.duration = 1.0;
    const Result direct = run_gradient(tumbling(start), "direct", options);
    const Result adjoint = run_gradient(tumbling(start), "continuous-adjoint", options);
    return std::abs(direct.gradient[0] - adjoint.gradient[0]);
  };
  const double coarse = deviation(2e-3);
  EXPECT_GT(coarse, 1e-9);
  EXPECT_LT(deviation(5e-4), coarse / 8.0);  // 16 for the whole
}

// A Stewart platform that is thrown down between its legs, some of which come into line with the
// axes of their cardan joints. Lengths of legs determine little of the motion there, and angles run
// away; the platform's own coordinates serve all the time. Without projections all are integrated,
// and nothing is chosen.
struct Throw {
  std::array<double, 6> velocity;
  double damping;
};

Model thrown_platform(const Throw& start) {
  Model model = read_model(source_path("models/stewart-platform/stewart-platform.json"));
  for (Joint& joint : model.joints)
    if (joint.name == "platform")
      for (std::size_t k = 0; k < 6; ++k)
        joint.start[k < 3 ? k : k + 1].velocity = start.velocity[k];
  for (Parameter& parameter : model.parameters) {
    if (parameter.name == "k") parameter.value = 800.0;
    if (parameter.name == "c") parameter.value = start.damping;
  }
  return model;
}

TEST(HeldCoordinates, CarryTheMotion) {
  for (const Throw& start : {Throw{{1.1034, 0.9529, -1.6541, 1.9769, -1.5945, 4.5928}, 20.0},
                             Throw{{-1.5562, -2.5613, 1.0168, -6.8108, -1.0419, -7.6942}, 20.0},
                             Throw{{-0.3166, 2.6221, 2.9282, -4.3349, 3.4654, 8.2173}, 100.0}}) {
    const Model model = thrown_platform(start);
    Options options;
    options.formulation = "index1";
    options.integrator = "dop853";
    options.stabilisation = "none";
    options.rtol = 1e-10;
    options.atol = 1e-11;
    const Result converged = run_gradient(model, "direct", options);
    for (const char* formulation : {"index1", "matrix-r"}) {
      SCOPED_TRACE(formulation);
      Options coarse;
      coarse.formulation = formulation;
      coarse.integrator = "rk4";
      coarse.step = 0.004;
      const Result result = run_gradient(model, "direct", coarse);
      expect_equal_values(result, converged, 1e-4);
      EXPECT_LT(largest_deviation(result.gradient, converged.gradient, 5), 2e-3);
    }
  }
}

}  // namespace
}  // namespace gradus::derivative
