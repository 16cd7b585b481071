// Parses laws in their scope and evaluates those that parameters alone determine.
#include "src/model/law_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/expressions/evaluate.hpp"
#include "src/model/message.hpp"

namespace gradus {

LawCheck::LawCheck(const Model& model, const NominalValues& nominal, const std::string& origin,
                   LawPlace place, std::span<const std::string_view> locals)
    : scope_(graph_, model, origin, place, locals), inputs_(nominal.parameters()) {
  inputs_.resize(static_cast<std::size_t>(scope_.input_count()),
                 std::numeric_limits<double>::quiet_NaN());
}

// Of a node whose operands are known.
LawCheck::Reach LawCheck::reach_of(expression::Node node) const {
  const kernels::Instruction& instruction = graph_[node];
  if (instruction.operation == kernels::Operation::constant) return Reach::parameters;
  if (instruction.operation == kernels::Operation::input) {
    return instruction.a < scope_.time_input()    ? Reach::parameters
           : instruction.a == scope_.time_input() ? Reach::time
                                                  : Reach::sensors;
  }
  Reach reach = Reach::parameters;
  for (const int operand : {instruction.a, instruction.b})
    if (operand >= 0) reach = std::max(reach, reach_[static_cast<std::size_t>(operand)]);
  return reach;
}

// Nodes come after their operands, so the tables of nodes grow along the graph.
expression::Node LawCheck::checked(const Number& law, const std::string& where) {
  const expression::Node node = number(graph_, law, scope_, where);
  const int first = static_cast<int>(results_.size());
  results_.resize(static_cast<std::size_t>(graph_.size()));
  for (int k = first; k < graph_.size(); ++k) {
    kernels::evaluate_one(graph_[k], k, inputs_, results_);
    reach_.push_back(reach_of(k));
  }
  const double value = results_[static_cast<std::size_t>(node)];
  if (reach_[static_cast<std::size_t>(node)] == Reach::parameters && !std::isfinite(value)) {
    reject(where,
           "found " + (law.is_expression() ? in_quotes(law.expression()) : to_text(law.value())),
           "its value is " + to_text(value) + " at the parameter values of the model",
           "expected a finite number");
  }
  return node;
}

std::optional<double> LawCheck::nominal_value(const Number& law, const std::string& where) {
  const auto node = static_cast<std::size_t>(checked(law, where));
  if (reach_[node] != Reach::parameters) return std::nullopt;
  return results_[node];
}

bool LawCheck::uses_sensors(const Number& law, const std::string& where) {
  return reach_[static_cast<std::size_t>(checked(law, where))] == Reach::sensors;
}

}  // namespace gradus
