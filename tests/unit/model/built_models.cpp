// Models built in memory pass the same checks as those from files, and some that only they can
// fail.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "tests/support/forces.hpp"
#include "tests/unit/model/model_texts.hpp"

namespace gradus {
namespace {

std::string error_after(const std::function<void(Model&)>& spoil) {
  Model model = parse_model(small_model);
  spoil(model);
  try {
    validate(model, "built");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void expect_part(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_EQ(message.rfind("built: /", 0), 0u) << message;
}

TEST(BuiltModels, AreChecked) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error_after([](Model&) {}), "no error");
  expect_part(error_after([](Model& m) { m.bodies.push_back(m.bodies[0]); }),
              "/bodies/arm: the name \"arm\" is taken (two of the bodies bear it)");
  expect_part(error_after([](Model& m) { m.parameters.push_back(m.parameters[0]); }),
              "two of the parameters bear it");
  expect_part(error_after([](Model& m) { m.joints[1].name = "hinge"; }), "is taken");
  expect_part(error_after([](Model& m) { m.forces.push_back(m.forces[0]); }), "is taken");
  expect_part(error_after([](Model& m) { m.objectives.push_back(m.objectives[0]); }), "is taken");
  expect_part(error_after([nan](Model& m) { m.bodies[0].mass = nan; }),
              "/bodies/arm/mass: found nan");
  expect_part(error_after([nan](Model& m) { m.parameters[1].value = nan; }),
              "/parameters/stiffness/value: found nan");
  expect_part(error_after([nan](Model& m) { m.parameters[0].bounds = {nan, 3.0}; }), "bounds");
  expect_part(error_after([](Model& m) { m.joints[0].start.resize(2); }),
              "/joints/hinge/initial: found 2 start values");
  expect_part(error_after([](Model& m) { m.loops[0].start.resize(1); }),
              "/loops/closing/initial: found start values");
  expect_part(error_after([](Model& m) { m.analysis.formulation = "ali3"; }),
              "did you mean \"ali3p\"?");
  expect_part(error_after([](Model& m) { m.analysis.reference = "rtdyn2"; }), "did you mean");
  expect_part(error_after([nan](Model& m) { m.analysis.step = nan; }), "/analysis/step: found nan");
  expect_part(error_after([](Model& m) {
                m.sensors[0] = {"e", "energy", "heat", ""};
              }),
              "/sensors/e/energy: found \"heat\"");
}

TEST(BuiltModels, EmptyExpressionsAreRefused) {
  const std::string empty = "empty expression at column 1";
  expect_part(error_after([](Model& m) { m.bodies[0].mass = ""; }), "/bodies/arm/mass: " + empty);
  expect_part(error_after([](Model& m) { m.bodies[0].mass = std::string(); }), empty);
  const char* const null = nullptr;
  expect_part(error_after([null](Model& m) { m.bodies[0].mass = null; }), empty);
  expect_part(error_after([](Model& m) { m.parameters[1].value = ""; }),
              "/parameters/stiffness/value: " + empty);
}

TEST(BuiltModels, KindsThatThereAreNotAreRefused) {
  expect_part(error_after([](Model& m) { m.joints[0].type = static_cast<JointType>(8); }),
              "/joints/hinge/type: found the number 8 (a JointType is 0 to 7)");
  expect_part(error_after([](Model& m) { m.loops[0].type = static_cast<JointType>(-1); }),
              "/loops/closing/type: found the number -1");
  expect_part(error_after([](Model& m) { m.sensors[0].type = "postion"; }),
              "found \"postion\" (there is no such type of sensor), did you mean \"position\"?");
  expect_part(error_after([](Model& m) { m.objectives[0].kind = static_cast<ObjectiveKind>(6); }),
              "found the number 6 (an ObjectiveKind is 0 to 5)");
  expect_part(error_after([](Model& m) { m.objectives[0].direction = static_cast<Passages>(3); }),
              "/direction: found the number 3 (one of Passages is 0 to 2)");
  expect_part(
      error_after([](Model& m) {
        m.constraints.emplace_back().name = "odd";
        m.constraints.back().type = "distanc";
      }),
      "found \"distanc\" (there is no such type of constraint), did you mean \"distance\"?");
  expect_part(error_after([](Model& m) {
                m.forces.push_back(make_force("odd", "arm", {0, 0, 0}, "bodies"));
              }),
              "/forces/odd/axes: found \"bodies\" (there is no such choice), known are \"global\"");
}

TEST(BuiltModels, SearchesAreChecked) {
  const auto error_of_search = [](ObjectiveKind kind, const auto& change) {
    return error_after([&](Model& m) {
      m.objectives[0].kind = kind;
      change(m.objectives[0]);
    });
  };
  using Kind = ObjectiveKind;
  expect_part(error_of_search(Kind::integral, [](Objective& o) { o.to = 1.0; }),
              "/to: found 1 (only maxima, minima and times of passages are looked for)");
  expect_part(error_of_search(Kind::maximum, [](Objective& o) { o.residuals = {"t"}; }),
              "found residuals (sums of squares are integrals or values at the end)");
  expect_part(error_of_search(Kind::maximum, [](Objective& o) { o.from = std::nan(""); }),
              "/from: found nan (the motion begins at 0)");
  expect_part(error_of_search(Kind::time_when, [](Objective& o) { o.smooth = 1.0; }),
              "/smooth: found 1 (only maxima and minima can be smooth)");
  expect_part(error_of_search(Kind::minimum, [](Objective& o) { o.smooth = -1.0; }),
              "/smooth: found -1 (it is a width)");
  expect_part(error_of_search(Kind::time_when, [](Objective& o) { o.passage = 0; }),
              "/passage: found 0 (the first passage is 1)");
  expect_part(error_of_search(Kind::time_when, [](Objective& o) { o.otherwise = std::nan(""); }),
              "/otherwise: found nan");
}

TEST(BuiltModels, LongChainsOfDefinitionsNeedNoStack) {
  const int count = 20000;
  EXPECT_EQ(
      error_after([](Model& m) {
        for (int i = 0; i < count; ++i)
          m.definitions.push_back({"d" + std::to_string(i),
                                   i + 1 < count ? "d" + std::to_string(i + 1) + " + 1" : "1"});
      }),
      "no error");
  const std::string circle = error_after([](Model& m) {
    for (int i = 0; i < count; ++i)
      m.definitions.push_back(
          {"d" + std::to_string(i), "d" + std::to_string((i + 1) % count) + " + 1"});
  });
  expect_part(circle, "cyclic definition (\"d0\" needs \"d1\"");
  EXPECT_LT(circle.size(), 400u);
}

TEST(BuiltModels, LongChainsOfBodiesNeedNoStack) {
  const int count = 20000;
  EXPECT_EQ(error_after([](Model& m) {
              for (int i = 0; i < count; ++i) {
                Body body = m.bodies[1];
                body.name = "link" + std::to_string(i);
                Joint joint = m.joints[1];
                joint.name = "joint" + std::to_string(i);
                joint.child = body.name;
                joint.parent = i + 1 < count ? "link" + std::to_string(i + 1) : "ground";
                m.bodies.push_back(body);
                m.joints.push_back(joint);
              }
            }),
            "no error");
}

}  // namespace
}  // namespace gradus
