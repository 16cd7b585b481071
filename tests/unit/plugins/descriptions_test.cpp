// What plug-ins say in C, for which no compiler vouches: refused, whatever it is.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "gradus/error.hpp"
#include "src/plugins/plugin_force.hpp"

namespace gradus::test {
namespace {

using Instruction = gradus_plugin_instruction;

// A force k l along a line with a choice and a state, before something is changed about it.
struct Described {
  const char* choices[2] = {"a", "b"};
  gradus_plugin_key keys[2] = {{"k", "N/m", GRADUS_PLUGIN_NUMBER, 1, 1, 0, nullptr, 0},
                               {"c", nullptr, GRADUS_PLUGIN_CHOICE, 1, 0, 0, choices, 2}};
  gradus_plugin_state states[2] = {{"s", nullptr, "k"}, {"t", nullptr, nullptr}};
  gradus_plugin_force force{"by-hand",
                            GRADUS_PLUGIN_LINE,
                            keys,
                            2,
                            states,
                            2,
                            [](const gradus_plugin_question*, const gradus_plugin_reply*) {}};
};

template <class Change>
std::string refusal(const Change& change) {
  Described d;
  change(d);
  try {
    const PluginForce kind(d.force, "libforce.so");
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

template <class Change>
void expect_refusal(const std::string& says, const Change& change) {
  const std::string found = refusal(change);
  EXPECT_EQ(found.rfind("libforce.so", 0), 0U) << found;
  EXPECT_NE(found.find(says), std::string::npos) << found << "\nexpected: " << says;
}

TEST(PluginDescriptions, ThatAreWrongAreRefused) {
  EXPECT_EQ(refusal([](Described&) {}), "none");
  expect_refusal("found the type \"\"", [](Described& d) { d.force.type = nullptr; });
  expect_refusal("found the type \"a b\" (model files could not name it)",
                 [](Described& d) { d.force.type = "a b"; });
  expect_refusal("it acts on number 9", [](Described& d) { d.force.acts_on = 9; });
  expect_refusal("found a list of -1 keys", [](Described& d) { d.force.key_count = -1; });
  expect_refusal("found a list of 2 keys", [](Described& d) { d.force.keys = nullptr; });
  expect_refusal("found a list of 100000 states",
                 [](Described& d) { d.force.state_count = 100000; });
  expect_refusal("found no formula", [](Described& d) { d.force.formula = nullptr; });
  expect_refusal("found the key \"from\"", [](Described& d) { d.keys[0].name = "from"; });
  expect_refusal("found the key \"type\"", [](Described& d) { d.keys[0].name = "type"; });
  expect_refusal("found the key \"c\" twice", [](Described& d) { d.keys[0].name = "c"; });
  expect_refusal("found the key \"k-l\"", [](Described& d) { d.keys[0].name = "k-l"; });
  expect_refusal("its content is number 7", [](Described& d) { d.keys[0].content = 7; });
  expect_refusal("it has 2 components", [](Described& d) { d.keys[0].size = 2; });
  expect_refusal("it has 3 components", [](Described& d) { d.keys[1].size = 3; });
  expect_refusal("only single numbers", [](Described& d) { d.keys[1].is_positive = 1; });
  expect_refusal("it is a choice of nothing", [](Described& d) { d.keys[1].choice_count = 0; });
  expect_refusal("it is a choice of nothing", [](Described& d) { d.keys[1].choices = nullptr; });
  expect_refusal("which starts at \"c\"", [](Described& d) { d.states[0].initial = "c"; });
  expect_refusal("found the state \"s\" twice", [](Described& d) { d.states[1].name = "s"; });
  expect_refusal("found the state \"1\"", [](Described& d) { d.states[1].name = "1"; });
}

void reply_with(const gradus_plugin_reply* reply, const Instruction& last, int result) {
  const Instruction list[] = {{GRADUS_PLUGIN_INPUT, GRADUS_PLUGIN_KEY, 0, 0.0}, last};
  const int results[] = {result, 0, 0};
  reply->formula(reply->context, list, 2, results, 3);
}

using Reply = void (*)(const gradus_plugin_question*, const gradus_plugin_reply*);

std::string problem_of(Reply formula) {
  Described d;
  d.force.formula = formula;
  const PluginForce kind(d.force, "libforce.so");
  return formula_of(kind, {"pull", "by-hand", {{"k", 1}}}).problem;
}

void expect_problem(const std::string& says, Reply formula) {
  const std::string found = problem_of(formula);
  EXPECT_NE(found.find(says), std::string::npos) << found << "\nexpected: " << says;
}

#define REPLY(...) \
  [](const gradus_plugin_question*, const gradus_plugin_reply* r) { reply_with(r, __VA_ARGS__); }

TEST(PluginDescriptions, FormulasAreCheckedBeforeTheyAreUsed) {
  EXPECT_EQ(problem_of(REPLY({GRADUS_PLUGIN_ABS, 0, -1, 0.0}, 1)), "");
  expect_problem("it does not reply",
                 [](const gradus_plugin_question*, const gradus_plugin_reply*) {});
  expect_problem("uses what comes after it", REPLY({GRADUS_PLUGIN_ABS, 1, -1, 0.0}, 1));
  expect_problem("uses what comes after it", REPLY({GRADUS_PLUGIN_ADD, 0, -1, 0.0}, 1));
  expect_problem("is operation 26", REPLY({26, 0, 0, 0.0}, 1));
  expect_problem("is operation -1", REPLY({-1, 0, 0, 0.0}, 1));
  expect_problem("input 5 number 0, which such a force does not have",
                 REPLY({GRADUS_PLUGIN_INPUT, GRADUS_PLUGIN_POSITION, 0, 0.0}, 1));
  expect_problem("which such a force does not have",
                 REPLY({GRADUS_PLUGIN_INPUT, GRADUS_PLUGIN_STATE, 2, 0.0}, 1));
  expect_problem("which such a force does not have",
                 REPLY({GRADUS_PLUGIN_INPUT, GRADUS_PLUGIN_KEY, 6, 0.0}, 1));
  expect_problem("which is no component of \"k\"",
                 REPLY({GRADUS_PLUGIN_INPUT, GRADUS_PLUGIN_KEY, 1, 0.0}, 1));
  expect_problem("it computes with the choice \"c\"",
                 REPLY({GRADUS_PLUGIN_INPUT, GRADUS_PLUGIN_KEY, 3, 0.0}, 1));
  expect_problem("not finite", REPLY({GRADUS_PLUGIN_CONSTANT, 0, 0, INFINITY}, 1));
  expect_problem("a number that depends on nothing", REPLY({GRADUS_PLUGIN_CONSTANT, 0, 0, 3.0}, 1));
  expect_problem("its result is instruction 2 of 2", REPLY({GRADUS_PLUGIN_ABS, 0, -1, 0.0}, 2));
  expect_problem("its result is instruction -1 of 2", REPLY({GRADUS_PLUGIN_ABS, 0, -1, 0.0}, -1));
  // What no result needs does not matter.
  EXPECT_EQ(problem_of(REPLY({26, 0, 0, 0.0}, 0)), "");
  expect_problem("cannot be read", [](const gradus_plugin_question*, const gradus_plugin_reply* r) {
    r->formula(r->context, nullptr, 5, nullptr, 3);
  });
  expect_problem("should have 3", [](const gradus_plugin_question*, const gradus_plugin_reply* r) {
    const Instruction list[] = {{GRADUS_PLUGIN_INPUT, GRADUS_PLUGIN_KEY, 0, 0.0}};
    const int results[] = {0};
    r->formula(r->context, list, 1, results, 1);
  });
  expect_problem("it does not say why",
                 [](const gradus_plugin_question*, const gradus_plugin_reply* r) {
                   r->problem(r->context, nullptr);
                 });
}

#undef REPLY

}  // namespace
}  // namespace gradus::test
