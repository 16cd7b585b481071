// Derivatives of nodes, as nodes of the same graph: a sweep from the result to the inputs.
#include <iterator>
#include <stdexcept>
#include <utility>

#include "src/model/graph.hpp"

namespace gradus::expression {
namespace {

// Derivative of arc_ratio(a, b) by a, without 0/0 where a vanishes: as kernels/math/arc_ratio.hpp
// has it, the series for small a/b^2 and the closed form for others, each kept to where it is good.
Node arc_ratio_by_square(Graph& g, Node a, Node b) {
  const Node square = g.multiply(b, b);
  constexpr double kSmallSquare = 0.25;  // of a / b^2: the series serves up to here
  constexpr int kTerms = 32;
  const Node limit = g.constant(kSmallSquare);
  const Node far = g.apply(Operation::maximum, a, g.multiply(limit, square));
  const Node closed =
      g.divide(g.multiply(g.constant(0.5), g.subtract(g.divide(b, g.add(far, square)),
                                                      g.apply(Operation::arc_ratio, far, b))),
               far);
  const Node ratio = g.divide(a, square);
  const Node near = g.apply(Operation::minimum, ratio, limit);
  Node series = g.constant(0.0);
  for (int k = kTerms; k >= 1; --k) {
    const double sign = k % 2 == 0 ? 1.0 : -1.0;
    series = g.add(g.constant(sign * k / (2.0 * k + 1.0)), g.multiply(near, series));
  }
  series = g.divide(series, g.multiply(square, b));
  const Node is_far = g.apply(Operation::at_least, ratio, limit);
  return g.add(g.multiply(is_far, closed), g.multiply(g.subtract(g.constant(1.0), is_far), series));
}

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
    case Operation::arc_ratio:
      return {arc_ratio_by_square(g, i.a, i.b),
              g.divide(g.constant(-1.0), g.add(i.a, g.multiply(i.b, i.b)))};
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
