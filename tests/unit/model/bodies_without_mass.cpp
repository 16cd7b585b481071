// Bodies without mass are accepted where something else may determine their motion, and refused by
// name where nothing does.
#include "tests/unit/model/mistakes.hpp"

namespace gradus {
namespace {

const char* const nothing =
    R"("mass": 0, "com": [0, 0, 0], "inertia": {"xx": 0, "yy": 0, "zz": 0})";

// The small model with a slider without mass, and what else is given.
std::string massless_slider_with(const std::string& members) {
  return small_model_with(std::string(R"({"bodies": {"slider": {)") + nothing + "}}" +
                          (members.empty() ? "" : ", " + members) + "}");
}

// Without the loop that ties it to the ground, and more bodies beside it.
std::string free_slider_with(const std::string& bodies, const std::string& members) {
  return small_model_with(std::string(R"({"loops": null, "bodies": {"slider": {)") + nothing + "}" +
                          bodies + "}" + (members.empty() ? "" : ", " + members) + "}");
}

std::string frame(const std::string& name) {
  return ", \"" + name + "\": {" + nothing + ", \"points\": {\"end\": [1, 0, 0]}}";
}

const char* const refusal =
    "/bodies/slider/mass: massless free body \"slider\" (neither it nor any "
    "body it carries has mass or inertia, so that nothing determines the "
    "motion of its joint \"rail\")";

void expect_refused(const std::string& text) {
  EXPECT_NE(error_of(text).find(refusal), std::string::npos) << error_of(text);
}

TEST(BodiesWithoutMass, MayCarryOthers) {
  EXPECT_EQ(error_of(small_model_with(R"({"loops": null, "bodies": {"arm": {"mass": 0,
    "inertia": {"xx": 0, "yy": 0, "zz": 0}}}})")),
            "no error");
}

TEST(BodiesWithoutMass, AreRefusedAtTheEndOfAChain) {
  expect_refused(free_slider_with("", ""));
}

TEST(BodiesWithoutMass, MayBeFixedToOthers) {
  const std::string tool =
      R"("joints": {"weld": {"type": "fixed", "parent": "arm.tip", "child": "tool"},
    "bolt": {"type": "fixed", "parent": "ground", "child": "base"}})";
  EXPECT_EQ(error_of(small_model_with(R"({"bodies": {"none": null)" + frame("tool") +
                                      frame("base") + "}, " + tool + "}")),
            "no error");
  // To one that moves without mass itself: the two are one.
  expect_refused(free_slider_with(
      frame("tool"),
      R"("joints": {"weld": {"type": "fixed", "parent": "slider", "child": "tool"}})"));
}

TEST(BodiesWithoutMass, MayBeTiedByLoops) {
  EXPECT_EQ(error_of(massless_slider_with("")), "no error");
  // Not by one that closes among what has no mass.
  expect_refused(free_slider_with(
      frame("tool"),
      R"("joints": {"swing": {"parent": "slider", "child": "tool", "type": "revolute", "cut": false}},
         "loops": {"closing": null, "inside": {"type": "spherical", "parent": "slider", "child": "tool.end"}})"));
}

TEST(BodiesWithoutMass, MayBeTiedByConstraints) {
  const auto constrained = [](const std::string& constraint) {
    return free_slider_with("", "\"constraints\": {\"tie\": {" + constraint + "}}");
  };
  for (const char* tie :
       {R"_("coordinate": "rail", "value": "0.5 + sin(t)")_",
        R"("distance": ["slider", "ground.wall"], "value": 3)",
        R"("coincident": ["slider", "ground.wall"])", R"("expression": "norm(place) - 1")"})
    EXPECT_EQ(error_of(constrained(tie)), "no error") << tie;
  expect_refused(constrained(R"("coordinate": "hinge", "value": "t")"));
  expect_refused(constrained(R"("distance": ["arm.tip", "ground.wall"], "value": 3)"));
  // What holds at the start leaves the motion free.
  expect_refused(constrained(R"("coordinate": "rail", "value": 0.5, "at": "start")"));
}

TEST(BodiesWithoutMass, AreRefusedWithoutAnyJoint) {
  const std::string text = small_model_with(R"({"bodies": {"none": null)" + frame("stray") + "}}");
  EXPECT_NE(error_of(text).find("massless free body \"stray\""), std::string::npos)
      << error_of(text);
}

}  // namespace
}  // namespace gradus
