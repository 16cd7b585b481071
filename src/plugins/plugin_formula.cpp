// Formulas of plug-ins: asked for, and checked before anything relies on them.
#include <algorithm>
#include <cmath>
#include <exception>

#include "src/model/message.hpp"
#include "src/plan/draft.hpp"
#include "src/plugins/plugin_force.hpp"

namespace gradus {
namespace {

using PluginInstruction = gradus_plugin_instruction;

constexpr int longest = 100000;  // instructions

bool has_operands(const PluginInstruction& i) {
  return i.operation > GRADUS_PLUGIN_INPUT;
}

// How many of an input there are for a force, which are told apart by `b`.
int count_of(const PluginForce& kind, int input) {
  const bool is_moving = kind.acts_on == ActsOn::line || kind.acts_on == ActsOn::coordinate;
  switch (input) {
    case GRADUS_PLUGIN_KEY:
      return 3 * static_cast<int>(kind.keys.size());
    case GRADUS_PLUGIN_EXTENT:
    case GRADUS_PLUGIN_RATE:
      return is_moving ? 1 : 0;
    case GRADUS_PLUGIN_TIME:
      return 1;
    case GRADUS_PLUGIN_STATE:
      return static_cast<int>(kind.states.size());
    case GRADUS_PLUGIN_POSITION:
    case GRADUS_PLUGIN_VELOCITY:
      return kind.acts_on == ActsOn::point || kind.acts_on == ActsOn::bodies ? 3 : 0;
    case GRADUS_PLUGIN_ANGULAR_VELOCITY:
      return kind.acts_on == ActsOn::body || kind.acts_on == ActsOn::bodies ? 3 : 0;
    case GRADUS_PLUGIN_ROTATION:
      return kind.acts_on == ActsOn::bodies ? 4 : 0;
    default:
      return 0;
  }
}

std::string problem_of_input(const PluginForce& kind, const PluginInstruction& i) {
  const std::string what =
      "it reads input " + std::to_string(i.a) + " number " + std::to_string(i.b);
  if (i.b < 0 || i.b >= count_of(kind, i.a)) return what + ", which such a force does not have";
  if (i.a != GRADUS_PLUGIN_KEY) return "";
  const ForceKey& key = kind.keys[index(i.b / 3)];
  if (key.content == ForceContent::choice)
    return "it computes with the choice " + in_quotes(key.name);
  return i.b % 3 < key.size ? "" : what + ", which is no component of " + in_quotes(key.name);
}

// What is wrong with an instruction; empty if nothing is.
std::string problem_of(const PluginForce& kind, const std::vector<PluginInstruction>& all,
                       int place) {
  const PluginInstruction& i = all[index(place)];
  const std::string what = "its instruction " + std::to_string(place) + " ";
  if (i.operation < 0 || i.operation > GRADUS_PLUGIN_AT_LEAST)
    return what + "is operation " + std::to_string(i.operation) + ", which there is not";
  if (i.operation == GRADUS_PLUGIN_INPUT) return problem_of_input(kind, i);
  if (i.operation == GRADUS_PLUGIN_CONSTANT)
    return std::isfinite(i.value) ? "" : "a number in it is not finite: " + to_text(i.value);
  const bool is_fine =
      i.a >= 0 && i.a < place && (!has_two_operands(i) || (i.b >= 0 && i.b < place));
  return is_fine ? "" : what + "uses what comes after it";
}

// Marks what is needed for `results`; returns what is wrong with that.
std::string mark_needed(const PluginForce& kind, PluginFormula& formula,
                        std::span<const int> results) {
  const int count = static_cast<int>(formula.instructions.size());
  formula.needed.assign(formula.instructions.size(), false);
  for (const int result : results) {
    if (result < 0 || result >= count)
      return "its result is instruction " + std::to_string(result) + " of " + std::to_string(count);
    formula.needed[index(result)] = true;
  }
  for (int place = count - 1; place >= 0; --place) {
    if (!formula.needed[index(place)]) continue;
    if (std::string problem = problem_of(kind, formula.instructions, place); !problem.empty())
      return problem;
    const PluginInstruction& i = formula.instructions[index(place)];
    if (!has_operands(i)) continue;
    formula.needed[index(i.a)] = true;
    if (has_two_operands(i)) formula.needed[index(i.b)] = true;
  }
  return "";
}

std::string problem_of(const PluginForce& kind, PluginFormula& formula) {
  const int size = size_of_force(kind);
  const int expected = size + static_cast<int>(kind.states.size());
  if (static_cast<int>(formula.results.size()) != expected)
    return "it has " + counted(formula.results.size(), "result") + " and should have " +
           std::to_string(expected) + ": the force" +
           (size == 6   ? " and the torque in three components each"
            : size == 3 ? " in three components"
                        : "") +
           (kind.states.empty() ? "" : " and the rates of its states");
  // Of the force alone first: a state may well grow at a constant rate.
  std::string problem = mark_needed(kind, formula, std::span(formula.results).first(index(size)));
  if (!problem.empty()) return problem;
  bool depends = false;
  for (std::size_t i = 0; i < formula.needed.size(); ++i)
    depends =
        depends || (formula.needed[i] && formula.instructions[i].operation == GRADUS_PLUGIN_INPUT);
  if (!depends) return "its result is a number that depends on nothing, neither keys nor motion";
  return mark_needed(kind, formula, formula.results);
}

// Called by the plug-in: nothing may be thrown.
void take_formula(void* context, const PluginInstruction* instructions, int instruction_count,
                  const int* results, int result_count) {
  PluginFormula& formula = *static_cast<PluginFormula*>(context);
  try {
    if (instructions == nullptr || results == nullptr || instruction_count < 0 ||
        instruction_count > longest || result_count < 0 || result_count > longest) {
      formula.problem = "it replies with lists that cannot be read, or are too long";
      return;
    }
    formula.instructions.assign(instructions, instructions + instruction_count);
    formula.results.assign(results, results + result_count);
    formula.problem.clear();
  } catch (const std::exception&) {
    formula.problem.assign("no memory");  // needs none
  }
}

void take_problem(void* context, const char* message) {
  PluginFormula& formula = *static_cast<PluginFormula*>(context);
  try {
    formula.problem = message == nullptr ? "it does not say why" : "it says " + in_quotes(message);
  } catch (const std::exception&) {
    formula.problem.assign("no memory");
  }
}

}  // namespace

PluginFormula formula_of(const PluginForce& kind, const Force& force) {
  std::vector<int> said, choices;
  for (const ForceKey& key : kind.keys) {
    said.push_back(force.find(key.name) != nullptr ? 1 : 0);
    const auto found = std::find(key.choices.begin(), key.choices.end(), text_of(force, key.name));
    choices.push_back(found == key.choices.end() ? 0
                                                 : static_cast<int>(found - key.choices.begin()));
  }
  PluginFormula formula;
  formula.problem = "it does not reply";
  const gradus_plugin_question question{said.data(), choices.data()};
  const gradus_plugin_reply reply{&formula, take_formula, take_problem};
  kind.formula(&question, &reply);
  if (formula.problem.empty()) formula.problem = problem_of(kind, formula);
  return formula;
}

bool has_two_operands(const PluginInstruction& i) {
  return (i.operation >= GRADUS_PLUGIN_ADD && i.operation <= GRADUS_PLUGIN_POWER) ||
         i.operation == GRADUS_PLUGIN_ATAN2 || i.operation >= GRADUS_PLUGIN_MIN;
}

int size_of_force(const PluginForce& kind) {
  if (kind.acts_on == ActsOn::bodies) return 6;
  return kind.acts_on == ActsOn::point || kind.acts_on == ActsOn::body ? 3 : 1;
}

PluginFormula usable_formula_of(const Force& force, const std::string& where) {
  const auto& kind = static_cast<const PluginForce&>(kind_of(force));
  PluginFormula formula = formula_of(kind, force);
  if (!formula.problem.empty())
    reject(where, "the formula of " + in_quotes(kind.type) + " cannot be used", formula.problem,
           "see its plug-in " + std::string(kind.origin));
  return formula;
}

void check_plugin_force(const Force& force, const std::string& where) {
  usable_formula_of(force, where);
}

}  // namespace gradus
