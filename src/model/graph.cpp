// Sharing, folding and compiling of expressions.
#include "src/model/graph.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/expressions/evaluate.hpp"

namespace gradus::expression {

using kernels::Instruction;

std::size_t Graph::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = key.value_bits + static_cast<std::uint64_t>(key.operation);
  for (const int operand : {key.a, key.b})
    hash = (hash ^ (hash >> 29)) * 0x9E3779B97F4A7C15ULL + static_cast<std::uint64_t>(operand);
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

Node Graph::intern(const Instruction& instruction) {
  const Key key{instruction.operation, instruction.a, instruction.b,
                std::bit_cast<std::uint64_t>(instruction.value)};
  const auto [entry, is_new] = known_.try_emplace(key, size());
  if (is_new) nodes_.push_back(instruction);
  return entry->second;
}

Node Graph::constant(double value) {
  return intern({Operation::constant, -1, -1, value});
}

Node Graph::input(int index) {
  return intern({Operation::input, index, -1, 0.0});
}

Node Graph::spline(Node x, int number) {
  return intern({Operation::spline, x, -1, static_cast<double>(number)});
}

void Graph::note_spline(Node node, SplineCall call) {
  if (!is_constant(node)) splines_.try_emplace(node, std::move(call));
}

const SplineCall* Graph::spline_at(Node node) const {
  const auto found = splines_.find(node);
  return found == splines_.end() ? nullptr : &found->second;
}

bool Graph::is_constant(Node node) const {
  return (*this)[node].operation == Operation::constant;
}

double Graph::constant_value(Node node) const {
  return (*this)[node].value;
}

bool Graph::is(Node node, double value) const {
  return is_constant(node) && constant_value(node) == value;
}

Node Graph::apply(Operation operation, Node a, Node b) {
  if (is_constant(a) && (b < 0 || is_constant(b))) {
    const Instruction instruction{operation, 0, 1, 0.0};
    double numbers[3] = {constant_value(a), b < 0 ? 0.0 : constant_value(b), 0.0};
    const kernels::NoSplines none;
    kernels::operations::Forward<double[3], kernels::NoSplines> fold{instruction, 2, numbers, none};
    kernels::operations::visit(operation, fold);
    return constant(numbers[2]);
  }
  const Node simple = simplified(operation, a, b);
  if (simple >= 0) return simple;
  const bool commutes = operation == Operation::add || operation == Operation::multiply;
  if (commutes && a > b) std::swap(a, b);
  return intern({operation, a, b, 0.0});
}

Node Graph::simplified(Operation operation, Node a, Node b) {
  const auto is_negation = [this](Node node) {
    return (*this)[node].operation == Operation::negate;
  };
  switch (operation) {
    case Operation::add:
      if (is(a, 0.0)) return b;
      if (is(b, 0.0)) return a;
      if (is_negation(b)) return subtract(a, (*this)[b].a);
      if (is_negation(a)) return subtract(b, (*this)[a].a);
      return -1;
    case Operation::subtract:
      if (is(b, 0.0)) return a;
      if (is(a, 0.0)) return negate(b);
      if (is_negation(b)) return add(a, (*this)[b].a);
      return -1;
    case Operation::multiply:
      if (is(a, 0.0) || is(b, 0.0)) return constant(0.0);
      if (is(a, 1.0)) return b;
      if (is(b, 1.0)) return a;
      if (is(a, -1.0)) return negate(b);
      if (is(b, -1.0)) return negate(a);
      return -1;
    case Operation::scale:
      if (is(a, 0.0)) return constant(0.0);
      if (is(a, 1.0)) return b;
      if (is(a, -1.0)) return negate(b);
      return is_constant(a) || is_constant(b) ? multiply(a, b) : -1;
    case Operation::divide:
      return is(b, 1.0) ? a : is(b, -1.0) ? negate(a) : -1;
    case Operation::negate:
      return is_negation(a) ? (*this)[a].a : -1;
    case Operation::power:
      // Products are far cheaper than a general power, and serve negative bases.
      if (is(b, 0.0)) return constant(1.0);
      if (is(b, 1.0)) return a;
      if (is(b, 2.0)) return multiply(a, a);
      if (is(b, 3.0)) return multiply(multiply(a, a), a);
      if (is(b, -1.0)) return divide(constant(1.0), a);
      return -1;
    default:
      return -1;
  }
}

std::vector<int> Graph::inputs_of(Node node) const {
  std::vector<int> inputs;
  std::vector<Node> open{node};
  seen_.resize(nodes_.size(), 0);
  const int search = ++searches_;
  const auto is_new = [&](Node operand) {
    return std::exchange(seen_[static_cast<std::size_t>(operand)], search) != search;
  };
  while (!open.empty()) {
    const Instruction& instruction = (*this)[open.back()];
    open.pop_back();
    if (instruction.operation == Operation::constant) continue;
    if (instruction.operation == Operation::input) {
      inputs.push_back(instruction.a);
      continue;
    }
    for (const Node operand : {instruction.a, instruction.b})
      if (operand >= 0 && is_new(operand)) open.push_back(operand);
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

Program compile(const Graph& graph, const std::vector<Node>& outputs,
                const std::function<int(const SplineCall&)>& number_of) {
  // Operands come before their operations in the graph already, so marking backwards and copying
  // forwards is enough.
  std::vector<int> place(static_cast<std::size_t>(graph.size()), -1);
  const auto at = [&place](Node node) -> int& { return place[static_cast<std::size_t>(node)]; };
  for (const Node output : outputs) at(output) = 0;
  std::unordered_map<Node, Instruction> splines;  // with nodes as operands
  for (Node node = graph.size() - 1; node >= 0; --node) {
    const Instruction& instruction = graph[node];
    const bool has_operands =
        instruction.operation != Operation::constant && instruction.operation != Operation::input;
    if (at(node) < 0 || !has_operands) continue;
    const SplineCall* const call = number_of ? graph.spline_at(node) : nullptr;
    if (const int number = call == nullptr ? -1 : number_of(*call); number >= 0) {
      splines.emplace(node, Instruction{Operation::spline, call->x, -1, double(number)});
      at(call->x) = 0;
      continue;
    }
    at(instruction.a) = 0;
    if (instruction.b >= 0) at(instruction.b) = 0;
  }
  Program program;
  for (Node node = 0; node < graph.size(); ++node) {
    if (at(node) < 0) continue;
    at(node) = static_cast<int>(program.instructions.size());
    const auto spline = splines.find(node);
    Instruction instruction = spline == splines.end() ? graph[node] : spline->second;
    if (instruction.operation != Operation::constant && instruction.operation != Operation::input) {
      instruction.a = at(instruction.a);
      if (instruction.b >= 0) instruction.b = at(instruction.b);
    }
    program.instructions.push_back(instruction);
  }
  for (const Node output : outputs) program.outputs.push_back(at(output));
  return program;
}

}  // namespace gradus::expression
