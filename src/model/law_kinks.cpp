// Whether a law may jump or have a kink where motions pass, by the form of its expression.
#include <cmath>
#include <unordered_set>

#include "src/model/nominal.hpp"

namespace gradus {
namespace {

using expression::Graph;
using expression::Node;
using expression::Operation;

// Whether a node is a root, or a power like one, of what passes zero by its form: a product.
bool is_root_of_product(const Graph& graph, const kernels::Instruction& i) {
  const bool is_root = i.operation == Operation::square_root ||
                       (i.operation == Operation::power && graph.is_constant(i.b) &&
                        graph.constant_value(i.b) != std::floor(graph.constant_value(i.b)));
  const Operation inner = graph[i.a].operation;
  return is_root &&
         (inner == Operation::multiply || inner == Operation::divide || inner == Operation::power);
}

// Whether a denominator is an absolute value, a length or a root of a product that moves, or a
// multiple of one: what has both signs above it jumps.
template <class Moves>
bool hides_sign(const Graph& graph, Node node, const Moves& moves) {
  const kernels::Instruction& i = graph[node];
  if (!moves(node)) return false;
  switch (i.operation) {
    case Operation::absolute:
    case Operation::norm:
      return true;
    case Operation::square_root:
      return is_root_of_product(graph, i);
    case Operation::multiply:
    case Operation::divide:
      return hides_sign(graph, i.a, moves) || hides_sign(graph, i.b, moves);
    case Operation::negate:
    case Operation::power:
      return hides_sign(graph, i.a, moves);
    default:
      return false;
  }
}

// Whether the slope of a spline jumps at its knots or ends.
bool has_corners(const expression::SplineShape& shape) {
  using kernels::SplineEnds;
  using kernels::SplineKind;
  const bool is_flat = shape.kind == SplineKind::clamped && !shape.given_slopes;
  return shape.kind == SplineKind::linear || (shape.ends == SplineEnds::hold && !is_flat) ||
         (shape.ends == SplineEnds::repeat && shape.kind != SplineKind::periodic);
}

}  // namespace

std::string LawCheck::kink() const {
  std::vector<Node> open{last_};
  std::unordered_set<Node> seen{last_};
  const auto moves = [this](Node node) {
    if (graph_.is_constant(node)) return false;
    const std::vector<int> inputs = graph_.inputs_of(node);
    return !inputs.empty() && inputs.back() >= scope_.time_input();
  };
  // At instants that parameters do not move.
  const auto is_of_time = [this](Node node) {
    return graph_.inputs_of(node) == std::vector<int>{scope_.time_input()};
  };
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    const kernels::Instruction& i = graph_[node];
    if (i.operation == Operation::input || !moves(node)) continue;
    const expression::SplineCall* const spline = graph_.spline_at(node);
    if (is_of_time(node)) continue;
    if (i.operation == Operation::arc_tangent2) return "atan2";
    if (i.operation == Operation::divide && hides_sign(graph_, i.b, moves))
      return "a division by an absolute value, a length or a root";
    if (spline == nullptr &&
        (kernels::has_kink(i.operation) || i.operation == Operation::at_least ||
         i.operation == Operation::floor))
      return "min, max, abs or a choice";
    if (is_root_of_product(graph_, i)) return "a root of a product";
    if (spline != nullptr && !is_of_time(spline->x) && has_corners(spline->shape))
      return "a spline with corners";
    std::vector<Node> operands{i.a};
    if (i.b >= 0) operands.push_back(i.b);
    if (spline != nullptr) {
      operands = spline->values;
      operands.push_back(spline->x);
    }
    for (const Node operand : operands)
      if (seen.insert(operand).second) open.push_back(operand);
  }
  return "";
}

}  // namespace gradus
