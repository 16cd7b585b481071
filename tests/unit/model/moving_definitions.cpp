// Definitions that depend on sensors and the time: where they can be used, and what is said where
// they cannot.
#include <gtest/gtest.h>

#include "gradus/run.hpp"
#include "src/model/nominal.hpp"
#include "src/model/scope.hpp"
#include "tests/unit/model/model_texts.hpp"

namespace gradus {
namespace {

using expression::Graph;

// Of a controller: a scalar by way of another one, a vector, and one that forces cannot use.
const char* const kControlled = R"_({
  "definitions": { "u": "-stiffness*error - 2*turning", "error": "angle - half*sin(t)",
                   "push": ["u", "place.x*t", "half"], "late": "u + swing.y",
                   "aim": "half*cos(t)", "span": "aim + 2*place.y" },
  "sensors": { "turning": { "rate": "hinge" }, "swing": { "acceleration": "arm.tip" } } })_";

nlohmann::json controlled() {
  return nlohmann::json::parse(small_model_with(kControlled));
}

std::string error_with(const std::string& patch) {
  nlohmann::json model = controlled();
  model.merge_patch(nlohmann::json::parse(patch));
  return error_of(model.dump());
}

void expect_error(const std::string& patch, const std::string& part) {
  EXPECT_NE(error_with(patch).find(part), std::string::npos) << error_with(patch);
}

TEST(MovingDefinitions, AreWhatTheirTextSays) {
  const Model model = parse_model(controlled().dump());
  Graph graph;
  const MotionScope objective(graph, model, "test");
  const MotionScope force(graph, model, "test", LawPlace::force);
  const MotionScope constraint(graph, model, "test", LawPlace::constraint);
  const MotionScope value(graph, model, "test", LawPlace::constraint_value);
  const auto node = [&](const char* text, const MotionScope& scope) {
    return expression::parse_scalar(graph, text, scope, "test");
  };
  const char* const written = "-stiffness*(angle - length/2*sin(t)) - 2*turning";
  EXPECT_EQ(node("u", force), node(written, force));
  EXPECT_EQ(node("push.x + push.y", force),
            node((written + std::string(" + place.x*t")).c_str(), force));
  EXPECT_EQ(node("late", objective),
            node((written + std::string(" + swing.y")).c_str(), objective));
  EXPECT_EQ(node("span", constraint), node("length/2*cos(t) + 2*place.y", constraint));
  EXPECT_EQ(node("aim", value), node("length/2*cos(t)", value));
  EXPECT_EQ(ModelScope(graph, model, "test").find("aim"), nullptr);
  EXPECT_EQ(node("late", force), node((written + std::string(" + swing.y")).c_str(), force));
  EXPECT_EQ(MotionScope(graph, model, "test", LawPlace::sample).find("late"), nullptr);
  EXPECT_EQ(constraint.find("u"), nullptr);
  EXPECT_EQ(value.find("span"), nullptr);
}

TEST(MovingDefinitions, AreReadInEveryPlace) {
  EXPECT_EQ(error_with(R"_({
    "forces": {
      "motor": { "type": "joint-force", "joint": "hinge", "value": "u" },
      "wind": { "type": "force", "at": "arm.tip", "components": ["push.x", 0, "push.z"] } },
    "joints": { "rail": { "initial": { "position": { "guess": 0.5 } } },
                "hinge": { "initial": { "position": { "guess": 0.5 } } } },
    "constraints": { "driven": { "coordinate": "rail", "value": "aim", "at": "start" },
                     "guided": { "expression": "span - angle", "at": "start" } },
    "objectives": { "cost": { "integral": "dot(push, push)" },
                    "fit": { "residuals": ["push", "late"] } } })_"),
            "no error");
}

TEST(MovingDefinitions, AreNoNumbersOfParameters) {
  expect_error(R"({"bodies": {"arm": {"mass": "error"}}})",
               "/bodies/arm/mass: \"error\" cannot be used here at column 1 of \"error\" (it "
               "depends on the sensor \"angle\"), sensors and the time t can be used in");
  expect_error(R"({"bodies": {"arm": {"mass": "u"}}, "definitions": {"u": "2*error"}})",
               "it depends on the sensor \"angle\" through \"error\")");
  expect_error(R"({"bodies": {"arm": {"com": ["aim", 0, 0]}}})", "it depends on the time t)");
  expect_error(R"({"forces": {"spring": {"stiffness": "late"}}})", "/forces/spring/stiffness");
  expect_error(R"({"joints": {"hinge": {"initial": {"position": "u"}}}})", "cannot be used here");
}

TEST(MovingDefinitions, NeedSensorsOfTheirPlace) {
  expect_error(R"({"states": {"held": {"every": 0.1, "next": "3*late"}}})",
               "/states/held/next: \"late\" cannot be used here at column 3 of \"3*late\" (samples "
               "depend on positions and velocities only and it depends on the sensor \"swing\" of "
               "kind \"acceleration\"), use sensors of kind \"angle\"");
  expect_error(
      R"({"constraints": {"held": {"expression": "push.x"}}})",
      "constraints hold positions and states only and it depends on the sensor \"turning\" of kind "
      "\"rate\" through \"u\")");
  expect_error(R"({"constraints": {"held": {"coordinate": "hinge", "value": "span"}}})",
               "it depends on the sensor \"place\" of kind \"position\"), write the whole");
}

TEST(MovingDefinitions, AreCheckedWhereTheyStand) {
  expect_error(
      R"({"definitions": {"u": "angel"}})",
      "/definitions/u: unknown name \"angel\" at column 1 of \"angel\" (nothing of this name "
      "can be used here), did you mean \"angle\"?");
  expect_error(R"({"definitions": {"u": "place + angle"}})", "/definitions/u: ");
  expect_error(R"_({"definitions": {"push": ["angle", "1/(length - 2)", 0]}})_",
               "/definitions/push: found \"[angle, 1/(length - 2), 0]\" (its value is inf");
  expect_error(R"({"definitions": {"error": "push.x + angle"}})",
               "cyclic definition (\"error\" needs \"push\" needs \"u\" needs \"error\")");
}

// A long chain, of which only the last end moves.
// Also before states have become sensors.
TEST(MovingDefinitions, MayReadStates) {
  nlohmann::json text = controlled();
  text.merge_patch(nlohmann::json::parse(
      R"({"states": {"y": {"rate": "1 - y"}}, "definitions": {"w": "2*y"}})"));
  const Model model = parse_model(text.dump());
  EXPECT_NO_THROW(NominalValues(model, "test"));
  EXPECT_TRUE(friction_motions(model, {}).empty());
}

TEST(MovingDefinitions, NeedNoStackForChains) {
  Model model = parse_model(small_model);
  constexpr int count = 3000;
  for (int i = 0; i < count; ++i)
    model.definitions.push_back(
        {"d" + std::to_string(i), i + 1 < count ? "d" + std::to_string(i + 1) + " + 1" : "angle"});
  model.bodies[0].mass = Number("d0");
  try {
    validate(model, "model");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("the sensor \"angle\" through \"d1\""),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace gradus
