// Whole runs of models whose laws have edges: bump stops that are open, touched and left, and drag
// from rest.
#include <gtest/gtest.h>

#include <string>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/messages.hpp"

namespace gradus::derivative {
namespace {

// A sledge that slides on a slope towards a stop, with a pendulum on it.
Model sledge(const std::string& force) {
  Model m;
  m.name = "sledge";
  m.gravity = {0, -9.81, 0};
  m.parameters = {make_parameter("m", 1.3), make_parameter("k", 3000.0), make_parameter("e", 1.5),
                  make_parameter("gap", 0.02)};
  m.bodies = {make_body("sledge", "m", {0.1, 0.02, 0}, {0.01, 0.02, 0.03, 0, 0, 0, "com"},
                        {{"pivot", {0.1, 0.1, 0}}}),
              make_body("bob", 0.4, {0.05, -0.2, 0}, {0.001, 0.001, 0.002, 0, 0, 0, "com"},
                        {{"tip", {0, -0.3, 0}}})};
  m.joints = {make_joint("slide", JointType::prismatic, "ground", "sledge", {1, -0.4, 0}, 0, 0.0),
              make_joint("swing", JointType::revolute, "sledge.pivot", "bob", {0, 0, 1}, 0.2, 0.3)};
  m.sensors = {
      {"p", "coordinate", "slide"}, {"v", "rate", "slide"}, {"tip", "position", "bob.tip"}};
  m.forces.push_back(make_joint_force("stop", "slide", force));
  m.objectives = {{"way", ObjectiveKind::integral, "p^2", "", ""},
                  {"end", ObjectiveKind::terminal, "dot(tip, [1, 2, 3]) + v", "", ""}};
  m.analysis.duration = 0.2;
  m.analysis.step = 2e-3;
  m.analysis.tolerance = 1e-12;
  return m;
}

// The gap closes after some 0.1 s.
TEST(Edges, ProgressiveBumpStops) {
  for (const char* formulation : {"ali3p", "semi-recursive"}) {
    Model model = sledge("-k*max(0, p - gap)^e");
    model.analysis.formulation = formulation;
    expect_exact_gradient(model);
    model.name = "open stop";
    model.analysis.duration = 0.05;
    const Result open = run_gradient(model, "dual");
    const std::size_t count = open.parameters.size();
    for (std::size_t p = 1; p < count; ++p)
      EXPECT_EQ(open.gradient[p], 0.0) << open.parameters[p].name << " plays no part yet";
    EXPECT_NE(open.gradient[0], 0.0);
  }
}

// The steps of differences fall short where the square root begins: direct and dual numbers.
TEST(Edges, DragFromRest) {
  Model model = sledge("-m*v*abs(v)^0.5 - k*gap*sqrt(max(0, v - 5)) - e");
  model.analysis.formulation = "semi-recursive";
  model.analysis.integrator = "rk4";
  const Result direct = run_gradient(model, "direct");
  const Result dual = run_gradient(model, "dual");
  const Result adjoint = run_gradient(model, "adjoint");
  EXPECT_LT(largest_deviation(direct.gradient, dual.gradient, 4), 1e-10);
  EXPECT_LT(largest_deviation(direct.gradient, adjoint.gradient, 4), 1e-10);
}

// A length that vanishes has no derivative: the run fails, and says why.
TEST(Edges, NormOfZero) {
  Model model = sledge("-k*p");
  model.sensors.push_back({"base", "position", "sledge"});
  model.objectives = {{"distance", ObjectiveKind::integral, "norm(base)", "", ""}};
  for (const char* method : {"direct", "dual"}) {
    Options options;
    options.backend = "cpu:1";
    options.method = method;
    const Result r = gradient(model, options);
    ASSERT_FALSE(r.all_ok()) << method;
    EXPECT_NE(r.status[0].message.find("has no derivative where the motion passes"),
              std::string::npos)
        << r.status[0].message;
  }
}

// A line between two points at one place has no direction.
TEST(Edges, SpringsBetweenPointsAtOnePlaceAreNamed) {
  Model model = sledge("-k*p");
  model.ground.points["nail"] = {0, 0, 0};
  model.bodies[0].points["hook"] = {"gap - 0.02", 0, 0};
  model.joints[0].start = {{0.0, 0.0, false, false}};
  model.forces.push_back(make_spring("band", "ground.nail", "sledge.hook", "k", 1.0, 0.0));
  for (const char* formulation : {"ali3p", "index1", "semi-recursive", "fully-recursive"}) {
    model.analysis.formulation = formulation;
    test::expect_part(simulate(model).status[0].message,
                      "the points between which \"band\" acts coincide at the start");
  }
  model.parameters[3].value = 0.021;
  EXPECT_TRUE(simulate(model).all_ok());
}

}  // namespace
}  // namespace gradus::derivative
