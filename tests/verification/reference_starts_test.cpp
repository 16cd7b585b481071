// Where motions in reference-point coordinates begin: on the same branch as in the coordinates of
// joints, or nowhere.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "gradus/gradus.hpp"
#include "src/model/joint_types.hpp"
#include "tests/support/messages.hpp"

namespace gradus {
namespace {

Options in(const std::string& coordinates) {
  Options options;
  options.backend = "cpu:1";
  options.coordinates = coordinates;
  return options;
}

std::string refusal_of(const Model& model, const std::string& coordinates) {
  try {
    const Result result = simulate(model, in(coordinates));
    return result.all_ok() ? "ok" : result.status[0].message;
  } catch (const InputError& error) {
    return error.what();
  }
}

// A body whose direction `turned` of the joint turns with p.
Model of_joint(const std::string& type, const std::string& turned, const std::string& rest) {
  const std::string direction =
      turned == "child_axis" ? "[\"cos(p)\", \"sin(p)\", 0]" : "[0, \"-sin(p)\", \"cos(p)\"]";
  return parse_model(
      R"({"schema": "gradus-model/1", "name": "turned", "gravity": [1, 2, -9.81],
    "parameters": {"p": 0.1},
    "bodies": {"a": {"mass": 1, "com": [0.2, 0.3, 0.1], "inertia": {"xx": 0.1, "yy": 0.12, "zz": 0.13}}},
    "joints": {"A": {"type": ")" +
      type + R"(", "parent": "ground", "child": "a", "axis": [1, 0, 0], "zero": [0, 0, 1], ")" +
      turned + "\": " + direction + rest + R"(}},
    "sensors": {"r": {"position": "a.com"}},
    "objectives": {"x": {"terminal": "r.x"}, "y": {"terminal": "r.y"}, "z": {"terminal": "r.z"}},
    "analysis": {"duration": 0.2, "formulation": "index1", "integrator": "dop853", "rtol": 1e-9}})");
}

// Rows that say that directions are perpendicular hold of opposite ones, too.
TEST(ReferenceStarts, AreThoseOfDirectionsThatAreTheSame) {
  const std::string moves = R"(, "initial": {"position": 0.3, "velocity": 1})";
  const std::string moves_twice = R"(, "initial": {"position": [0.3, 0.1], "velocity": [1, 2]})";
  for (const Model& model :
       {of_joint("revolute", "child_axis", R"(, "child_zero": [0, 0, 1])" + moves),
        of_joint("cylindrical", "child_axis", R"(, "child_zero": [0, 0, 1])" + moves_twice),
        of_joint("prismatic", "child_axis", R"(, "child_zero": [0, 0, 1])" + moves),
        of_joint("prismatic", "child_zero", moves), of_joint("fixed", "child_zero", "")}) {
    SCOPED_TRACE(std::string(name_of(model.joints[0].type)));
    Options options = in("joint");
    options.designs.count = 7;
    options.designs.values = {0.1, 1.0, 1.7, 2.0, 3.0, 3.1, -2.5};
    const Result expected = simulate(model, options);
    options.coordinates = "reference-point";
    const Result result = simulate(model, options);
    ASSERT_TRUE(expected.all_ok());
    ASSERT_TRUE(result.all_ok()) << result.status[0].message;
    for (std::size_t k = 0; k < expected.objective_values.size(); ++k)
      EXPECT_NEAR(result.objective_values[k], expected.objective_values[k], 1e-7) << k;
  }
}

// Turns would be counted from where the search gave up.
TEST(ReferenceStarts, AreClosedInTheCoordinatesOfJoints) {
  const auto driven_to = [](const std::string& angle) {
    return parse_model(R"({"schema": "gradus-model/1", "name": "far",
      "bodies": {"a": {"mass": 1, "com": [0.2, 0, 0], "inertia": {"xx": 0.01, "yy": 0.02, "zz": 0.02}}},
      "joints": {"A": {"type": "revolute", "parent": "ground", "child": "a"}},
      "constraints": {"driver": {"coordinate": "A", "value": ")" +
                       angle + R"( + t"}},
      "sensors": {"q": {"coordinate": "A"}},
      "objectives": {"q": {"terminal": "q"}}, "analysis": {"duration": 0.1}})");
  };
  const Result near = simulate(driven_to("30"), in("reference-point"));
  ASSERT_TRUE(near.all_ok());
  EXPECT_NEAR(near.objective_values[0], 30.1, 1e-6);
  test::expect_part(refusal_of(driven_to("100"), "joint"), "cannot be closed");
  test::expect_part(refusal_of(driven_to("100"), "reference-point"),
                    "cannot be closed where the model's own start is looked for");
}

// Two held angles of a parallelogram, which fit.
TEST(ReferenceStarts, HoldNoMoreThanIsFree) {
  const auto with = [](const std::string& follower) {
    return parse_model(R"({"schema": "gradus-model/1", "name": "parallelogram",
      "ground": {"points": {"B": [2, 0, 0]}},
      "bodies": {
        "crank": {"mass": 1, "com": [0.5, 0, 0], "inertia": {"xx": 0.01, "yy": 0.1, "zz": 0.1}, "points": {"tip": [1, 0, 0]}},
        "rocker": {"mass": 1, "com": [0.5, 0, 0], "inertia": {"xx": 0.01, "yy": 0.1, "zz": 0.1}, "points": {"tip": [1, 0, 0]}},
        "rod": {"mass": 1, "com": [1, 0, 0], "inertia": {"xx": 0.01, "yy": 0.3, "zz": 0.3}, "points": {"tip": [2, 0, 0]}}},
      "joints": {
        "A": {"type": "revolute", "parent": "ground", "child": "crank", "initial": {"position": 0.6, "velocity": 1}},
        "P": {"type": "revolute", "parent": "crank.tip", "child": "rod", "initial": {"position": {"guess": -0.6}}},
        "B": {"type": "revolute", "parent": "ground.B", "child": "rocker", "initial": )" +
                       follower + R"(}},
      "loops": {"C": {"type": "revolute", "parent": "rod.tip", "child": "rocker.tip"}},
      "analysis": {"duration": 0.01}})");
  };
  const Model held = with(R"({"position": 0.6, "velocity": 1})");
  const Model guessed = with(R"({"position": {"guess": 0.6}})");
  EXPECT_EQ(refusal_of(guessed, "reference-point"), "ok");
  test::expect_part(refusal_of(held, "joint"), "determine more coordinates than are left to them");
  test::expect_part(refusal_of(held, "reference-point"),
                    "found 2 start values that are held, more than motions are free (1)");
}

// Nothing tells then how many coordinates the constraints leave free.
TEST(Starts, WhereNumbersOverflowAreRefused) {
  for (const char* length : {"1e160", "-1e308"}) {
    const Model model = parse_model(R"({"schema": "gradus-model/1", "name": "overflow",
      "ground": {"points": {"C": [0.4, 0, 0]}},
      "bodies": {
        "a": {"mass": 1, "com": [0.1, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}, "points": {"P": [0.1, 0.3, 0]}},
        "b": {"mass": 1, "com": [0, 0, 0.1], "inertia": {"xx": 1, "yy": 1, "zz": 1}, "points": {"P": [)" +
                                    std::string(length) + R"(, 0.3, -0.2]}},
        "c": {"mass": 1, "com": [0, 0, 0.1], "inertia": {"xx": 1, "yy": 1, "zz": 1}, "points": {"C": [0.1, 0, -0.2]}}},
      "joints": {
        "j1": {"type": "revolute", "parent": "a.P", "child": "b", "axis": [0.2, 0.3, -0.3]},
        "j2": {"type": "cylindrical", "parent": "b.P", "child": "c", "axis": [0.7, -0.4, 0.3]}},
      "states": {"y": {"rate": "1 - y", "initial": 0}},
      "constraints": {"d": {"distance": ["ground.C", "c.C"], "value": 0.5}}})");
    EXPECT_NE(refusal_of(model, "joint"), "ok") << length;
    EXPECT_NE(refusal_of(model, "reference-point"), "ok") << length;
  }
}

}  // namespace
}  // namespace gradus
