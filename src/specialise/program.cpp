// Recordings put together, counted and interpreted.
#include "src/specialise/program.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace gradus::specialise {
namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

void count_node(NodeKind kind, OperationCount& sum) {
  switch (kind) {
    case NodeKind::constant:
    case NodeKind::time:
    case NodeKind::negate:
    case NodeKind::absolute:
      return;
    case NodeKind::memory:
      ++sum.loads;
      return;
    case NodeKind::add:
    case NodeKind::subtract:
      ++sum.additions;
      return;
    case NodeKind::multiply:
      ++sum.multiplications;
      return;
    case NodeKind::divide:
    case NodeKind::sqrt:
      ++sum.divisions;
      return;
    case NodeKind::less:
    case NodeKind::less_equal:
    case NodeKind::equal:
    case NodeKind::finite:
    case NodeKind::both:
    case NodeKind::either:
    case NodeKind::opposite:
    case NodeKind::select:
      ++sum.choices;
      return;
    default:
      ++sum.functions;
  }
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

bool Program::add(const Recording& recording, const std::vector<int>& before,
                  const std::vector<int>& after) {
  Path path{recording.guards(), {}, {}};
  for (std::size_t p = 0; p < after.size(); ++p)
    if (after[p] != before[p]) path.stores.push_back({static_cast<int>(p), after[p]});
  if (contradicts(path)) return false;
  paths_.push_back(std::move(path));
  build_all();
  return true;
}

void Program::keep_stores(const std::vector<char>& is_read) {
  for (Path& path : paths_)
    path.stores.erase(
        std::remove_if(path.stores.begin(), path.stores.end(),
                       [&](const Store& store) { return is_read[index(store.place)] == 0; }),
        path.stores.end());
  build_all();
}

void Program::build_all() {
  stretches_.clear();
  std::vector<int> all(paths_.size());
  std::iota(all.begin(), all.end(), 0);
  build(all, 0, std::vector<char>(graph_.nodes().size(), 0), {});
}

bool Program::contradicts(const Path& path) const {
  return std::any_of(paths_.begin(), paths_.end(), [&](const Path& known) {
    const auto [ours, theirs] = std::mismatch(path.guards.begin(), path.guards.end(),
                                              known.guards.begin(), known.guards.end());
    return ours == path.guards.end() || theirs == known.guards.end() || ours->node != theirs->node;
  });
}

// The stretch where these paths, which are one so far, ask for guard number `guard`.
int Program::build(const std::vector<int>& paths, std::size_t guard, std::vector<char> computed,
                   OperationCount count) {
  const std::size_t own = stretches_.size();
  stretches_.emplace_back();
  Stretch stretch;
  Path& first = paths_[index(paths.front())];
  const auto agrees = [&](int path) {
    return paths_[index(path)].guards[guard] == first.guards[guard];
  };
  for (; guard < first.guards.size(); ++guard) {
    ask_for(first.guards[guard].node, stretch, computed);
    if (!std::all_of(paths.begin(), paths.end(), agrees)) break;
    stretch.guards.push_back(first.guards[guard]);
  }
  if (guard == first.guards.size()) {
    for (const Store& store : first.stores) ask_for(store.node, stretch, computed);
    stretch.path = paths.front();
    stretch.stores = first.stores;
    count_nodes(stretch, count);
    count.stores += stretch.stores.size();
    first.count = count;
    stretches_[own] = std::move(stretch);
    return static_cast<int>(own);
  }
  count_nodes(stretch, count);
  stretch.choice = first.guards[guard].node;
  std::vector<int> rest = paths;
  while (!rest.empty()) {
    const double value = paths_[index(rest.front())].guards[guard].value;
    const auto others = std::stable_partition(rest.begin(), rest.end(), [&](int path) {
      return paths_[index(path)].guards[guard].value == value;
    });
    stretch.ways.push_back(
        {value, build(std::vector<int>(rest.begin(), others), guard + 1, computed, count)});
    rest.erase(rest.begin(), others);
  }
  stretches_[own] = std::move(stretch);
  return static_cast<int>(own);
}

// Adds the node, and what it is made of, as far as they are not computed yet.
void Program::ask_for(int node, Stretch& stretch, std::vector<char>& computed) const {
  const auto begin = static_cast<std::ptrdiff_t>(stretch.nodes.size());
  std::vector<int> open{node};
  while (!open.empty()) {
    const int next = open.back();
    open.pop_back();
    if (computed[index(next)] != 0) continue;
    computed[index(next)] = 1;
    stretch.nodes.push_back(next);
    const Node& found = graph_.nodes()[index(next)];
    const int operands[] = {found.a, found.b, found.c};
    open.insert(open.end(), operands, operands + operand_count(found.kind));
  }
  std::sort(stretch.nodes.begin() + begin, stretch.nodes.end());
}

void Program::count_nodes(const Stretch& stretch, OperationCount& count) const {
  for (const int node : stretch.nodes) count_node(graph_.nodes()[index(node)].kind, count);
}

int Program::run(double* memory, double time, std::vector<double>& values) const {
  const std::vector<Node>& nodes = graph_.nodes();
  values.resize(nodes.size());
  const auto value = [&](int node) { return node < 0 ? 0.0 : values[index(node)]; };
  const auto compute = [&](int node) {
    const Node& n = nodes[index(node)];
    if (n.kind == NodeKind::constant) return n.value;
    if (n.kind == NodeKind::memory) return memory[n.a];
    if (n.kind == NodeKind::time) return time;
    return value_of_node(n.kind, value(n.a), value(n.b), value(n.c));
  };
  for (int at = 0; at < static_cast<int>(stretches_.size());) {
    const Stretch& stretch = stretches_[index(at)];
    for (const int node : stretch.nodes) values[index(node)] = compute(node);
    for (const Guard& guard : stretch.guards)
      if (!(values[index(guard.node)] == guard.value)) return -1;
    if (stretch.choice < 0) {
      for (const Store& store : stretch.stores) memory[store.place] = values[index(store.node)];
      return stretch.path;
    }
    const auto way = std::find_if(
        stretch.ways.begin(), stretch.ways.end(),
        [&](const Stretch::Way& w) { return w.value == values[index(stretch.choice)]; });
    if (way == stretch.ways.end()) return -1;
    at = way->stretch;
  }
  return -1;
}

}  // namespace gradus::specialise
