// Formulas of plug-ins: asked for, checked, and written into a plan as the expression of the model
// that they amount to, so that nothing behind this file tells them from a law in the model.
#include <algorithm>
#include <array>
#include <cmath>
#include <exception>

#include "src/model/message.hpp"
#include "src/plan/force_draft.hpp"
#include "src/plugins/plugin_force.hpp"

namespace gradus {
namespace {

using expression::Node;
using kernels::Operation;
using Instruction = gradus_plugin_instruction;

// By gradus_plugin_operation.
constexpr std::array operations{
    Operation::constant,
    Operation::input,
    Operation::add,
    Operation::subtract,
    Operation::multiply,
    Operation::divide,
    Operation::power,
    Operation::negate,
    Operation::square_root,
    Operation::norm,
    Operation::sine,
    Operation::cosine,
    Operation::tangent,
    Operation::arc_sine,
    Operation::arc_cosine,
    Operation::arc_tangent,
    Operation::arc_tangent2,
    Operation::hyperbolic_sine,
    Operation::hyperbolic_cosine,
    Operation::hyperbolic_tangent,
    Operation::exponential,
    Operation::logarithm,
    Operation::absolute,
    Operation::minimum,
    Operation::maximum,
    Operation::at_least,
};
static_assert(operations.size() == GRADUS_PLUGIN_AT_LEAST + 1);

constexpr int longest = 100000;  // instructions

bool has_operands(const Instruction& i) {
  return i.operation > GRADUS_PLUGIN_INPUT;
}

bool has_two(const Instruction& i) {
  return (i.operation >= GRADUS_PLUGIN_ADD && i.operation <= GRADUS_PLUGIN_POWER) ||
         i.operation == GRADUS_PLUGIN_ATAN2 || i.operation >= GRADUS_PLUGIN_MIN;
}

int size_of_force(const PluginForce& kind) {
  return kind.acts_on == ActsOn::point || kind.acts_on == ActsOn::body ? 3 : 1;
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
      return kind.acts_on == ActsOn::point ? 3 : 0;
    case GRADUS_PLUGIN_ANGULAR_VELOCITY:
      return kind.acts_on == ActsOn::body ? 3 : 0;
    default:
      return 0;
  }
}

std::string problem_of_input(const PluginForce& kind, const Instruction& i) {
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
std::string problem_of(const PluginForce& kind, const std::vector<Instruction>& all, int place) {
  const Instruction& i = all[index(place)];
  const std::string what = "its instruction " + std::to_string(place) + " ";
  if (i.operation < 0 || i.operation > GRADUS_PLUGIN_AT_LEAST)
    return what + "is operation " + std::to_string(i.operation) + ", which there is not";
  if (i.operation == GRADUS_PLUGIN_INPUT) return problem_of_input(kind, i);
  if (i.operation == GRADUS_PLUGIN_CONSTANT)
    return std::isfinite(i.value) ? "" : "a number in it is not finite: " + to_text(i.value);
  const bool is_fine = i.a >= 0 && i.a < place && (!has_two(i) || (i.b >= 0 && i.b < place));
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
    const Instruction& i = formula.instructions[index(place)];
    if (!has_operands(i)) continue;
    formula.needed[index(i.a)] = true;
    if (has_two(i)) formula.needed[index(i.b)] = true;
  }
  return "";
}

std::string problem_of(const PluginForce& kind, PluginFormula& formula) {
  const int size = size_of_force(kind);
  const int expected = size + static_cast<int>(kind.states.size());
  if (static_cast<int>(formula.results.size()) != expected)
    return "it has " + counted(formula.results.size(), "result") + " and should have " +
           std::to_string(expected) + ": the force" + (size == 3 ? " in three components" : "") +
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
void take_formula(void* context, const Instruction* instructions, int instruction_count,
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

class FormulaWriter {
 public:
  FormulaWriter(ForceDraft& force, const PluginFormula& formula)
      : force_(force),
        kind_(static_cast<const PluginForce&>(force.kind())),
        formula_(formula),
        nodes_(formula.instructions.size(), -1) {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (formula.needed[i]) nodes_[i] = node_of(formula.instructions[i]);
  }

  void write() {
    const auto result = [this](int number) {
      return [this, number](const ForceFormula& f) { return result_in(f, number); };
    };
    const int size = size_of_force(kind_);
    if (kind_.acts_on == ActsOn::line) force_.pull(result(0));
    if (kind_.acts_on == ActsOn::coordinate) force_.push(result(0));
    for (int k = 0; size == 3 && k < 3; ++k) force_.add_component(k, false, result(k));
    for (std::size_t s = 0; s < kind_.states.size(); ++s)
      force_.drive(kind_.states[s].name, result(size + static_cast<int>(s)));
  }

 private:
  // Places of what moves, among the inputs that only this force knows.
  enum Local { extent = 0, rate = 1, position = 2, velocity = 5, angular_velocity = 8, state = 11 };

  // In the graph of the draft.
  Node node_of(const Instruction& i) {
    expression::Graph& graph = force_.draft().graph;
    if (i.operation == GRADUS_PLUGIN_CONSTANT) return graph.constant(i.value);
    if (i.operation == GRADUS_PLUGIN_INPUT) return input(i.a, i.b);
    return graph.apply(operations[index(i.operation)], nodes_[index(i.a)],
                       has_two(i) ? nodes_[index(i.b)] : -1);
  }

  Node input(int kind, int which) {
    const auto local = [&](Local first) {
      return force_.draft().graph.input(
          force_.laws().local_input(static_cast<std::size_t>(first + which)));
    };
    switch (kind) {
      case GRADUS_PLUGIN_KEY:
        return value(kind_.keys[index(which / 3)], which % 3);
      case GRADUS_PLUGIN_EXTENT:
        return local(extent);
      case GRADUS_PLUGIN_RATE:
        return local(rate);
      case GRADUS_PLUGIN_STATE:
        return local(state);
      case GRADUS_PLUGIN_POSITION:
        return local(position);
      case GRADUS_PLUGIN_VELOCITY:
        return local(velocity);
      case GRADUS_PLUGIN_ANGULAR_VELOCITY:
        return local(angular_velocity);
      default:
        return force_.draft().graph.input(force_.laws().time_input());
    }
  }

  // Of a key that is positive: no number for a design in which it is not, which then fails.
  Node value(const ForceKey& key, int component) {
    expression::Graph& graph = force_.draft().graph;
    const ForceValue* const said = force_.force().find(key.name);
    if (said == nullptr) return graph.constant(0.0);
    const Number& number = said->vector()[index(component)];
    const std::string path =
        force_.path(key.name) + (key.size > 1 ? "/" + std::to_string(component) : "");
    if (key.content == ForceContent::law) return force_.laws().node(number, path);
    const Node node = force_.draft().node(number, path);
    if (!key.is_positive) return node;
    const Node root = graph.apply(Operation::square_root, node);
    return graph.multiply(node, graph.divide(root, root));
  }

  // A result, in the law that the formula is written into.
  Recorded result_in(const ForceFormula& f, int number) {
    LawWriter& law = f.law();
    std::vector<Node> locals(state, law.constant(0.0));
    locals[extent] = f.length().in(law);
    locals[rate] = f.rate().in(law);
    const auto set = [&](Local first, const Nodes3& vector) {
      std::copy(vector.begin(), vector.end(), locals.begin() + first);
    };
    if (kind_.acts_on == ActsOn::point) {
      const int at = force_.point("at");
      set(position, law.position(at));
      set(velocity, law.velocity(at));
    }
    if (kind_.acts_on == ActsOn::body)
      set(angular_velocity,
          law.vector(kernels::LawInputKind::angular_velocity, force_.body("body")));
    for (const ForceState& s : kind_.states) locals.push_back(f.state(s.name).in(law));
    const Node root = nodes_[index(formula_.results[index(number)])];
    return {law, force_.laws().lowered(law, root, locals)};
  }

  ForceDraft& force_;
  const PluginForce& kind_;
  const PluginFormula& formula_;
  std::vector<Node> nodes_;  // [instruction]
};

[[noreturn]] void refuse(const Force& force, const std::string& problem, const std::string& where) {
  const ForceKind& kind = kind_of(force);
  reject(where, "the formula of " + in_quotes(kind.type) + " cannot be used", problem,
         "see its plug-in " + std::string(kind.origin));
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

void check_plugin_force(const Force& force, const std::string& where) {
  const std::string problem =
      formula_of(static_cast<const PluginForce&>(kind_of(force)), force).problem;
  if (!problem.empty()) refuse(force, problem, where);
}

void write_plugin_force(ForceDraft& draft) {
  const PluginFormula formula =
      formula_of(static_cast<const PluginForce&>(draft.kind()), draft.force());
  if (!formula.problem.empty())
    refuse(draft.force(), formula.problem, draft.draft().where("/forces/" + draft.name()));
  FormulaWriter(draft, formula).write();
}

}  // namespace gradus
