// Motions and gradients in reference-point coordinates beside those in the coordinates of joints.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "gradus/gradus.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/joint_friction.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/source_path.hpp"

namespace gradus {
namespace {

using derivative::make_joint;
using derivative::make_parameter;

Model with_exact_steps(Model m, double duration) {
  derivative::use_exact_steps(m, duration);
  return m;
}

Result run(const Model& m, const std::string& coordinates, const std::string& method = "direct") {
  Options options;
  options.backend = "cpu:1";
  options.method = method;
  options.coordinates = coordinates;
  Result result = gradient(m, options);
  EXPECT_TRUE(result.all_ok()) << coordinates << ": " << result.status[0].message;
  return result;
}

// Relative to the largest entry of a row; returns the largest deviation of a gradient.
double expect_same(const Model& m, double tolerance) {
  const Result joint = run(m, "joint");
  const Result own = run(m, "reference-point");
  if (!joint.all_ok() || !own.all_ok()) return NAN;
  for (std::size_t k = 0; k < joint.objective_values.size(); ++k)
    EXPECT_NEAR(own.objective_values[k], joint.objective_values[k],
                tolerance * (1 + std::abs(joint.objective_values[k])))
        << joint.objectives[k].name;
  if (joint.parameters.empty()) return 0.0;
  const double worst =
      derivative::largest_deviation(joint.gradient, own.gradient, joint.parameters.size());
  EXPECT_LT(worst, tolerance);
  return worst;
}

class EveryModel : public testing::TestWithParam<std::pair<const char*, double>> {};

TEST_P(EveryModel, MovesTheSame) {
  const auto [path, duration] = GetParam();
  const Model m = read_model(source_path("models/" + std::string(path) + ".json"));
  expect_same(with_exact_steps(m, duration), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(
    ReferencePoints, EveryModel,
    testing::Values(std::pair("five-bar/five-bar", 1.0),
                    std::pair("slider-crank/slider-crank", 1.0),
                    std::pair("slider-crank/slider-crank-spring", 1.0),
                    std::pair("flyball-governor/flyball-governor", 0.5),
                    std::pair("inverted-pendulum/inverted-pendulum", 0.5),
                    std::pair("inverted-pendulum/inverted-pendulum-gonthier", 0.2),
                    std::pair("co-design-slider-crank/co-design-slider-crank", 0.3),
                    std::pair("stewart-platform/stewart-platform", 0.02)));

Model of_random_joints(Model m) {
  const std::string last = m.bodies.back().name;
  m.parameters = {make_parameter("more", 0.1), make_parameter("pull", 1.0)};
  m.bodies.back().mass = std::to_string(m.bodies.back().mass.value()) + " + more";
  m.forces.push_back({"pull", "force", {{"at", last + ".p1"}, {"components", {"pull", 0, 1}}}});
  m.sensors.push_back({"far", "position", last + ".p1"});
  m.sensors.push_back({"fast", "velocity", last + ".p1"});
  m.objectives = {{"all", ObjectiveKind::integral, "dot(fast, fast) + far.x", "", ""},
                  {"end", ObjectiveKind::terminal, "dot(far, [1, 2, 3]) + dot(fast, far)", "", ""}};
  return with_exact_steps(std::move(m), 0.1);
}

TEST(ReferencePoints, MoveRandomTreesTheSame) {
  for (unsigned seed = 0; seed < 13; ++seed) {
    SCOPED_TRACE(seed);
    const int bodies = 3 + static_cast<int>(seed);
    expect_same(of_random_joints(test::random_tree_of_all_joints(seed, bodies).model), 1e-7);
  }
}

TEST(ReferencePoints, MoveRandomLoopsTheSame) {
  using Type = oracle::JointType;
  constexpr Type cuts[] = {Type::kRevolute,    Type::kPrismatic, Type::kUniversal,
                           Type::kCylindrical, Type::kSpherical, Type::kPlanar};
  int refused = 0;
  for (unsigned seed = 0; seed < 36; ++seed) {
    SCOPED_TRACE(seed);
    const auto pair = test::random_loop_of_all_joints(seed, 4 + static_cast<int>(seed % 6),
                                                      cuts[seed % std::size(cuts)]);
    try {
      expect_same(of_random_joints(pair.model), 1e-7);
    } catch (const InputError& error) {
      test::expect_part(error.what(), "a part of the orientation");
      ++refused;
    }
  }
  EXPECT_LE(refused, 24);
}

// By start values of joints of every kind, among all other numbers, and by what coordinates of
// joints show.
TEST(ReferencePoints, BeginWhereJointsBegin) {
  Model m = derivative::parametrise_all(derivative::every_joint());
  std::erase_if(m.sensors, [](const Sensor& s) { return s.type == "coordinate_acceleration"; });
  m.objectives.clear();
  for (const Joint& joint : m.joints) {
    if (joint.type == JointType::fixed) continue;
    const std::string name = "of_" + joint.name;
    m.sensors.push_back({name, "coordinate", joint.name});
    m.sensors.push_back({name + "_rate", "rate", joint.name});
    std::string sum = "0";
    const std::size_t count = joint.start.size();
    for (std::size_t k = 0; k < count; ++k) {
      const std::string component = count == 1   ? ""
                                    : count == 3 ? std::string(".") + "xyz"[k]
                                                 : "." + std::to_string(k);
      sum += " + " + std::to_string(k + 1) + "*" + name + component + " + 0.3*" + name + "_rate" +
             component;
    }
    m.objectives.push_back({joint.name, ObjectiveKind::terminal, sum, "", ""});
  }
  m.sensors.push_back({"start", "position", "arm.tip"});
  m.objectives.push_back({"there", ObjectiveKind::terminal, "dot(start, [1, 2, 3])", "", ""});
  expect_same(with_exact_steps(std::move(m), 0.05), 1e-7);
}

// A wheel that turns by some turns, against a torsional spring and a controller, seen by sensors.
Model wheel() {
  Model m;
  m.gravity = {0, -3, 0};
  Body wheel;
  wheel.name = "wheel";
  wheel.mass = 0.7;
  wheel.com = {0.1, 0.02, 0};
  wheel.inertia = {0.02, 0.03, 0.04, 0, 0, 0, "com"};
  Body flap = wheel;
  flap.name = "flap";
  flap.points = {{"hinge", {-0.2, 0, 0.1}}};
  wheel.points = {{"rim", {0.3, 0, 0}}};
  m.bodies = {wheel, flap};
  m.joints = {
      make_joint("axle", JointType::revolute, "ground", "wheel", {0, 0.2, 1}, "begin", 21),
      make_joint("hinge", JointType::revolute, "wheel.rim", "flap.hinge", {0, 0.3, 1}, -4.0, -17)};
  m.parameters = {make_parameter("k", 0.02), make_parameter("begin", 2.5),
                  make_parameter("p", 0.3)};
  m.sensors = {{"turned", "coordinate", "axle"}, {"bent", "coordinate", "hinge"},
               {"pace", "rate", "axle"},         {"spring", "applied_torque", "spring"},
               {"given", "power", "spring"},     {"energy", "energy", "total"}};
  m.forces = {
      {"spring",
       "torsional-spring-damper",
       {{"joint", "axle"}, {"stiffness", "k"}, {"angle", 12.0}, {"damping", 0.01}}},
      {"servo",
       "pid-controller",
       {{"joint", "hinge"}, {"target", "0.1*turned"}, {"proportional", "p"}, {"integral", 0.2}}},
      {"drag", "rotary-damper", {{"joint", "hinge"}, {"linear", 0.01}}},
      {"push", "joint-force", {{"joint", "axle"}, {"value", "0.1*cos(3*t) - 0.02*bent"}}}};
  m.objectives = {{"turned", ObjectiveKind::terminal, "turned", "", ""},
                  {"bent", ObjectiveKind::terminal, "bent", "", ""},
                  {"sum", ObjectiveKind::integral, "turned^2 + bent + pace", "", ""},
                  {"torque", ObjectiveKind::integral, "spring + given", "", ""},
                  {"energy", ObjectiveKind::terminal, "energy", "", ""}};
  return with_exact_steps(std::move(m), 1.5);
}

TEST(ReferencePoints, CountTurns) {
  const Model m = wheel();
  const Result joint = run(m, "joint");
  EXPECT_GT(std::abs(joint.objective_values[0]), 2 * std::acos(-1.0));
  EXPECT_GT(std::abs(joint.objective_values[1]), 4 * std::acos(-1.0));
  expect_same(m, 1e-7);
}

TEST(ReferencePoints, AreDrivenThroughTurns) {
  Model m = wheel();
  m.joints[0].start[0].position_is_guess = true;
  m.constraints = {{"drive", "coordinate", "axle", "", "begin + 20*t + k*t^2"}};
  m.sensors.push_back({"effort", "constraint_force", "drive"});
  m.objectives.push_back({"effort", ObjectiveKind::integral, "effort", "", ""});
  expect_same(m, 1e-7);
}

TEST(ReferencePoints, HaveTheSameGradientsByEveryMethod) {
  std::vector<Model> models = {wheel()};
  models.push_back(with_exact_steps(
      read_model(source_path("models/co-design-slider-crank/co-design-slider-crank.json")), 0.1));
  for (Model m : models) {
    m.analysis.integrator = "rk4";
    m.analysis.duration = 0.02;
    m.analysis.step = 1e-3;
    for (const char* formulation : {"index1", "matrix-r", "ali3p", "penalty"}) {
      SCOPED_TRACE(formulation);
      m.analysis.formulation = formulation;
      m.analysis.integrator = formulation == std::string("ali3p") ? "" : "rk4";
      const Result direct = run(m, "reference-point");
      for (const char* method : {"adjoint", "dual"}) {
        const Result other = run(m, "reference-point", method);
        EXPECT_LT(derivative::largest_deviation(direct.gradient, other.gradient,
                                                direct.parameters.size()),
                  1e-9)
            << method;
      }
    }
  }
}

TEST(ReferencePoints, HaveTheSameBitsInLanesAndOnDevices) {
  Model m = wheel();
  m.analysis.duration = 0.05;
  m.analysis.coordinates = "reference-point";
  for (const char* formulation : {"index1", "ali3p"}) {
    SCOPED_TRACE(formulation);
    Options options;
    options.formulation = formulation;
    options.integrator = formulation == std::string("index1") ? "dop853" : "newmark";
    options.step = 1e-3;
    options.designs.count = 11;
    options.designs.spread = 0.1;
    derivative::expect_same_bits_everywhere(m, options);
  }
}

// Poses and counts of the nominal design are where other designs begin to look for theirs.
TEST(ReferencePoints, FollowOtherDesigns) {
  Options options;
  options.backend = "cpu:1";
  options.designs.count = 12;
  options.designs.spread = 0.3;
  for (const Model& m :
       {wheel(), with_exact_steps(read_model(source_path("models/five-bar/five-bar.json")), 0.5)}) {
    options.coordinates = "joint";
    const Result joint = gradient(m, options);
    options.coordinates = "reference-point";
    const Result own = gradient(m, options);
    ASSERT_TRUE(joint.all_ok() && own.all_ok());
    for (std::size_t k = 0; k < joint.objective_values.size(); ++k)
      EXPECT_NEAR(own.objective_values[k], joint.objective_values[k],
                  1e-7 * (1 + std::abs(joint.objective_values[k])));
    EXPECT_LT(derivative::largest_deviation(joint.gradient, own.gradient, joint.parameters.size()),
              1e-6);
  }
}

// The start of a joint that is free of the mechanism is guessed in the tree, and held there.
TEST(ReferencePoints, HoldWhatTheTreeHolds) {
  Model m = of_random_joints(test::random_tree_of_all_joints(3, 6).model);
  for (Joint& joint : m.joints)
    for (CoordinateStart& start : joint.start) start.position_is_guess = true;
  expect_same(m, 1e-7);
}

// Bodies that nothing connects with the ground begin where guesses of zero have them.
TEST(ReferencePoints, HoldFreeBodies) {
  Model m = wheel();
  Body first = m.bodies[0], second = m.bodies[1];
  first.name = "free";
  second.name = "tied";
  m.bodies.push_back(first);
  m.bodies.push_back(second);
  m.joints.push_back(make_joint("ball", JointType::spherical, "free.rim", "tied.hinge", {0, 0, 1}));
  m.joints.back().axis.reset();
  m.joints.back().start = {{0.9, 0, false, false},
                           {0.2, 1.0, false, false},
                           {-0.2, 0.7, false, false},
                           {0.1, -0.4, false, false}};
  m.sensors.push_back({"there", "position", "tied"});
  m.objectives.push_back({"there", ObjectiveKind::terminal, "dot(there, [1, 2, 3])", "", ""});
  m.forces.push_back({"pull", "force", {{"at", "tied"}, {"components", {"k", "p", 0.1}}}});
  m.analysis.duration = 0.5;
  expect_same(m, 1e-7);
}

// Nothing ties them but the lengths of their Euler parameters, and how they start.
TEST(ReferencePoints, MoveBodiesThatNothingTies) {
  const std::vector<CoordinateStart> start = {{0.1, 0.2, false, false},  {"p", 0, false, false},
                                              {-0.2, 0.1, false, false}, {0.9, 0, false, false},
                                              {0.2, 1.0, false, false},  {-0.2, 0.7, false, false},
                                              {0.1, -0.4, false, false}};
  Model m = wheel();
  m.forces = {{"pull", "force", {{"at", "flap.hinge"}, {"components", {"k", "p", 0.1}}}}};
  m.sensors = {{"there", "position", "flap.hinge"}};
  m.objectives = {{"there", ObjectiveKind::terminal, "dot(there, [1, 2, 3])", "", ""},
                  {"way", ObjectiveKind::integral, "there.x^2 + begin*there.y", "", ""}};
  m.joints = {make_joint("air", JointType::floating, "ground", "wheel", {0, 0, 1}),
              make_joint("gap", JointType::floating, "wheel.rim", "flap", {0, 0, 1})};
  for (Joint& joint : m.joints) {
    joint.axis.reset();
    joint.start = start;
  }
  m.analysis.duration = 0.3;
  expect_same(m, 1e-7);
}

TEST(ReferencePoints, PushFloatingJointsBetweenBodies) {
  Model m = wheel();
  Body loose = m.bodies[0];
  loose.name = "loose";
  m.bodies.push_back(loose);
  m.joints.push_back(make_joint("gap", JointType::floating, "wheel.rim", "loose", {0, 0, 1}));
  m.joints.back().axis.reset();
  m.joints.back().start = {{0.1, 0.2, false, false},  {"p", 0, false, false},
                           {-0.2, 0.1, false, false}, {0.9, 0, false, false},
                           {0.2, 1.0, false, false},  {-0.2, 0.7, false, false},
                           {0.1, -0.4, false, false}};
  m.forces.push_back({"shove", "joint-force", {{"joint", "gap.0"}, {"value", "k + 0.1*t"}}});
  m.forces.push_back({"hold",
                      "torsional-spring-damper",
                      {{"joint", "gap.1"}, {"stiffness", 3}, {"angle", 0.2}, {"damping", 0.1}}});
  m.sensors.push_back({"there", "position", "loose"});
  m.objectives.push_back({"there", ObjectiveKind::terminal, "dot(there, [1, 2, 3])", "", ""});
  m.analysis.duration = 0.3;
  expect_same(m, 1e-7);
}

// Guesses begin where the nominal design was assembled, so that nothing answers to parameters in
// them.
TEST(ReferencePoints, DoNotAnswerToGuesses) {
  Model m = wheel();
  m.parameters.push_back(make_parameter("guess", 0.4));
  m.joints[0].start = {{"guess", 1.0, true, true}};
  m.joints[1].start = {{"2*guess", "k", true, true}};
  m.sensors.push_back({"rim", "position", "wheel.rim"});
  m.sensors.push_back({"end", "position", "flap"});
  m.constraints = {{"tie", "expression", "", "", "rim.y + 0.3*end.y - 0.2*p - 0.02*t"}};
  m.analysis.duration = 0.2;
  expect_same(m, 1e-7);
  const Result direct = run(m, "joint");
  for (const char* method : {"adjoint", "dual"}) {
    const Result other = run(m, "joint", method);
    EXPECT_LT(
        derivative::largest_deviation(direct.gradient, other.gradient, direct.parameters.size()),
        1e-9)
        << method;
  }
  EXPECT_EQ(direct.gradient[direct.parameters.size() - 1], 0.0);
}

TEST(ReferencePoints, StartFromAnEquilibrium) {
  Model m = wheel();
  m.start = "equilibrium";
  m.joints[0].start = {{0.2, 0, false, false}};
  m.joints[1].start = {{0.1, 0, false, false}};
  std::erase_if(m.forces, [](const Force& f) { return f.name == "servo" || f.name == "push"; });
  m.forces.push_back({"hold",
                      "torsional-spring-damper",
                      {{"joint", "hinge"}, {"stiffness", "p + 2"}, {"angle", 0.3}}});
  m.forces[0].values["stiffness"] = "k + 4";
  m.forces.push_back({"kick", "force", {{"at", "flap"}, {"components", {"sin(9*t)", 0, 0}}}});
  expect_same(m, 1e-7);
}

// Bodies, coordinates, equations with those of Euler parameters, degrees of freedom, as the paper
// counts them.
TEST(ReferencePoints, CountEquationsAsPublished) {
  struct Count {
    const char* path;
    std::size_t coordinates, equations, freedom;
  };
  for (const Count& count : {Count{"inverted-pendulum/inverted-pendulum", 14, 9, 5},
                             Count{"flyball-governor/flyball-governor", 42, 40, 2},
                             Count{"co-design-slider-crank/co-design-slider-crank", 21, 20, 1}}) {
    SCOPED_TRACE(count.path);
    Model m = read_model(source_path("models/" + std::string(count.path) + ".json"));
    m.analysis.coordinates = "reference-point";
    const Description d = describe(m);
    EXPECT_EQ(d.coordinate_kind, "reference-point");
    EXPECT_EQ(d.coordinates - m.states.size(), count.coordinates);
    EXPECT_EQ(d.constraint_rank, count.equations);
    EXPECT_EQ(d.degrees_of_freedom - m.states.size(), count.freedom);
    std::size_t equations = 0;
    for (const auto& loop : d.loops) equations += loop.equations;
    for (const auto& constraint : d.constraints)
      equations +=
          constraint.constraint.find("start") == std::string::npos ? constraint.equations : 0;
    EXPECT_EQ(equations, d.constraint_equations);
    EXPECT_EQ(d.independent_coordinates.size(), count.freedom + m.states.size());
  }
}

TEST(ReferencePoints, RefuseWhatTheyCannotSay) {
  Model m = wheel();
  m.sensors.push_back({"more", "coordinate_acceleration", "axle"});
  m.analysis.coordinates = "reference-point";
  test::expect_part(test::failure_of(m), "no accelerations of their own");
  m.sensors.pop_back();
  m.sensors.push_back({"load", "reaction_moment", "axle"});
  test::expect_part(test::failure_of(m), "the force \"spring\" is a part of this reaction");
  m.sensors.pop_back();
  m.joints[0].start[0].position_is_guess = true;
  m.constraints = {{"gear", "expression", "", "", "turned + 1.2*bent - begin + 4.8"}};
  test::expect_part(test::failure_of(m), "constraints know no angles of joints");
  m.constraints.clear();
  m.analysis.coordinates = "natural";
  test::expect_part(test::failure_of(m), "reference-point");
}

}  // namespace
}  // namespace gradus
