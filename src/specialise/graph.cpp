// Nodes shared and folded.
#include "src/specialise/graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace gradus::specialise {
namespace {

constexpr int none = -1;  // no simpler node
// How far down choices and products are looked at where one may guard the other.
constexpr int deepest_choice = 8, deepest_product = 4;

bool is_commutative(NodeKind kind) {
  return kind == NodeKind::add || kind == NodeKind::multiply || kind == NodeKind::equal ||
         kind == NodeKind::both || kind == NodeKind::either;
}

}  // namespace

bool is_arithmetic(NodeKind kind) {
  return kind >= NodeKind::add && kind <= NodeKind::pow && kind != NodeKind::negate &&
         kind != NodeKind::absolute;
}

int operand_count(NodeKind kind) {
  switch (kind) {
    case NodeKind::constant:
    case NodeKind::memory:
    case NodeKind::time:
      return 0;
    case NodeKind::add:
    case NodeKind::subtract:
    case NodeKind::multiply:
    case NodeKind::divide:
    case NodeKind::atan2:
    case NodeKind::pow:
    case NodeKind::less:
    case NodeKind::less_equal:
    case NodeKind::equal:
    case NodeKind::both:
    case NodeKind::either:
      return 2;
    case NodeKind::select:
      return 3;
    default:
      return 1;
  }
}

double value_of_node(NodeKind kind, double a, double b, double c) {
  switch (kind) {
    case NodeKind::constant:
    case NodeKind::memory:
    case NodeKind::time:
      break;
    case NodeKind::add:
      return a + b;
    case NodeKind::subtract:
      return a - b;
    case NodeKind::multiply:
      return a * b;
    case NodeKind::divide:
      return a / b;
    case NodeKind::negate:
      return -a;
    case NodeKind::absolute:
      return std::fabs(a);
    case NodeKind::floor:
      return std::floor(a);
    case NodeKind::sqrt:
      return std::sqrt(a);
    case NodeKind::sin:
      return std::sin(a);
    case NodeKind::cos:
      return std::cos(a);
    case NodeKind::tan:
      return std::tan(a);
    case NodeKind::asin:
      return std::asin(a);
    case NodeKind::acos:
      return std::acos(a);
    case NodeKind::atan:
      return std::atan(a);
    case NodeKind::sinh:
      return std::sinh(a);
    case NodeKind::cosh:
      return std::cosh(a);
    case NodeKind::tanh:
      return std::tanh(a);
    case NodeKind::exp:
      return std::exp(a);
    case NodeKind::log:
      return std::log(a);
    case NodeKind::atan2:
      return std::atan2(a, b);
    case NodeKind::pow:
      return std::pow(a, b);
    case NodeKind::less:
      return a < b ? 1.0 : 0.0;
    case NodeKind::less_equal:
      return a <= b ? 1.0 : 0.0;
    case NodeKind::equal:
      return a == b ? 1.0 : 0.0;
    case NodeKind::finite:
      return a - a == 0.0 ? 1.0 : 0.0;
    case NodeKind::both:
      return a != 0.0 && b != 0.0 ? 1.0 : 0.0;
    case NodeKind::either:
      return a != 0.0 || b != 0.0 ? 1.0 : 0.0;
    case NodeKind::opposite:
      return a != 0.0 ? 0.0 : 1.0;
    case NodeKind::select:
      return a != 0.0 ? b : c;
    case NodeKind::keep:
      return a;
  }
  return 0.0;
}

namespace {

std::size_t hash_of(const Node& node) {
  const auto bits = std::bit_cast<std::uint64_t>(node.value);
  std::uint64_t hash = static_cast<std::uint64_t>(node.kind);
  const std::uint64_t parts[] = {static_cast<std::uint64_t>(node.a),
                                 static_cast<std::uint64_t>(node.b),
                                 static_cast<std::uint64_t>(node.c), bits};
  for (const std::uint64_t part : parts)
    hash = (hash ^ part) * 0x9e3779b97f4a7c15ULL ^ (hash >> 29);
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

// The place of the node in the index, or the one that is free for it.
std::size_t place_of(const Node& node, const std::vector<Node>& nodes,
                     const std::vector<int>& index) {
  const std::size_t mask = index.size() - 1;
  std::size_t place = hash_of(node) & mask;
  while (index[place] >= 0 && !(nodes[static_cast<std::size_t>(index[place])] == node))
    place = (place + 1) & mask;
  return place;
}

}  // namespace

int Graph::shared(const Node& node) {
  if (index_.size() < 2 * (nodes_.size() + 1))
    index_all(std::max<std::size_t>(64, 2 * index_.size()));
  int& known = index_[place_of(node, nodes_, index_)];
  if (known < 0) {
    known = static_cast<int>(nodes_.size());
    nodes_.push_back(node);
  }
  return known;
}

void Graph::index_all(std::size_t places) {
  index_.assign(places, -1);
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    int& known = index_[place_of(nodes_[k], nodes_, index_)];
    if (known < 0) known = static_cast<int>(k);
  }
}

int Graph::constant(double value) {
  return shared({NodeKind::constant, -1, -1, -1, value == 0.0 ? 0.0 : value});
}

int Graph::negated(int a) {
  if (at(a).kind == NodeKind::negate) return at(a).a;
  return none;
}

int Graph::folded_sum(int a, int b) {
  if (is_constant(a, 0.0)) return b;
  if (is_constant(b, 0.0)) return a;
  return none;
}

int Graph::folded_difference(int a, int b) {
  if (is_constant(b, 0.0)) return a;
  if (is_constant(a, 0.0)) return add(NodeKind::negate, b);
  return none;
}

int Graph::folded_product(int a, int b) {
  for (const auto& [factor, other] : {std::pair(a, b), std::pair(b, a)}) {
    if (is_constant(factor, 0.0)) return factor;
    if (is_constant(factor, 1.0)) return other;
    if (is_constant(factor, -1.0)) return add(NodeKind::negate, other);
  }
  return none;
}

int Graph::folded_quotient(int a, int b) {
  if (is_constant(a, 0.0) && !is_constant(b)) return a;
  if (is_constant(b, 1.0)) return a;
  if (is_constant(b, -1.0)) return add(NodeKind::negate, a);
  return none;
}

// Whether a choice says that a node is zero, with others or alone.
bool Graph::is_zero_where(int choice, int node, int depth) const {
  const Node& c = at(choice);
  if (c.kind == NodeKind::both)
    return depth > 0 &&
           (is_zero_where(c.a, node, depth - 1) || is_zero_where(c.b, node, depth - 1));
  if (c.kind != NodeKind::equal) return false;
  return (c.b == node && is_constant(c.a, 0.0)) || (c.a == node && is_constant(c.b, 0.0));
}

// Whether a node is zero where a choice holds, all numbers being finite: it is made of what is.
bool Graph::vanishes_where(int choice, int node, int depth) const {
  if (is_constant(node, 0.0) || is_zero_where(choice, node, deepest_choice)) return true;
  if (depth == 0) return false;
  const Node& n = at(node);
  const auto vanishes = [&](int part) { return vanishes_where(choice, part, depth - 1); };
  switch (n.kind) {
    case NodeKind::multiply:
      return vanishes(n.a) || vanishes(n.b);
    case NodeKind::add:
    case NodeKind::subtract:
      return vanishes(n.a) && vanishes(n.b);
    case NodeKind::negate:
    case NodeKind::divide:
      return vanishes(n.a);
    default:
      return false;
  }
}

int Graph::folded_choice(NodeKind kind, int a, int b, int c) {
  switch (kind) {
    case NodeKind::both:
      if (is_constant(a, 0.0) || is_constant(b, 1.0) || a == b) return a;
      if (is_constant(b, 0.0) || is_constant(a, 1.0)) return b;
      return none;
    case NodeKind::either:
      if (is_constant(a, 1.0) || is_constant(b, 0.0) || a == b) return a;
      if (is_constant(b, 1.0) || is_constant(a, 0.0)) return b;
      return none;
    case NodeKind::opposite:
      return at(a).kind == NodeKind::opposite ? at(a).a : none;
    case NodeKind::select:
      if (b == c) return b;
      if (is_constant(a)) return at(a).value != 0.0 ? b : c;
      // factor == 0 ? 0 : factor * slope, the guard against slopes that are infinite: none is here.
      if (is_constant(b, 0.0) && vanishes_where(a, c, deepest_product)) return c;
      return none;
    default:
      return none;
  }
}

int Graph::add(NodeKind kind, int a, int b, int c) {
  if (is_arithmetic(kind)) ++asked_;
  if (kind != NodeKind::select && kind != NodeKind::keep && is_constant(a) &&
      (b < 0 || is_constant(b)))
    return constant(value_of_node(kind, at(a).value, b < 0 ? 0.0 : at(b).value, 0.0));
  int simpler = none;
  switch (kind) {
    case NodeKind::add:
      simpler = folded_sum(a, b);
      break;
    case NodeKind::subtract:
      simpler = folded_difference(a, b);
      break;
    case NodeKind::multiply:
      simpler = folded_product(a, b);
      break;
    case NodeKind::divide:
      simpler = folded_quotient(a, b);
      break;
    case NodeKind::negate:
      simpler = negated(a);
      break;
    default:
      simpler = folded_choice(kind, a, b, c);
  }
  if (simpler != none) return simpler;
  if (is_commutative(kind) && b < a) std::swap(a, b);
  return shared({kind, a, b, c, 0.0});
}

void Graph::write(ByteWriter& to) const {
  to.put_all(nodes_, [&](const Node& node) {
    to.put(node.kind);
    for (const int operand : {node.a, node.b, node.c}) to.put(operand);
    to.put(node.value);
  });
}

void Graph::read(ByteReader& from) {
  nodes_ = from.get_all<Node>([&] {
    Node node;
    node.kind = from.get<NodeKind>();
    for (int* operand : {&node.a, &node.b, &node.c}) *operand = from.get<int>();
    node.value = from.get<double>();
    return node;
  });
  index_all(std::bit_ceil(2 * nodes_.size() + 64));
}

}  // namespace gradus::specialise
