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
    case NodeKind::keep:
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
  Path path{recording.guards(), {}, {}, {}};
  for (std::size_t p = 0; p < after.size(); ++p)
    if (after[p] != before[p]) path.recorded.push_back({static_cast<int>(p), after[p]});
  path.stores = path.recorded;
  if (contradicts(path, recording.lanes)) return false;
  paths_.push_back(std::move(path));
  build_all();
  return true;
}

bool Program::keep_stores(const std::function<bool(int path, int place)>& is_read) {
  bool is_same = true;
  for (Path& path : paths_) {
    const int number = static_cast<int>(&path - paths_.data());
    const std::size_t before = path.stores.size();
    path.stores.clear();
    for (const Store& store : path.recorded)
      if (is_read(number, store.place)) path.stores.push_back(store);
    is_same = is_same && path.stores.size() == before;
  }
  if (!is_same) build_all();
  return is_same;
}

void Program::write(ByteWriter& to) const {
  graph_.write(to);
  to.put_all(paths_, [&](const Path& path) {
    to.put_all(path.guards, [&](const Guard& guard) {
      to.put(guard.node);
      to.put(guard.value);
      to.put(guard.in_some);
    });
    to.put_all(path.recorded, [&](const Store& store) {
      to.put(store.place);
      to.put(store.node);
    });
  });
}

void Program::read(ByteReader& from) {
  graph_.read(from);
  paths_ = from.get_all<Path>([&] {
    Path path;
    path.guards = from.get_all<Guard>([&] {
      Guard guard;
      guard.node = from.get<int>();
      guard.value = from.get<double>();
      guard.in_some = from.get<bool>();
      return guard;
    });
    path.recorded = from.get_all<Store>([&] {
      Store store;
      store.place = from.get<int>();
      store.node = from.get<int>();
      return store;
    });
    path.stores = path.recorded;
    return path;
  });
  build_all();
}

void Program::build_all() {
  stretches_.clear();
  if (paths_.empty()) return;  // behind a cut where nothing could be recorded
  std::vector<int> all(paths_.size());
  std::iota(all.begin(), all.end(), 0);
  build(all, 0, std::vector<char>(graph_.nodes().size(), 0), {});
}

bool Program::contradicts(const Path& path, int lanes) const {
  return std::any_of(paths_.begin(), paths_.end(), [&](const Path& known) {
    const auto [ours, theirs] = std::mismatch(path.guards.begin(), path.guards.end(),
                                              known.guards.begin(), known.guards.end());
    return ours == path.guards.end() || theirs == known.guards.end() ||
           (lanes == 1 && ours->node != theirs->node);
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
    for (const int path : paths) ask_for(paths_[index(path)].guards[guard].node, stretch, computed);
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
  std::vector<int> rest = paths;
  while (!rest.empty()) {
    const Guard way = paths_[index(rest.front())].guards[guard];
    const auto others = std::stable_partition(rest.begin(), rest.end(), [&](int path) {
      return paths_[index(path)].guards[guard] == way;
    });
    stretch.ways.push_back(
        {way, build(std::vector<int>(rest.begin(), others), guard + 1, computed, count)});
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

int Program::run(double* memory, double time, std::vector<double>& values, int lanes) const {
  const std::vector<Node>& nodes = graph_.nodes();
  values.resize(nodes.size() * index(lanes));
  const auto at_lane = [&](int node, int k) -> double& { return values[index(node * lanes + k)]; };
  const auto compute = [&](int node, int k) {
    const auto value = [&](int operand) { return operand < 0 ? 0.0 : at_lane(operand, k); };
    const Node& n = nodes[index(node)];
    if (n.kind == NodeKind::constant) return n.value;
    if (n.kind == NodeKind::memory) return memory[n.a * lanes + k];
    if (n.kind == NodeKind::time) return time;
    return value_of_node(n.kind, value(n.a), value(n.b), value(n.c));
  };
  const auto holds = [&](const Guard& guard) {
    int count = 0;
    for (int k = 0; k < lanes; ++k) count += at_lane(guard.node, k) == guard.value ? 1 : 0;
    return guard.in_some ? count > 0 : count == lanes;
  };
  const auto path_from = [&](int at, const auto& path_behind) -> int {
    const Stretch& stretch = stretches_[index(at)];
    for (const int node : stretch.nodes)
      for (int k = 0; k < lanes; ++k) at_lane(node, k) = compute(node, k);
    if (!std::all_of(stretch.guards.begin(), stretch.guards.end(), holds)) return -1;
    if (stretch.ways.empty()) {
      for (const Store& store : stretch.stores)
        for (int k = 0; k < lanes; ++k) memory[store.place * lanes + k] = at_lane(store.node, k);
      return stretch.path;
    }
    for (const Stretch::Way& way : stretch.ways)
      if (holds(way.guard))
        if (const int path = path_behind(way.stretch, path_behind); path >= 0) return path;
    return -1;
  };
  return stretches_.empty() ? -1 : path_from(0, path_from);
}

}  // namespace gradus::specialise
