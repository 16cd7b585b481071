// Finished recordings: what is needed of them, counted and interpreted.
#include "src/specialise/program.hpp"

namespace gradus::specialise {
namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

OperationCount& OperationCount::operator+=(const OperationCount& other) {
  additions += other.additions;
  multiplications += other.multiplications;
  divisions += other.divisions;
  functions += other.functions;
  choices += other.choices;
  loads += other.loads;
  stores += other.stores;
  return *this;
}

Program::Program(const Recording& recording, const std::vector<int>& before,
                 const std::vector<int>& after)
    : guards_(recording.guards()) {
  const std::vector<Node>& all = recording.graph.nodes();
  for (std::size_t p = 0; p < after.size(); ++p)
    if (after[p] != before[p]) stores_.push_back({static_cast<int>(p), after[p]});
  std::vector<char> is_asked(all.size(), 0);
  for (const Guard& guard : guards_) is_asked[index(guard.node)] = 1;
  for (const Store& store : stores_) is_asked[index(store.node)] = 1;
  const auto operands = [](Node& node) {
    const int count = operand_count(node.kind);
    int* const all_operands[] = {&node.a, &node.b, &node.c};
    return std::vector<int*>(all_operands, all_operands + count);
  };
  for (std::size_t i = all.size(); i-- > 0;) {
    if (is_asked[i] == 0) continue;
    Node node = all[i];
    for (const int* operand : operands(node)) is_asked[index(*operand)] = 1;
  }
  std::vector<int> place_of(all.size(), -1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_asked[i] == 0) continue;
    Node node = all[i];
    for (int* operand : operands(node)) *operand = place_of[index(*operand)];
    place_of[i] = static_cast<int>(nodes_.size());
    nodes_.push_back(node);
  }
  for (Guard& guard : guards_) guard.node = place_of[index(guard.node)];
  for (Store& store : stores_) store.node = place_of[index(store.node)];
}

OperationCount Program::count() const {
  OperationCount sum;
  for (const Node& node : nodes_) {
    switch (node.kind) {
      case NodeKind::constant:
      case NodeKind::time:
      case NodeKind::negate:
      case NodeKind::absolute:
        break;
      case NodeKind::memory:
        ++sum.loads;
        break;
      case NodeKind::add:
      case NodeKind::subtract:
        ++sum.additions;
        break;
      case NodeKind::multiply:
        ++sum.multiplications;
        break;
      case NodeKind::divide:
      case NodeKind::sqrt:
        ++sum.divisions;
        break;
      case NodeKind::less:
      case NodeKind::less_equal:
      case NodeKind::equal:
      case NodeKind::finite:
      case NodeKind::both:
      case NodeKind::either:
      case NodeKind::opposite:
      case NodeKind::select:
        ++sum.choices;
        break;
      default:
        ++sum.functions;
    }
  }
  sum.stores = stores_.size();
  return sum;
}

bool Program::run(double* memory, double time, std::vector<double>& values) const {
  values.resize(nodes_.size());
  const auto value = [&](int node) { return node < 0 ? 0.0 : values[index(node)]; };
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.kind == NodeKind::constant)
      values[i] = node.value;
    else if (node.kind == NodeKind::memory)
      values[i] = memory[node.a];
    else if (node.kind == NodeKind::time)
      values[i] = time;
    else
      values[i] = value_of_node(node.kind, value(node.a), value(node.b), value(node.c));
  }
  for (const Guard& guard : guards_)
    if (!(values[index(guard.node)] == guard.value)) return false;
  for (const Store& store : stores_) memory[store.place] = values[index(store.node)];
  return true;
}

}  // namespace gradus::specialise
