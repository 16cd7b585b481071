// Drawings: what bodies have in common says how they are joined.
#include "gradus/drawing.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "gradus/gradus.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/nominal.hpp"
#include "tests/unit/model/model_texts.hpp"

namespace gradus {
namespace {

// Bodies "a" and "b" in a drawing with a few of everything; `rest` are further sections.
std::string two_bodies(const std::string& a, const std::string& b,
                       const std::string& rest = R"("joints": {})") {
  const std::string body = R"("mass": 1, "com": [1, 2, 3], "inertia": {"xx": 1, "yy": 1, "zz": 1})";
  return R"json({"schema": "gradus-model/1", "name": "two", "parameters": {"p": 0.5},
    "drawing": {
      "points": {"O": [0, 0, 0], "A": [1, "p", 0], "B": "A + [1, 0, 0]", "C": [0, 2, 1],
                 "M": "(A + B)/2", "O_again": [0, 0, 0], "near": [2, "p + 2e-5", 0],
                 "meets": [2, "1 - p", 0], "cubed": [2, "p + (p - 0.5)^3", 0], "limited": [2, "p + max(0, p - 1)", 0],
                 "third": ["0.1*3", 0, 0], "third_again": [0.3, 0, 0], "beside": [0.3, 1e-4, 0],
                 "hovers": [1, "p", 1e-4]},
      "vectors": {"x": [2, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1], "minus_x": [-1, 0, 0],
                  "skew": [1, "p", 0], "tiny": [0, 1e-9, 0], "turns": [1, "p - 0.5", 0]},
      "lines": {"l": {"through": "A", "along": [3, 0, 0]}, "m": {"through": "C", "along": "x"},
                "k": {"through": "A", "along": "y"}, "axis": {"through": "third_again", "along": "x"}},
      "planes": {"floor": {"through": "O", "normal": "z"}, "wall": {"through": "O", "normal": "x"},
                 "across": {"through": "B", "normal": "x"}, "deck": {"through": "A", "normal": "z"}}},
    "bodies": {"a": {)json" +
         body + ", \"drawn\": [" + a + "]}, \"b\": {" + body + ", \"drawn\": [" + b + "]}}, " +
         rest + "}";
}

std::string two_with(const std::string& shared) {
  return two_bodies(shared, shared);
}

struct Shared {
  const char* names;
  JointType type;
  std::vector<double> axis;  // empty: any
};

std::vector<double> axis_of(const Joint& joint, const Model& model) {
  NominalValues values(model, "model");
  const std::array<double, 3> axis = values.value(joint.axis.value(), "axis");
  const double norm = std::hypot(axis[0], axis[1], axis[2]);
  return {axis[0] / norm, axis[1] / norm, axis[2] / norm};
}

TEST(Drawings, JointsLeaveWhatIsInCommonWhereItIs) {
  const std::vector<Shared> all{
      {R"("A")", JointType::spherical, {}},
      {R"("O", "O_again")", JointType::spherical, {}},
      {R"("third", "third_again")", JointType::spherical, {}},
      {R"("third", "axis")", JointType::revolute, {1, 0, 0}},
      {R"("A", "z")", JointType::revolute, {0, 0, 1}},
      {R"("A", "B")", JointType::revolute, {1, 0, 0}},
      {R"("B", "A", "M")", JointType::revolute, {-1, 0, 0}},
      {R"("A", "B", "x", "minus_x", "l")", JointType::revolute, {1, 0, 0}},
      {R"("M", "l")", JointType::revolute, {1, 0, 0}},
      {R"("A", "deck")", JointType::revolute, {0, 0, 1}},
      {R"("hovers", "floor")", JointType::revolute, {0, 0, 1}},
      {R"("l", "across")", JointType::revolute, {1, 0, 0}},
      {R"("l")", JointType::cylindrical, {1, 0, 0}},
      {R"("l", "x")", JointType::cylindrical, {1, 0, 0}},
      {R"("floor")", JointType::planar, {0, 0, 1}},
      {R"("floor", "z", "deck")", JointType::planar, {0, 0, 1}},
      {R"("l", "y")", JointType::prismatic, {1, 0, 0}},
      {R"("l", "m")", JointType::prismatic, {1, 0, 0}},
      {R"("floor", "wall")", JointType::prismatic, {0, 1, 0}},
      {R"("l", "deck")", JointType::prismatic, {1, 0, 0}},
      {R"("A", "C", "O")", JointType::fixed, {}},
      {R"("A", "x", "y")", JointType::fixed, {}},
      {R"("l", "k")", JointType::fixed, {}},
      {R"("l", "y", "across")", JointType::fixed, {}},
      {R"("C", "l")", JointType::fixed, {}},
  };
  for (const Shared& shared : all) {
    SCOPED_TRACE(shared.names);
    const Model model = parse_model(two_with(shared.names));
    ASSERT_EQ(model.joints.size(), 1u);
    const Joint& joint = model.joints[0];
    EXPECT_EQ(name_of(joint.type), name_of(shared.type));
    EXPECT_EQ(joint.name, "a-b");
    EXPECT_EQ(joint.parent.substr(1), joint.child.substr(1));
    if (shared.axis.empty()) continue;
    const std::vector<double> axis = axis_of(joint, model);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(axis[k], shared.axis[k], 1e-12);
  }
}

// A revolute joint is on its axis, and a spherical one at its point.
TEST(Drawings, JointsArePlacedOnTheirAxes) {
  EXPECT_EQ(parse_model(two_with(R"("z", "A")")).joints[0].parent, "a.A");
  EXPECT_EQ(parse_model(two_with(R"("across", "l")")).joints[0].parent,
            "a.across");  // goes through B
  EXPECT_EQ(parse_model(two_with(R"("wall", "l")")).joints[0].parent, "a.l");
  EXPECT_EQ(parse_model(two_with(R"("floor", "M")")).joints[0].parent, "a.M");
}

TEST(Drawings, DirectionsAcrossEachOtherMakeCardanJoints) {
  const std::string cross = R"("joints": {}, "constraints": {"cross": {"dot": ["b.y", "a.z"]}})";
  const Model model = parse_model(two_bodies(R"("A", "z")", R"("A", "y")", cross));
  ASSERT_EQ(model.joints.size(), 1u);
  EXPECT_EQ(model.joints[0].type, JointType::cardan);
  EXPECT_TRUE(model.constraints.empty());
  // Not where they are drawn otherwise, or the value is another, or something reads it.
  for (const std::string& text :
       {two_bodies(R"("A", "x")", R"("A", "skew")",
                   R"("joints": {}, "constraints": {"cross": {"dot": ["a.x", "b.skew"]}})"),
        two_bodies(
            R"("A", "z")", R"("A", "y")",
            R"("joints": {}, "constraints": {"cross": {"dot": ["b.y", "a.z"], "value": 0.1}})"),
        two_bodies(R"("A", "z")", R"("A", "y")",
                   cross + R"(, "sensors": {"f": {"constraint_force": "cross"}})")}) {
    const Model other = parse_model(text);
    EXPECT_EQ(other.joints[0].type, JointType::spherical);
    EXPECT_EQ(other.constraints.size(), 1u);
  }
}

TEST(Drawings, DirectionsAloneAreConstraints) {
  EXPECT_EQ(parse_model(two_with(R"("x")")).constraints.size(), 2u);
  EXPECT_EQ(parse_model(two_with(R"("x", "minus_x", "z")")).constraints.size(), 3u);
  const Model model = parse_model(two_with(R"("x", "z")"));
  EXPECT_TRUE(model.joints.empty());
  EXPECT_EQ(describe(model).degrees_of_freedom, 9u);
  EXPECT_EQ(describe(parse_model(two_with(R"("skew")"))).degrees_of_freedom, 10u);
  EXPECT_EQ(describe(parse_model(two_with(R"("tiny")"))).degrees_of_freedom, 10u);
}

// A pin of three bodies and the ground has three joints; a fourth would say nothing new.
TEST(Drawings, JointsAreAsManyAsKeepElementsTogether) {
  const std::string body =
      R"({"mass": 1, "com": "A", "inertia": {"xx": 1, "yy": 1, "zz": 1}, "drawn": )";
  const auto with = [&](const std::string& joints) {
    return parse_model(R"({"schema": "gradus-model/1", "name": "pin", "drawing": {
      "points": {"A": [1, 0, 0], "B": [2, 0, 0]}, "vectors": {"z": [0, 0, 1]}},
      "ground": {"drawn": ["A"]}, "bodies": {"a": )" +
                       body + R"(["A", "z", "B"]}, "b": )" + body + R"(["A", "z"]}, "c": )" + body +
                       R"(["A", "z", "B"]}}, "joints": )" + joints + "}");
  };
  const Model model = with("{}");
  ASSERT_EQ(model.joints.size(), 3u);
  EXPECT_EQ(model.joints[0].name, "a-c");  // fixed: says the most
  EXPECT_EQ(model.joints[0].type, JointType::fixed);
  EXPECT_EQ(model.joints[1].name, "a-b");
  EXPECT_EQ(model.joints[1].type, JointType::revolute);
  EXPECT_EQ(model.joints[2].name, "ground-a");
  EXPECT_EQ(model.joints[2].type, JointType::spherical);
  const Model named = with(R"({"own": {"parent": "c", "child": "b", "cut": false,
    "initial": {"position": 0.3, "velocity": {"guess": 1}}}, "base": {"parent": "ground", "child": "c"}})");
  ASSERT_EQ(named.joints.size(), 3u);
  EXPECT_EQ(named.joints[0].name, "own");
  EXPECT_EQ(named.joints[0].parent, "c.A");
  EXPECT_EQ(named.joints[0].cut, false);
  EXPECT_EQ(named.joints[0].start.at(0).position.value(), 0.3);
  EXPECT_TRUE(named.joints[0].start.at(0).velocity_is_guess);
  EXPECT_EQ(named.joints[1].name, "base");
  EXPECT_EQ(named.joints[2].name, "c-a");  // c is nearer to the ground
}

// Parents are nearer to the ground by joints that are not cut.
TEST(Drawings, TreesGrowAroundJointsThatAreCut) {
  const std::string body =
      R"({"mass": 1, "com": "A", "inertia": {"xx": 1, "yy": 1, "zz": 1}, "drawn": )";
  const Model model = parse_model(
      R"({"schema": "gradus-model/1", "name": "chain", "drawing": {
      "points": {"A": [1, 0, 0], "B": [2, 0, 0], "C": [3, 1, 0]}},
      "ground": {"drawn": ["A", "C"]}, "bodies": {"a": )" +
      body + R"(["A", "B"]}, "b": )" + body + R"(["B", "C"]}},
      "joints": {"cut": {"parent": "ground", "child": "a", "cut": true}}})");
  ASSERT_EQ(model.joints.size(), 3u);
  EXPECT_EQ(model.joints[0].cut, true);
  EXPECT_EQ(model.joints[1].name, "ground-b");
  EXPECT_EQ(model.joints[2].name, "b-a");
}

// The order is that of the parent, whichever of the two that is.
TEST(Drawings, AxesPointFromTheFirstPointOfTheParentToTheSecond) {
  for (const bool is_first : {true, false}) {
    const Model model = parse_model(two_bodies(
        R"("A", "B", "O", "C")", R"("B", "A")",
        is_first
            ? R"("ground": {"drawn": ["O"]}, "joints": {})"
            : R"("joints": {"base": {"type": "floating", "parent": "ground", "child": "b"}})"));
    const Joint& joint = model.joints[is_first ? 0 : 1];
    EXPECT_EQ(joint.parent, is_first ? "a.A" : "b.B");
    const std::vector<double> axis = axis_of(joint, model);
    EXPECT_NEAR(axis[0], is_first ? 1 : -1, 1e-12);
  }
}

TEST(Drawings, NamesOfJointsAreFree) {
  const std::string body =
      R"({"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}, "drawn": )";
  const Model model = parse_model(
      R"({"schema": "gradus-model/1", "name": "names", "drawing": {"points": {"A": [1, 0, 0], "B": [2, 0, 0]}},
      "bodies": {"a": )" +
      body + R"(["A"]}, "b-c": )" + body + R"(["A"]}, "a-b": )" + body + R"(["B"]}, "c": )" + body +
      R"(["B"]}}, "joints": {}})");
  ASSERT_EQ(model.joints.size(), 2u);
  EXPECT_NE(model.joints[0].name, model.joints[1].name);
}

TEST(Drawings, HaveTheSizesThatArePublished) {
  // Slider-crank: a crank on a hinge, a slide with a cardan joint; the ball joint between is cut.
  const Description slider =
      describe(parse_model(R"json({"schema": "gradus-model/1", "name": "slider-crank",
    "drawing": {"points": {"A": [0, 0.1, 0.12], "B": [0, 0.1, 0.2], "C": [0.2, 0, 0]},
      "vectors": {"x": [1, 0, 0], "y": [0, 1, 0], "across": "cross(B - C, x)"},
      "lines": {"slide": {"through": "C", "along": "x"}}},
    "ground": {"drawn": ["A", "x", "y", "slide"]},
    "bodies": {
      "crank": {"mass": 0.12, "inertia": {"slender": ["A", "B"]}, "drawn": ["A", "B", "x"]},
      "rod": {"mass": 0.5, "com": "(B + C)/2", "inertia": {"xx": 4e-3, "yy": 4e-3, "zz": 4e-3},
              "drawn": ["B", "C", "across"]},
      "slider": {"mass": 2, "com": "C", "inertia": {"xx": 1e-4, "yy": 1e-4, "zz": 1e-4},
                 "drawn": ["slide", "C", "y"], "vectors": {"along": "x"}}},
    "joints": {"A": {"parent": "ground", "child": "crank", "initial": {"position": 0, "velocity": 6}}},
    "constraints": {"cross": {"dot": ["slider.along", "rod.across"]}}})json"));
  EXPECT_EQ(slider.coordinates, 4u);
  EXPECT_EQ(slider.constraint_equations, 3u);
  EXPECT_EQ(slider.degrees_of_freedom, 1u);

  // Bicycle: 3 points and 8 directions, of which each wheel has two for itself; in natural
  // coordinates these and 3 angles are 36 numbers.
  const std::string wheel = R"("inertia": {"xx": 0.06, "yy": 0.12, "zz": 0.06})";
  const Description bicycle =
      describe(parse_model(R"json({"schema": "gradus-model/1", "name": "bicycle",
    "drawing": {"points": {"R": [0, 0, 0.3], "S": [0.8, 0, 0.9], "F": [1.02, 0, 0.35]},
      "vectors": {"steer": [-0.31, 0, 0.95], "axle_R": [0, 1, 0], "axle_F": [0, 1, 0], "up": [0, 0, 1],
                  "R1": [1, 0, 0], "R2": [0, 0, 1], "F1": [1, 0, 0], "F2": [0, 0, 1]}},
    "bodies": {
      "frame": {"mass": 85, "com": [0.3, 0, 0.9], "inertia": {"xx": 9.2, "yy": 11, "zz": 2.8, "xz": -2.4},
                "drawn": ["R", "S", "steer", "axle_R", "up"]},
      "fork": {"mass": 4, "com": [0.9, 0, 0.7], "inertia": {"xx": 0.059, "yy": 0.06, "zz": 0.0071, "xz": 0.0076},
               "drawn": ["S", "F", "steer", "axle_F"]},
      "rear": {"mass": 2, "com": "R", )json" +
                           wheel + R"(, "drawn": ["R", "axle_R", "R1", "R2"]},
      "front": {"mass": 3, "com": "F", )" +
                           wheel + R"(, "drawn": ["F", "axle_F", "F1", "F2"]}},
    "joints": {}})"));
  EXPECT_EQ(bicycle.coordinates, 10u);
  EXPECT_EQ(bicycle.constraint_equations, 1u);
  EXPECT_EQ(bicycle.degrees_of_freedom, 9u);
}

TEST(Drawings, CanBeBuiltInMemory) {
  Model model = parse_model(two_bodies("", ""));
  Drawing drawing;
  drawing.points = {{"P", {1, "p", 0}}};
  drawing.vectors = {{"u", {0, 0, 1}}};
  drawing.bodies = {{"a", {"P", "u"}}, {"b", {"P", "u"}}, {"ground", {"P"}}};
  drawing.joints = {{"pin", "b", "a"}};
  add_drawing(drawing, model);
  validate(model);
  ASSERT_EQ(model.joints.size(), 2u);
  EXPECT_EQ(model.joints[0].name, "pin");
  EXPECT_EQ(model.joints[0].type, JointType::revolute);
  EXPECT_EQ(model.joints[1].type, JointType::spherical);
  EXPECT_EQ(describe(model).degrees_of_freedom, 4u);

  Model other = parse_model(two_bodies("", ""));
  drawing.joints = {{"pin", "b", "a"}, {"pin again", "a", "b"}};
  EXPECT_THROW(add_drawing(drawing, other), InputError);
  EXPECT_TRUE(other.joints.empty());
  EXPECT_EQ(other.definitions.size(), parse_model(two_bodies("", "")).definitions.size());
}

// Vectors of a user and constraints of other pairs may be called as those that are added.
TEST(Drawings, NamesOfConstraintsAreFree) {
  const std::string body =
      R"({"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}, )";
  const Model model = parse_model(
      R"({"schema": "gradus-model/1", "name": "names", "drawing": {"vectors": {"u": [1, 0, 0], "w": [0, 1, 0]}},
      "bodies": {"a": )" +
      body + R"("drawn": ["u"], "vectors": {"a-b-c, 1": [1, 2, 3]}}, "b-c": )" + body +
      R"("drawn": ["u"]}, "a-b": )" + body + R"("drawn": ["w"]}, "c": )" + body +
      R"("drawn": ["w"]}}, "joints": {}})");
  EXPECT_EQ(model.constraints.size(), 4u);
  EXPECT_EQ(model.bodies[0].vectors.at("a-b-c, 1")[2].value(), 3.0);
}

TEST(Drawings, PointsMayBeArraysOfParameters) {
  const Model model = parse_model(R"json({"schema": "gradus-model/1", "name": "array",
    "parameters": {"place": {"size": 3, "value": [1, 2, 3]}}, "drawing": {"points": {"P": "place"}},
    "bodies": {"b": {"mass": 1, "inertia": {"slender": ["P", "P + [1, 0, 0]"]}, "drawn": ["P"]}},
    "joints": {}})json");
  NominalValues values(model, "model");
  EXPECT_EQ(values.value(model.bodies[0].points.at("P"), "P"), (std::array<double, 3>{1, 2, 3}));
  EXPECT_EQ(values.value(model.bodies[0].com, "com"), (std::array<double, 3>{1.5, 2, 3}));
}

struct Wrong {
  std::string text;
  const char* expected;
};

void expect_wrong(const std::vector<Wrong>& all) {
  for (const Wrong& wrong : all) {
    const std::string message = error_of(wrong.text);
    EXPECT_NE(message.find(wrong.expected), std::string::npos)
        << "expected: " << wrong.expected << "\nfound:    " << message;
  }
}

TEST(DrawingErrors, OfWhatIsInCommon) {
  expect_wrong({
      {two_with(R"("A", "near", "x")"),
       "/bodies/b/drawn: found \"A\", \"near\", \"x\" in common (what "
       "these leave free is a matter of "},
      {two_with(R"("A", "meets", "x")"),
       "/bodies/b/drawn: found \"A\", \"meets\", \"x\" in common (how these join the bodies "
       "depends "
       "on parameters"},
      {two_with(R"("A", "cubed", "x")"), "depends on parameters"},
      {two_with(R"("A", "limited", "x")"), "depends on parameters"},
      {two_with(R"("x", "turns")"), "depends on parameters"},
      {two_with(R"("beside", "axis")"), "is a matter of "},
      {two_with(R"("floor", "y")"), "they leave two translations free"},
      {two_bodies(R"("A")", R"("A")",
                  R"("joints": {"j": {"type": "revolute", "parent": "b.com", "child": "a"}})"),
       "/joints/j: found a type (the drawing has \"A\" in common of \"b\" and \"a\", which joins "
       "them"},
      {two_bodies(
           R"("A")", R"("A")",
           R"("joints": {}, "loops": {"j": {"type": "revolute", "parent": "b", "child": "a"}})"),
       "/loops/j: found a type"},
      {two_bodies(R"("A")", R"("B")", R"("joints": {"j": {"parent": "a", "child": "b"}})"),
       "/joints/j: the key \"type\" is missing (nothing of the drawing is fixed in both \"a\" and "
       "\"b\""},
      {two_bodies(R"("A")", R"("A")", R"("joints": {"j": {"parent": "a", "child": "c"}})"),
       "/joints/j/child: found \"c\" (there is no body \"c\")"},
      {two_bodies(R"("A")", R"("A")", R"("joints": {"j": {"parent": "a", "child": "a"}})"),
       "/joints/j: found \"a\" twice"},
      {two_bodies(R"("z")", R"("z")", R"("joints": {"j": {"parent": "a", "child": "b"}})"),
       "/joints/j: found no type (no joint keeps together \"z\""},
      {two_bodies(
           R"("A")", R"("A")",
           R"("joints": {"j": {"parent": "a", "child": "b"}, "k": {"parent": "b", "child": "a"}})"),
       "/joints/k: found a joint of \"b\" and \"a\" (joints before it keep together already"},
      {two_bodies(R"("A")", R"("A")",
                  R"("joints": {"j": {"parent": "a", "child": "b", "axis": [1, 0, 0]}})"),
       "/joints/j: found the key \"axis\""},
  });
}

TEST(Drawings, ShapesMayBeWhereExpressionsSay) {
  const Model model = parse_model(R"json({"schema": "gradus-model/1", "name": "shapes",
    "drawing": {"points": {"P": [1, 2, 3], "Q": [3, 2, 1]}}, "joints": {}, "bodies": {"b": {
      "mass": 1, "inertia": {"slender": ["P", "Q + [0, 0, 2]"]}, "drawn": ["P", "Q"],
      "shapes": [{"type": "sphere", "radius": 0.1, "at": "(P + Q)/2"}]}}})json");
  NominalValues values(model, "model");
  EXPECT_EQ(values.value(model.bodies[0].shapes[0].at, "at"), (std::array<double, 3>{2, 2, 2}));
  EXPECT_EQ(values.value(model.bodies[0].com, "com"), (std::array<double, 3>{2, 2, 3}));
}

TEST(DrawingErrors, OfNames) {
  expect_wrong({
      {two_with(R"("a")"), "/bodies/a/drawn: found \"a\" (the drawing has nothing of that name)"},
      {two_with(R"("A", "A")"), "/bodies/a/drawn: found \"A\" twice"},
      {two_bodies(R"("A")", R"("A")", R"("joints": {}, "definitions": {"A": 1})"),
       "the name \"A\" is taken"},
      {R"({"schema": "gradus-model/1", "name": "n", "drawing": {"points": {"P": [0, 0, 0]}, "lines":
          {"P": {"through": [0, 0, 0], "along": [0, 0, 1]}}}, "bodies": {}, "joints": {}})",
       "/drawing/lines/P: the name \"P\" is taken"},
      {R"({"schema": "gradus-model/1", "name": "n", "drawing": {"points": {"1": [0, 0, 0]}}, "bodies": {},
          "joints": {}})",
       "found the name \"1\" (expressions cannot use it)"},
      {R"({"schema": "gradus-model/1", "name": "n", "drawing": {"vectors": {"v": [0, 0, 0]}}, "bodies": {},
          "joints": {}})",
       "/drawing/vectors/v: found the length 0"},
      {R"({"schema": "gradus-model/1", "name": "n", "drawing": {"points": {"P": [0, 0, 0]}}, "bodies": {
          "b": {"mass": 1, "inertia": {"slender": ["P", "Q"]}, "drawn": ["P"]}}, "joints": {}})",
       "/bodies/b/inertia/slender/1: found \"Q\" (string), expected a vector [x, y, z] or a point "
       "of the "
       "same body, one of \"P\""},
      {R"({"schema": "gradus-model/1", "name": "n", "drawing": {"points": {"P": "[0, 0, 0]) + ([1, 0, 0]"}},
          "bodies": {}, "joints": {}})",
       "/drawing/points/P: found \"[0, 0, 0]) + ([1, 0, 0]\" (string), expected an expression "
       "whose "
       "brackets match"},
      {R"({"schema": "gradus-model/1", "name": "n", "drawing": {"points": {"P": [0, 0, 0]}}, "bodies": {
          "b": {"mass": 1, "com": "P", "inertia": {"xx": 1, "yy": 1, "zz": 1}, "points": {"P": [1, 0, 0]},
          "drawn": ["P"]}}, "joints": {}})",
       "/bodies/b/points/P: the name \"P\" is taken"},
      {R"({"schema": "gradus-model/1", "name": "n", "drawing": {"planes": {"P": {"through": [0, 0, 0]}}},
          "bodies": {}, "joints": {}})",
       "/drawing/planes/P: the key \"normal\" is missing"},
      {R"({"schema": "gradus-model/1", "name": "n", "drawing": {"points": {"P": [0, "q", 0]}}, "bodies": {},
          "joints": {}})",
       ": /drawing/points/P: unknown name \"q\""},
      {R"({"schema": "gradus-model/1", "name": "n", "drawing": {"points": {"P": [0, 0, 0]}, "vectors":
          {"z": [0, 0, 1]}}, "bodies": {"b": {"mass": 1, "inertia": {"slender": ["P", "z"]}, "drawn": ["P"]}},
          "joints": {}})",
       "/bodies/b/inertia/slender/1: found \"z\" (string), expected a vector [x, y, z] or a point"},
      {R"({"schema": "gradus-model/1", "name": "n", "drawing": {"points": {"P": [0, 0, 0]}}, "bodies": {
          "b": {"mass": 1, "com": "P", "inertia": {"slender": ["P", [1, 0, 0]]}, "drawn": ["P"]}}, "joints": {}})",
       "/bodies/b/com: found a centre of mass (that of a slender rod is its middle)"},
  });
}

}  // namespace
}  // namespace gradus
