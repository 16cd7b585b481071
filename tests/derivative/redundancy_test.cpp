// Loops and constraints that hold whatever the coordinates change nothing.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>

#include "gradus/error.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"

namespace gradus::derivative {
namespace {

// A door that turns about or slides along a skew axis through `low` and `top`, and its knob.
struct Door {
  std::array<double, 3> axis, low, top;
};

Door random_door(unsigned seed) {
  std::minstd_rand generator(seed);
  const auto draw = [&] {
    return 2.0 * static_cast<double>(generator()) / static_cast<double>(generator.max()) - 1.0;
  };
  Door door{};
  generator.discard(10);
  const double length = 0.5 + std::abs(draw());
  for (std::size_t k = 0; k < 3; ++k) {
    door.axis[k] = draw();
    door.low[k] = draw();
    door.top[k] = door.low[k] + length * door.axis[k];
  }
  return door;
}

Vector3 numbers(const std::array<double, 3>& v, double scale = 1.0) {
  return {scale * v[0], scale * v[1], scale * v[2]};
}

Model hung(const Door& door, JointType type, double scale = 1.0) {
  Model model;
  model.name = "door";
  model.gravity = {0, -9.81, 1};
  model.parameters = {make_parameter("m", 2.0), make_parameter("x", 0.25)};
  model.ground.points = {{"low", numbers(door.low, scale)}, {"top", numbers(door.top, scale)}};
  std::array<double, 3> up{};
  for (std::size_t k = 0; k < 3; ++k) up[k] = door.top[k] - door.low[k];
  model.bodies = {make_body("door", "m", {"x", 0.1, 0.3}, {0.1, 0.2, 0.15, 0, 0, 0},
                            {{"top", numbers(up, scale)}, {"corner", {0.3, 0.4, 0.1}}}),
                  make_body("knob", 0.5, {0.1, 0, 0}, {0.01, 0.01, 0.01, 0, 0, 0}, {})};
  model.joints = {
      make_guess("hinge", type, "ground.low", "door", numbers(door.axis), 0.3),
      make_joint("knob", JointType::revolute, "door.top", "knob", {1, 0.2, 0.3}, 0.1, 0.5)};
  model.sensors = {{"corner", "position", "door.corner"}, {"turn", "coordinate", "knob"}};
  model.objectives = {{"corner", ObjectiveKind::terminal, "dot(corner, [1, 2, 3])", "", ""},
                      {"turn", ObjectiveKind::integral, "turn^2", "", ""}};
  model.analysis.step = 0.005;
  model.analysis.duration = 0.1;
  return model;
}

Model with_second_joint(Model model, const Door& door, JointType type) {
  model.loops = {make_guess("second", type, "ground.top", "door.top", numbers(door.axis), 0)};
  model.loops[0].start.clear();
  return model;
}

// A distance that no motion about the axis changes.
Model with_distance(Model model) {
  Constraint distance;
  distance.name = "rod";
  distance.type = "distance";
  distance.first = "door.corner";
  distance.second = "ground.low";
  distance.value = "sqrt(0.26)";
  model.constraints = {distance};
  return model;
}

void expect_same_motion(const Model& plain, const Model& redundant) {
  for (const char* formulation : {"ali3p", "matrix-r", "index1", "penalty"})
    for (const char* method : {"direct", "adjoint"}) {
      SCOPED_TRACE(std::string(formulation) + ", " + method);
      Options options;
      options.formulation = formulation;
      const Result one = run_gradient(plain, method, options);
      const Result two = run_gradient(redundant, method, options);
      ASSERT_TRUE(two.all_ok());
      expect_equal_values(two, one, 1e-9);
      EXPECT_LT(largest_deviation(one.gradient, two.gradient, 2), 1e-8);
    }
}

TEST(Redundancy, SecondHingesAndSlides) {
  for (unsigned seed = 1; seed <= 6; ++seed)
    for (const JointType type : {JointType::revolute, JointType::prismatic}) {
      SCOPED_TRACE(seed);
      const Door door = random_door(seed);
      const Model plain = hung(door, type);
      expect_same_motion(plain, with_second_joint(plain, door, type));
    }
}

// All is exact along an axis of coordinates: nothing is left, not even round-off.
TEST(Redundancy, SecondHingeAlongAnAxis) {
  const Door door{{0, 0, 1}, {0, 0, 0}, {0, 0, 1}};
  const Model plain = hung(door, JointType::revolute);
  expect_same_motion(plain, with_second_joint(plain, door, JointType::revolute));
}

// What is left of the rows is round-off of the places in space, beside nothing that is not.
TEST(Redundancy, CoincidenceOfThePointOfAJoint) {
  for (unsigned seed = 1; seed <= 8; ++seed)
    for (const JointType type : {JointType::revolute, JointType::cardan}) {
      SCOPED_TRACE(seed);
      const Door door = random_door(seed);
      Model plain = hung(door, type);
      plain.bodies[0].points["pin"] = numbers(random_door(seed + 20).low);
      plain.joints[0].child = "door.pin";
      plain.joints[0].start.clear();
      Model redundant = plain;
      redundant.constraints = {{"pin", "coincident", "ground.low", "door.pin", 0}};
      EXPECT_EQ(describe(redundant).constraint_rank, describe(plain).constraint_rank);
      EXPECT_EQ(describe(redundant).degrees_of_freedom, describe(plain).degrees_of_freedom);
      expect_same_motion(plain, redundant);
    }
}

// Beside no other rows an expression holds however small it is stated.
TEST(Redundancy, IsNotWhatIsStatedSmall) {
  const Door door = random_door(2);
  Model model = hung(door, JointType::revolute);
  model.sensors.push_back({"opening", "coordinate", "hinge"});
  const auto held = [&](const std::string& factor) {
    Model m = model;
    m.constraints = {{"held", "expression", "", "", factor + "*(opening - 0.2 - t)"}};
    return m;
  };
  for (const char* formulation : {"ali3p", "matrix-r", "index1"}) {
    Options options;
    options.formulation = formulation;
    const Result one = simulate(held("1"), options);
    for (const char* factor : {"1e-8", "1e-14", "1e-20"}) {
      SCOPED_TRACE(std::string(formulation) + ", " + factor);
      EXPECT_EQ(describe(held(factor)).constraint_rank, 1U);
      const Result small = simulate(held(factor), options);
      ASSERT_TRUE(small.all_ok()) << small.status[0].message;
      expect_equal_values(small, one, 1e-9);
    }
  }
}

TEST(Redundancy, DistanceToTheAxis) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const Model plain = hung(random_door(seed), JointType::revolute);
    expect_same_motion(plain, with_distance(plain));
  }
}

// A second hinge that is not in line leaves no motion; designs of which only some are so fail
// alone.
TEST(Redundancy, HingesOutOfLineFail) {
  const Door door = random_door(3);
  Model model = with_second_joint(hung(door, JointType::revolute), door, JointType::revolute);
  model.parameters.push_back(make_parameter("tilt", 0.0));
  model.parameters.push_back(make_parameter("axis_x", door.axis[0]));
  (*model.loops[0].axis)[0] = "axis_x + tilt";
  for (const char* backend : {"cpu:1", "debug"}) {
    Options options;
    options.backend = backend;
    options.designs.values = {2.0,  0.25,         0.0, door.axis[0], 2.0, 0.25,
                              1e-3, door.axis[0], 2.1, 0.25,         0.0, door.axis[0]};
    const Result result = simulate(model, options);
    EXPECT_TRUE(result.status[0].ok && result.status[2].ok) << result.status[0].message;
    EXPECT_FALSE(result.status[1].ok);
  }
}

// Rows of a millionth of others could be redundant, or be what holds a mechanism of micrometres.
TEST(Redundancy, RefusesWhatItCannotTell) {
  Model model = with_distance(hung(random_door(2), JointType::revolute));
  model.joints[0].start[0].position_is_guess = true;
  model.constraints[0].first = "door.corner";
  model.constraints[0].second = "ground.side";
  model.ground.points["side"] = {0.5, -0.4, 0.8};
  model.constraints[0].value = 0.9;
  EXPECT_NO_THROW(Mechanism{model});
  Constraint small;
  small.name = "small";
  small.type = "expression";
  small.value = "1e-8*(turn - 0.1)";
  model.joints[1].start[0].position_is_guess = true;
  model.constraints.push_back(small);
  try {
    const Mechanism mechanism(model);
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("scales are too far apart"), std::string::npos)
        << error.what();
  }
}

// A four-bar `size` times as large, in gravity as many times as strong: its angles are the same.
Model four_bar(double size) {
  const auto bar = [&](const std::string& name, double length) {
    const double inertia = 0.1 * size * size;
    return make_body(name, 1.0, {0.5 * length, 0, 0}, {0.1 * inertia, inertia, inertia, 0, 0, 0},
                     {{"tip", {length, 0, 0}}});
  };
  const double drive = 0.7, swing = 1.2;
  const double along = 3.0 + 2.0 * std::cos(swing) - std::cos(drive);
  const double up = 2.0 * std::sin(swing) - std::sin(drive);
  Model model;
  model.name = "four-bar";
  model.gravity = {0, -9.81 * size, 0};
  model.parameters = {make_parameter("m", 1.0), make_parameter("rate", 1.0)};
  model.ground.points = {{"A", {0, 0, 0}}, {"B", {3.0 * size, 0, 0}}};
  model.bodies = {bar("crank", size), bar("rocker", 2.0 * size),
                  bar("rod", std::hypot(along, up) * size)};
  model.bodies[0].mass = "m";
  model.joints = {
      make_joint("drive", JointType::revolute, "ground.A", "crank", {0, 0, 1}, drive, "rate"),
      make_guess("swing", JointType::revolute, "ground.B", "rocker", {0, 0, 1}, swing),
      make_guess("link", JointType::revolute, "crank.tip", "rod", {0, 0, 1},
                 std::atan2(up, along) - drive)};
  Joint pin = make_guess("pin", JointType::revolute, "rod.tip", "rocker.tip", {0, 0, 1}, 0);
  pin.start.clear();
  model.loops = {pin};
  model.sensors = {{"turn", "coordinate", "drive"}};
  model.objectives = {{"turned", ObjectiveKind::terminal, "turn", "", ""}};
  model.analysis.duration = 0.5;
  model.analysis.step = 0.002;
  return model;
}

// A crank and a rod whose end keeps its distance from a point of the ground, as a constraint or as
// an expression.
Model tied_rod(double size, bool by_expression) {
  Model model = four_bar(size);
  model.loops.clear();
  model.bodies.erase(model.bodies.begin() + 1);
  model.joints.erase(model.joints.begin() + 1);
  Constraint tie;
  tie.name = "tie";
  tie.type = "distance";
  tie.first = "rod.tip";
  tie.second = "ground.C";
  tie.value = 2.0 * size;
  model.ground.points["C"] = {3.0 * size, 0, 0};
  if (by_expression) {
    model.sensors.push_back({"gap", "distance", "rod.tip", "ground.C"});
    tie.type = "expression";
    tie.first = tie.second = "";
    tie.value = "gap - " + std::to_string(2.0 * size);
  }
  model.constraints = {tie};
  return model;
}

void expect_same_in_units(const std::function<Model(double)>& make, double largest) {
  for (const char* formulation : {"ali3p", "matrix-r", "index1"}) {
    Options options;
    options.formulation = formulation;
    const Result expected = run_gradient(make(1.0), "direct", options);
    ASSERT_TRUE(expected.all_ok());
    EXPECT_GT(std::abs(expected.gradient[0]), 1e-3);
    for (const double size : {1e-3, 1e3, largest}) {
      SCOPED_TRACE(std::string(formulation) + ", " + std::to_string(size));
      const Result result = run_gradient(make(size), "direct", options);
      ASSERT_TRUE(result.all_ok()) << result.status[0].message;
      expect_equal_values(result, expected, 1e-8);
      EXPECT_LT(largest_deviation(result.gradient, expected.gradient, 1), 1e-7);
    }
  }
}

TEST(Redundancy, IsSeenInMachinesOfAnySize) {
  expect_same_in_units(four_bar, 1e5);
}

TEST(Redundancy, OfConstraintsIsSeenInMachinesOfAnySize) {
  for (const bool by_expression : {false, true}) {
    SCOPED_TRACE(by_expression);
    expect_same_in_units([&](double size) { return tied_rod(size, by_expression); }, 1e6);
  }
}

}  // namespace
}  // namespace gradus::derivative
