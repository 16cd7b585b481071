// Which joints make the tree, which are cut, reversed and added.
#include "src/model/spanning_tree.hpp"

#include <gtest/gtest.h>

#include "gradus/error.hpp"
#include "src/model/joint_types.hpp"
#include "tests/support/forces.hpp"

namespace gradus {
namespace {

using Names = std::vector<std::string>;

struct Link {
  const char* name;
  JointType type;
  const char* parent;
  const char* child;
  std::optional<bool> cut = std::nullopt;
  bool has_start = false;
};

// Bodies A, B, ... of that number, and the links between them and the ground.
Model model_of(int body_count, const std::vector<Link>& links) {
  Model model;
  for (int i = 0; i < body_count; ++i) {
    Body body;
    body.name = std::string(1, static_cast<char>('A' + i));
    body.mass = 1.0;
    body.inertia.xx = body.inertia.yy = body.inertia.zz = 1.0;
    model.bodies.push_back(body);
  }
  for (const Link& link : links) {
    Joint joint;
    joint.name = link.name;
    joint.type = link.type;
    joint.parent = link.parent;
    joint.child = link.child;
    joint.cut = link.cut;
    if (link.has_start) joint.start = guessed_start(link.type);
    model.joints.push_back(joint);
  }
  return model;
}

Names names_of(const std::vector<Joint>& joints) {
  Names names;
  for (const Joint& joint : joints) names.push_back(joint.name);
  return names;
}

std::string graph_error(const Model& model) {
  try {
    validate(model, "test");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void expect_part(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos)
      << "expected: " << part << "\nfound: " << message;
}

constexpr JointType revolute = JointType::revolute;
constexpr JointType spherical = JointType::spherical;

TEST(SpanningTree, OfATreeIsTheTree) {
  const Model model = model_of(
      3, {{"b", revolute, "A", "B"}, {"a", revolute, "ground", "A"}, {"c", spherical, "A", "C"}});
  const SpanningTree tree = spanning_tree(model);
  EXPECT_EQ(names_of(tree.model.joints), (Names{"b", "a", "c"}));
  EXPECT_TRUE(tree.cut.empty() && tree.reversed.empty() && tree.added.empty());
  EXPECT_TRUE(tree.model.loops.empty());
}

TEST(SpanningTree, CutsTheLastOfEqualJointsWithoutStart) {
  const std::vector<Link> links{
      {"a", revolute, "ground", "A"}, {"b", revolute, "A", "B"}, {"c", revolute, "ground", "B"}};
  EXPECT_EQ(spanning_tree(model_of(2, links)).cut, (Names{"c"}));
  std::vector<Link> started = links;
  started[0].has_start = true;
  started[2].has_start = true;
  const SpanningTree tree = spanning_tree(model_of(2, started));
  EXPECT_EQ(tree.cut, (Names{"b"}));
  EXPECT_EQ(names_of(tree.model.joints), (Names{"a", "c"}));
  EXPECT_EQ(names_of(tree.model.loops), (Names{"b"}));
}

TEST(SpanningTree, KeepsJointsWithFewCoordinatesAndManyEquations) {
  const auto cut = [](JointType first, JointType second, JointType third) {
    return spanning_tree(model_of(2, {{"first", first, "ground", "A"},
                                      {"second", second, "A", "B"},
                                      {"third", third, "ground", "B"}}))
        .cut;
  };
  EXPECT_EQ(cut(revolute, spherical, revolute), (Names{"second"}));
  EXPECT_EQ(cut(spherical, revolute, JointType::planar), (Names{"first"}));
  EXPECT_EQ(cut(JointType::cardan, JointType::planar, revolute), (Names{"second"}));
  EXPECT_EQ(cut(JointType::cylindrical, JointType::cardan, revolute), (Names{"second"}));
  EXPECT_EQ(cut(JointType::cylindrical, revolute, JointType::prismatic), (Names{"first"}));
  EXPECT_EQ(cut(revolute, JointType::prismatic, JointType::fixed), (Names{"first"}));
  EXPECT_EQ(cut(JointType::floating, revolute, spherical), (Names{"third"}));
}

TEST(SpanningTree, LoopsOfTheModelComeBeforeJointsThatAreCut) {
  Model model = model_of(
      2,
      {{"a", revolute, "ground", "A"}, {"b", revolute, "A", "B"}, {"c", revolute, "ground", "B"}});
  model.loops.push_back(model.joints[1]);
  model.loops[0].name = "own";
  const SpanningTree tree = spanning_tree(model);
  EXPECT_EQ(names_of(tree.model.loops), (Names{"own", "c"}));
}

TEST(SpanningTree, FollowsWhatTheModelSaysOfCuts) {
  const std::vector<Link> links{{"a", revolute, "ground", "A"},
                                {"b", JointType::cylindrical, "A", "B", false},
                                {"c", revolute, "ground", "B"}};
  EXPECT_EQ(spanning_tree(model_of(2, links)).cut, (Names{"c"}));
  std::vector<Link> forced = links;
  forced[0].cut = true;
  const SpanningTree tree = spanning_tree(model_of(2, forced));
  EXPECT_EQ(tree.cut, (Names{"a"}));
  EXPECT_FALSE(tree.model.loops[0].cut.has_value());
  EXPECT_EQ(graph_error(model_of(2, links)), "no error");
}

TEST(SpanningTree, ReversesJointsThatAreMetFromTheirChild) {
  const Model model = model_of(3, {{"a", revolute, "A", "ground"},
                                   {"b", JointType::fixed, "B", "A"},
                                   {"c", revolute, "B", "C"}});
  const SpanningTree tree = spanning_tree(model);
  EXPECT_EQ(tree.reversed, (Names{"a", "b"}));
  EXPECT_EQ(names_of(tree.model.joints), (Names{"a", "b", "c"}));
  EXPECT_EQ(tree.model.joints[0].child, "A");
  EXPECT_EQ(tree.model.joints[1].parent, "A");
  EXPECT_EQ(graph_error(model), "no error");
}

TEST(SpanningTree, CutsSoThatNothingMustBeReversedThatCannotBe) {
  // Cutting one of the spherical joints would save more, but then the other would be met from its
  // child.
  const SpanningTree tree = spanning_tree(model_of(2, {{"a", spherical, "A", "ground"},
                                                       {"b", revolute, "A", "B"},
                                                       {"c", spherical, "ground", "B"}}));
  EXPECT_EQ(tree.cut, (Names{"a"}));
  EXPECT_EQ(tree.reversed, (Names{"b"}));
  const SpanningTree other = spanning_tree(model_of(2, {{"a", revolute, "ground", "A"},
                                                        {"b", JointType::planar, "B", "A"},
                                                        {"c", spherical, "ground", "B"}}));
  EXPECT_EQ(other.cut, (Names{"b"}));
}

TEST(SpanningTree, JointsThatCannotBeReversedAreAnError) {
  for (const JointType type :
       {JointType::cardan, spherical, JointType::planar, JointType::floating}) {
    const std::string message = graph_error(model_of(1, {{"joint", type, "A", "ground"}}));
    expect_part(message,
                "test: /joints/joint: the joint would have to be followed from its child to its "
                "parent");
    expect_part(message, "swap \"parent\" and \"child\"");
  }
  expect_part(graph_error(model_of(2, {{"a", revolute, "ground", "A"},
                                       {"b", spherical, "B", "A", false},
                                       {"c", revolute, "ground", "B", true}})),
              "/joints/b: the joint would have to be followed");
}

TEST(SpanningTree, WhatNothingConnectsWithTheGroundFloats) {
  const SpanningTree tree = spanning_tree(model_of(
      5, {{"a", revolute, "ground", "A"}, {"b", spherical, "C", "B"}, {"d", revolute, "E", "D"}}));
  EXPECT_EQ(tree.added, (Names{"C to ground", "E to ground"}));
  ASSERT_EQ(tree.model.joints.size(), 5u);
  const Joint& added = tree.model.joints[3];
  EXPECT_EQ(added.type, JointType::floating);
  EXPECT_EQ(added.parent, "ground");
  EXPECT_EQ(added.child, "C");
  EXPECT_TRUE(added.start.empty());
  EXPECT_TRUE(tree.reversed.empty());
}

TEST(SpanningTree, TheFirstBodyFloatsWhereAllAreEqual) {
  const SpanningTree tree = spanning_tree(model_of(
      3, {{"b", revolute, "A", "B"}, {"c", revolute, "B", "C"}, {"a", revolute, "C", "A"}}));
  EXPECT_EQ(tree.added, (Names{"A to ground"}));
  EXPECT_EQ(tree.cut, (Names{"a"}));
  EXPECT_EQ(spanning_tree(model_of(2, {})).added, (Names{"A to ground", "B to ground"}));
}

TEST(SpanningTree, BodiesThatOnlyCutJointsReachFloat) {
  const SpanningTree tree = spanning_tree(model_of(1, {{"a", revolute, "ground", "A", true}}));
  EXPECT_EQ(tree.cut, (Names{"a"}));
  EXPECT_EQ(tree.added, (Names{"A to ground"}));
}

TEST(SpanningTree, NamesOfAddedJointsAreNew) {
  Model model = model_of(2, {{"A to ground", revolute, "ground", "B"}});
  model.loops.push_back(model.joints[0]);
  model.loops[0].name = "A to ground 2";
  EXPECT_EQ(spanning_tree(model).added, (Names{"A to ground 3"}));
}

TEST(SpanningTree, OfItsOwnModelIsItself) {
  const Model model = model_of(4, {{"a", revolute, "A", "ground"},
                                   {"b", spherical, "A", "B"},
                                   {"c", JointType::prismatic, "ground", "B"},
                                   {"d", JointType::cardan, "C", "D"}});
  const SpanningTree once = spanning_tree(model);
  const SpanningTree twice = spanning_tree(once.model);
  EXPECT_EQ(names_of(once.model.joints), names_of(twice.model.joints));
  EXPECT_EQ(names_of(once.model.loops), names_of(twice.model.loops));
  EXPECT_TRUE(twice.cut.empty() && twice.reversed.empty() && twice.added.empty());
  EXPECT_EQ(graph_error(once.model), "no error");
}

TEST(SpanningTree, ChainsThatMayNotBeCutAreAnError) {
  expect_part(graph_error(model_of(3, {{"a", revolute, "ground", "A", false},
                                       {"x", revolute, "B", "C", false},
                                       {"b", revolute, "A", "B", false},
                                       {"c", revolute, "ground", "B", false}})),
              "/joints/c: the joints \"a\", \"b\", \"c\" form a closed chain and none may be cut "
              "(\"cut\" is false, or the joint is floating), let one of them be cut");
  expect_part(graph_error(model_of(1, {{"a", JointType::floating, "ground", "A"},
                                       {"b", JointType::floating, "ground", "A"}})),
              "the joints \"a\", \"b\" form a closed chain");
  expect_part(graph_error(model_of(1, {{"a", JointType::floating, "ground", "A", true}})),
              "/joints/a/cut: found true (a floating joint leaves everything free");
}

TEST(SpanningTree, StartValuesOfCutJointsAreAnError) {
  expect_part(graph_error(model_of(2, {{"a", revolute, "ground", "A", {}, true},
                                       {"b", revolute, "A", "B", {}, true},
                                       {"c", revolute, "ground", "B", {}, true}})),
              "/joints/c/initial: found start values (the joint is cut to close a loop and has no "
              "coordinates to start), write \"cut\": false, or remove them");
  expect_part(graph_error(model_of(1, {{"a", revolute, "ground", "A", true, true}})),
              "/joints/a/initial: found start values");
}

TEST(SpanningTree, CoordinatesOfCutJointsAreAnError) {
  const Model model = model_of(
      2,
      {{"a", revolute, "ground", "A"}, {"b", revolute, "A", "B"}, {"c", revolute, "ground", "B"}});
  const std::string why =
      " (the joint is cut to close a loop and has no coordinates), write \"cut\": false";
  Model wrong = model;
  wrong.sensors.push_back({"angle", "rate", "c", ""});
  expect_part(graph_error(wrong), "/sensors/angle: found \"c\"" + why);
  wrong = model;
  wrong.forces.push_back(make_torsional_spring("coil", "c", 1.0, 0.0, 0.0));
  expect_part(graph_error(wrong), "/forces/coil/joint: found \"c\"" + why);
  wrong = model;
  wrong.forces.push_back(make_joint_force("motor", "c.0", 1.0));
  expect_part(graph_error(wrong), "/forces/motor/joint: found \"c.0\"" + why);
  wrong = model;
  wrong.constraints.push_back({"drive", "coordinate", "c", "", "t"});
  expect_part(graph_error(wrong), "/constraints/drive/coordinate: found \"c\"" + why);
  wrong.joints[2].cut = true;
  expect_part(graph_error(wrong), "remove \"cut\" from the joint");
  wrong = model;
  wrong.sensors.push_back({"push", "reaction_force", "c", ""});
  EXPECT_EQ(graph_error(wrong), "no error");
}

}  // namespace
}  // namespace gradus
