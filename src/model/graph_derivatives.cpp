// Derivatives of nodes, as nodes of the same graph: a sweep from the result to the inputs.
#include <iterator>
#include <stdexcept>
#include <utility>

#include "src/model/graph.hpp"

namespace gradus::expression {
namespace {

// sqrt(1 - x^2)
Node root_of_rest(Graph& g, Node x) {
  return g.apply(Operation::square_root, g.subtract(g.constant(1.0), g.multiply(x, x)));
}

// Derivatives of an operation by its operands; the second is -1 if it has one only. At kinks they
// are those that kernels take (kernels/expressions/evaluate.hpp).
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
    case Operation::tangent:
      return {g.add(one, g.multiply(node, node)), -1};
    case Operation::arc_sine:
      return {g.divide(one, root_of_rest(g, i.a)), -1};
    case Operation::arc_cosine:
      return {g.negate(g.divide(one, root_of_rest(g, i.a))), -1};
    case Operation::arc_tangent:
      return {g.divide(one, g.add(one, g.multiply(i.a, i.a))), -1};
    case Operation::hyperbolic_sine:
      return {g.apply(Operation::hyperbolic_cosine, i.a), -1};
    case Operation::hyperbolic_cosine:
      return {g.apply(Operation::hyperbolic_sine, i.a), -1};
    case Operation::hyperbolic_tangent:
      return {g.subtract(one, g.multiply(node, node)), -1};
    case Operation::exponential:
      return {node, -1};
    case Operation::logarithm:
      return {g.divide(one, i.a), -1};
    case Operation::power:
      return {g.multiply(i.b, g.apply(Operation::power, i.a, g.subtract(i.b, one))),
              g.is_constant(i.b) ? g.constant(0.0)
                                 : g.multiply(node, g.apply(Operation::logarithm, i.a))};
    case Operation::absolute: {
      const Node is_positive = g.apply(Operation::at_least, i.a, g.constant(0.0));
      return {g.subtract(g.add(is_positive, is_positive), one), -1};
    }
    case Operation::minimum: {
      const Node is_first = g.apply(Operation::at_least, i.b, i.a);
      return {is_first, g.subtract(one, is_first)};
    }
    case Operation::maximum: {
      const Node is_first = g.apply(Operation::at_least, i.a, i.b);
      return {is_first, g.subtract(one, is_first)};
    }
    case Operation::at_least:
      return {g.constant(0.0), g.constant(0.0)};
    case Operation::scale:
      return {i.b, i.a};
    case Operation::floor:
      return {g.constant(0.0), -1};
    case Operation::constant:
    case Operation::input:
    case Operation::spline:  // is made of operations where it is differentiated
      break;
  }
  throw std::logic_error("an operation without derivative as an expression");
}

// What an operand is worth, by what the result is. As in the kernels: what nothing asks for, or is
// not chosen, counts for nothing, even where it is infinitely steep.
Node share_of(Graph& g, Operation operation, Node adjoint, Node partial) {
  switch (operation) {
    case Operation::add:
    case Operation::subtract:
    case Operation::negate:
    case Operation::multiply:
      return g.multiply(adjoint, partial);
    case Operation::minimum:
    case Operation::maximum:
      return g.apply(Operation::scale, partial, adjoint);
    default:
      return g.apply(Operation::scale, adjoint, partial);
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
    const Node at = adjoints.rbegin()->first;  // operands have smaller numbers
    const Node adjoint = adjoints.rbegin()->second;
    adjoints.erase(std::prev(adjoints.end()));
    const kernels::Instruction instruction = (*this)[at];
    if (instruction.operation == Operation::constant) continue;
    if (instruction.operation == Operation::input) {
      result[instruction.a] = adjoint;
      continue;
    }
    const auto [by_a, by_b] = partial_nodes(*this, at);
    const auto share = [&](Node partial) {
      return share_of(*this, instruction.operation, adjoint, partial);
    };
    add_to(instruction.a, share(by_a));
    if (instruction.b >= 0) add_to(instruction.b, share(by_b));
  }
  return result;
}

}  // namespace gradus::expression
