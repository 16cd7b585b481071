// Derivatives of nodes, as nodes of the same graph: a sweep from the result to the inputs.
#include <iterator>
#include <stdexcept>
#include <utility>

#include "src/model/graph.hpp"

namespace gradus::expression {
namespace {

// Derivatives of an operation by its operands; the second is -1 if it has one only.
std::pair<Node, Node> partial_nodes(Graph& g, Node node) {
  const kernels::Instruction i = g[node];
  const Node one = g.constant(1.0);
  switch (i.operation) {
    case Operation::add:
      return {one, one};
    case Operation::subtract:
      return {one, g.constant(-1.0)};
    case Operation::multiply:
      return {i.b, i.a};
    case Operation::divide:
      return {g.divide(one, i.b), g.negate(g.divide(node, i.b))};
    case Operation::negate:
      return {g.constant(-1.0), -1};
    case Operation::square_root:
    case Operation::norm:
      return {g.divide(g.constant(0.5), node), -1};
    case Operation::sine:
      return {g.apply(Operation::cosine, i.a), -1};
    case Operation::cosine:
      return {g.negate(g.apply(Operation::sine, i.a)), -1};
    case Operation::arc_tangent2: {
      const Node square = g.add(g.multiply(i.a, i.a), g.multiply(i.b, i.b));
      return {g.divide(i.b, square), g.negate(g.divide(i.a, square))};
    }
    case Operation::absolute: {
      const Node is_positive = g.apply(Operation::at_least, i.a, g.constant(0.0));
      return {g.subtract(g.add(is_positive, is_positive), one), -1};
    }
    case Operation::at_least:
      return {g.constant(0.0), g.constant(0.0)};
    default:
      throw std::logic_error("an operation without derivative as an expression");
  }
}

}  // namespace

std::map<int, Node> Graph::derivatives(Node node) {
  std::map<Node, Node> adjoints{{node, constant(1.0)}};  // of what is still to be visited
  std::map<int, Node> result;
  const auto add_to = [&](Node operand, Node share) {
    const auto [place, is_new] = adjoints.try_emplace(operand, share);
    if (!is_new) place->second = add(place->second, share);
  };
  while (!adjoints.empty()) {
    const auto [at, adjoint] = *std::prev(adjoints.end());  // operands have smaller numbers
    adjoints.erase(std::prev(adjoints.end()));
    const kernels::Instruction instruction = (*this)[at];
    if (instruction.operation == Operation::constant) continue;
    if (instruction.operation == Operation::input) {
      result[instruction.a] = adjoint;
      continue;
    }
    const auto [by_a, by_b] = partial_nodes(*this, at);
    add_to(instruction.a, multiply(adjoint, by_a));
    if (instruction.b >= 0) add_to(instruction.b, multiply(adjoint, by_b));
  }
  return result;
}

}  // namespace gradus::expression
