// Formulas of plug-ins: what models hear of those that cannot be used; and with plain numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <type_traits>

#include "gradus/gradus.hpp"
#include "gradus/plugin.hpp"

namespace gradus::test {
namespace {

std::string file_with(const std::string& name) {
  return std::string(GRADUS_TEST_PLUGINS) + "/libgradus_plugin_" + name + ".so";
}

// What a model in JSON with such a force hears.
std::string answer(const std::string& force) {
  const std::string text = R"({"schema": "gradus-model/1", "name": "bead",
    "bodies": {"bead": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}}},
    "joints": {"rail": {"type": "prismatic", "parent": "ground", "child": "bead",
                        "initial": {"position": 2}}},
    "forces": {"pull": )" + force +
                           "}}";
  try {
    parse_model(text, "bead.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "fine";
}

void expect_answer(const std::string& force, const std::string& says) {
  const std::string found = answer(force);
  EXPECT_NE(found.find(says), std::string::npos) << found << "\nexpected: " << says;
  EXPECT_EQ(found.find('\n'), std::string::npos) << found;
}

TEST(PluginFormulas, ThatCannotBeUsedAreRefused) {
  load_plugin(file_with("faulty"));
  const auto expect = [](const std::string& fault, const std::string& says) {
    expect_answer(
        R"({"type": "faulty", "from": "ground", "to": "bead", "k": 1, "fault": ")" + fault + "\"}",
        says);
  };
  expect("typo",
         "bead.json: /forces/pull: the formula of \"faulty\" cannot be used (it says \"it asks for "
         "the key 'stifness', which it does not describe\"), see its plug-in ");
  expect("vector", "it asks the key 'v' for what it is not");
  expect("choice", "it asks the key 'letter' for what it is not");
  expect("exception", "(it says \"this and");
  expect("number", "it threw something that is no std::exception");
  expect("constant", "its result is a number that depends on nothing");
  expect("endless", "it has more than 100000 operations");
  expect("coordinate", "what it acts on has no coordinate");
  expect("infinite", "a number in it is not finite");
  expect("state", "it asks for the state 's'");
  expect_answer(R"({"type": "stateful", "joint": "rail"})",
                "it has 1 result and should have 2: the force and the rates of its states");
}

// Keys are checked as those of gradus' own forces are.
TEST(PluginFormulas, HaveKeysLikeAllForces) {
  load_plugin(file_with("first"));
  const auto expect = [](const std::string& keys, const std::string& says) {
    expect_answer(R"({"type": "first-spring", "from": "ground", "to": "bead")" + keys + "}", says);
  };
  expect(R"(, "stiffness": 2)", "fine");
  expect(R"(, "stiffness": "2*k")", "/forces/pull/stiffness");
  expect(R"(, "stifness": 2)", "did you mean \"stiffness\"?");
  expect("", "stiffness");
  expect(R"(, "stiffness": "t")", "/forces/pull/stiffness");
  expect_answer(R"({"type": "unheard-of"})", "a type of a plug-in, which must be loaded before");
  expect_answer(R"({"type": "first-sprung"})", "did you mean \"first-spring\"?");
}

struct Tried : plugin::ForceAlongLine {
  static void describe(Description& force) {
    force.number("k", "N/m").required();
    force.vector("v", "m");
    force.choice("side", {"left", "right"});
    force.state("s", "N");
  }

  template <class Scalar>
  Scalar force(const Inputs<Scalar>& in) const {
    const Scalar sign = in.choice("side") == "left" ? 1.0 : -1.0;
    return sign * in["k"] * max(in.length(), 0.5) + dot(in.vector("v"), in.vector("v")) +
           select(at_least(in.rate(), 0), abs(in.state("s")), 2 * in.time());
  }

  template <class Scalar>
  std::array<Scalar, 1> rates(const Inputs<Scalar>& in) const {
    return {in.says("v") ? in.rate() : -in.rate()};
  }
};

// What changes during the motion cannot decide which way C++ goes.
template <class Scalar>
concept CanBranch = requires(Scalar a, Scalar b) {
  a < b;
}
|| requires(Scalar a) {
  a == 0.0;
}
|| std::is_convertible_v<Scalar, bool> || std::is_constructible_v<double, Scalar>;
static_assert(CanBranch<double> && !CanBranch<plugin::Recorded>);

TEST(PluginFormulas, HoldForPlainNumbers) {
  plugin::Trial<Tried> tried;
  tried.say("k", 2.0).length(0.7).rate(1.5).state("s", -3.0).time(4.0);
  EXPECT_EQ(tried.force(), 2.0 * 0.7 + 3.0);
  EXPECT_EQ(tried.rates()[0], -1.5);
  tried.say("v", {1, 2, 2}).say("side", "right").length(0.1).rate(-1.0);
  EXPECT_EQ(tried.force(), -1.0 + 9.0 + 8.0);
  EXPECT_EQ(tried.rates()[0], -1.0);
  EXPECT_THROW(tried.say("q", 1.0), std::invalid_argument);
  EXPECT_THROW(tried.say("k", {1, 2, 3}), std::invalid_argument);
  EXPECT_THROW(tried.say("side", "middle"), std::exception);
  EXPECT_THROW(tried.state("q", 1.0), std::invalid_argument);
}

struct Tie : plugin::ForceBetweenBodies {
  static void describe(Description& force) { force.vector("k", "N m/rad"); }
  template <class Scalar>
  Wrench<Scalar> force(const Inputs<Scalar>& in) const {
    Wrench<Scalar> w;
    w.force = cross(in.displacement(), in.velocity());
    w.torque = in.torque_of(in.vector("k"));
    w.torque[0] += 0.0 * in.angular_velocity()[0];
    return w;
  }
};

// Moments (0, 0, 2) on the rotation vector (x, 0, 0) do the work of the torque (0, -x, x cot(x/2)).
TEST(PluginFormulas, TurnMomentsIntoTorques) {
  plugin::Trial<Tie> tie;
  tie.say("k", {0, 0, 2}).displacement({1, 2, 3}).velocity({0, 1, 0}).angular_velocity({1, 1, 1});
  for (const double x : {1e-3, 0.019, 0.021, 1.0, 3.0}) {
    const plugin::Wrench<double> w = tie.rotation({x, 0, 0}).force();
    EXPECT_EQ(w.force[0], -3.0);
    EXPECT_EQ(w.force[2], 1.0);
    EXPECT_EQ(w.torque[0], 0.0);
    EXPECT_NEAR(w.torque[1], -x, 1e-15);
    EXPECT_NEAR(w.torque[2], x / std::tan(x / 2), 1e-13);
  }
}

}  // namespace
}  // namespace gradus::test
