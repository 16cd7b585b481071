// Rows of nodes that differ by their column alone.
#include "src/specialise/columns.hpp"

#include <algorithm>
#include <utility>

namespace gradus::specialise {
namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

bool is_comparison(NodeKind kind) {
  return kind == NodeKind::less || kind == NodeKind::less_equal || kind == NodeKind::equal ||
         kind == NodeKind::finite;
}
// What vectors of columns are made for.
bool is_for_vectors(NodeKind kind) {
  return kind == NodeKind::add || kind == NodeKind::subtract || kind == NodeKind::multiply ||
         kind == NodeKind::divide || kind == NodeKind::negate || kind == NodeKind::absolute ||
         kind == NodeKind::select;
}

// What must hold so that a choice made of several by "and" does, in the order of its operands.
std::vector<int> conditions_of(const Graph& graph, int choice) {
  std::vector<int> conditions, open{choice};
  std::vector<char> is_seen(graph.nodes().size(), 0);
  while (!open.empty()) {
    const int next = open.back();
    open.pop_back();
    if (std::exchange(is_seen[index(next)], 1) != 0) continue;
    const Node& node = graph.nodes()[index(next)];
    if (node.kind != NodeKind::both) {
      conditions.push_back(next);
    } else {
      open.push_back(node.b);
      open.push_back(node.a);
    }
  }
  // Operands are in the order in which they were recorded.
  std::sort(conditions.begin(), conditions.end());
  return conditions;
}

}  // namespace

Columns::Columns(const Program& program, int count) : program_(program), count_(count) {
  take_all_alone();
  if (count < 2) return;
  home_.assign(program.graph().nodes().size(), -1);
  if (!stretches_.empty()) find_from(0);
  leave_out_unused_rows();
  if (!leave_out_members()) {
    nodes_.clear();
    tables_.clear();
    take_all_alone();
  }
  known_.clear();
}

void Columns::take_all_alone() {
  stretches_.clear();
  for (const specialise::Stretch& stretch : program_.stretches())
    stretches_.push_back({stretch.nodes, {}, {}, stretch.guards, stretch.stores, {}, {}, {}, {}});
}

// In a stretch and those that follow it. Ways that part may compute the same nodes, each for
// itself.
void Columns::find_from(std::size_t stretch) {
  const std::vector<int>& nodes = program_.stretches()[stretch].nodes;
  for (const int node : nodes) home_[index(node)] = static_cast<int>(stretch);
  find_guards(stretch);
  find_stores(stretch);
  for (const auto& way : program_.stretches()[stretch].ways) find_from(index(way.stretch));
  for (const int node : nodes) home_[index(node)] = -1;
}

void Columns::find_guards(std::size_t stretch) {
  Stretch& own = stretches_[stretch];
  std::vector<Guard> alone;
  for (const Guard& guard : own.guards) {
    if (guard.in_some || guard.value != 1.0 || at(guard.node).kind != NodeKind::both) {
      alone.push_back(guard);
      continue;
    }
    const std::vector<int> conditions = conditions_of(program_.graph(), guard.node);
    for (auto first = conditions.begin(); first != conditions.end();) {
      std::optional<ColumnOperand> row;
      if (conditions.end() - first >= count_ && is_comparison(at(*first).kind))
        row = add(at(*first).kind, Members(first, first + count_), static_cast<int>(stretch));
      if (row)
        own.column_guards.push_back(row->index);
      else
        alone.push_back({*first, 1.0, false});
      first += row ? count_ : 1;
    }
  }
  own.guards = std::move(alone);
}

void Columns::find_stores(std::size_t stretch) {
  Stretch& own = stretches_[stretch];
  std::vector<Store> alone;
  const std::vector<Store>& all = own.stores;
  for (std::size_t k = 0; k < all.size();) {
    const std::size_t end = k + index(count_);
    std::optional<ColumnOperand> row;
    if (end <= all.size() && all[end - 1].place == all[k].place + count_ - 1) {
      Members members;
      for (std::size_t i = k; i < end; ++i) members.push_back(all[i].node);
      row = find(members);
      if (row && row->from == ColumnOperand::From::row &&
          nodes_[index(row->index)].kind == NodeKind::keep)
        row.reset();  // which nothing is done with
      if (row && row->from != ColumnOperand::From::node && row->from != ColumnOperand::From::row) {
        nodes_.push_back({NodeKind::memory, {*row, {}, {}}});
        own.column_nodes.push_back(static_cast<int>(nodes_.size()) - 1);
        row = {ColumnOperand::From::row, own.column_nodes.back()};
      }
    }
    if (!row) {
      alone.push_back(all[k++]);
      continue;
    }
    const bool is_fill = row->from == ColumnOperand::From::node;
    (is_fill ? own.fills : own.rows).push_back({all[k].place, row->index});
    k = end;
  }
  own.stores = std::move(alone);
}

// None: their columns are not alike.
std::optional<ColumnOperand> Columns::find(const Members& members) {
  const int first = members.front();
  const auto is_first = [&](int node) { return node == first; };
  if (std::all_of(members.begin(), members.end(), is_first))
    return ColumnOperand{ColumnOperand::From::node, first};
  const NodeKind kind = at(first).kind;
  const auto is_like_first = [&](int node) { return at(node).kind == kind; };
  if (!std::all_of(members.begin(), members.end(), is_like_first)) return std::nullopt;
  if (kind == NodeKind::memory) {
    for (int c = 0; c < count_; ++c)
      if (at(members[index(c)]).a != at(first).a + c) return std::nullopt;
    return ColumnOperand{ColumnOperand::From::memory, at(first).a};
  }
  if (kind == NodeKind::keep) return gathered(members);
  if (kind != NodeKind::constant && !is_for_vectors(kind)) return std::nullopt;
  const std::pair key(home_[index(first)], members);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  std::optional<ColumnOperand> found;
  if (kind == NodeKind::constant) {
    tables_.emplace_back();
    for (const int node : members) tables_.back().push_back(at(node).value);
    found = {ColumnOperand::From::table, static_cast<int>(tables_.size()) - 1};
  } else {
    found = found_operation(members);
  }
  known_.emplace(key, found);
  return found;
}

ColumnOperand Columns::gathered(const Members& members) {
  const auto [known, is_new] = gathered_.emplace(members, static_cast<int>(nodes_.size()));
  if (is_new) {
    ColumnNode row{NodeKind::keep, {}};
    for (const int node : members) row.members.push_back(at(node).a);
    nodes_.push_back(std::move(row));
  }
  return {ColumnOperand::From::row, known->second};
}

std::optional<ColumnOperand> Columns::found_operation(const Members& members) {
  const int home = home_[index(members.front())];
  const auto is_at_home = [&](int node) { return home_[index(node)] == home; };
  if (home < 0 || !std::all_of(members.begin(), members.end(), is_at_home)) return std::nullopt;
  return add(at(members.front()).kind, members, home);
}

std::optional<ColumnOperand> Columns::add(NodeKind kind, const Members& members, int stretch) {
  std::array<Members, 3> operands;
  for (const int node : members) {
    const Node& n = at(node);
    if (n.kind != kind) return std::nullopt;
    const int of_node[] = {n.a, n.b, n.c};
    for (int k = 0; k < operand_count(kind); ++k) operands[index(k)].push_back(of_node[k]);
  }
  if (kind == NodeKind::add || kind == NodeKind::multiply || kind == NodeKind::equal)
    align(operands);
  ColumnNode row{kind, {}};
  bool differs = false;
  for (int k = 0; k < operand_count(kind); ++k) {
    const std::optional<ColumnOperand> operand = find(operands[index(k)]);
    if (!operand) return std::nullopt;
    const bool is_common = operand->from == ColumnOperand::From::node;
    if (kind == NodeKind::select && k == 0 && !is_common) return std::nullopt;
    differs = differs || !is_common;
    row.operands[index(k)] = *operand;
  }
  if (!differs) return std::nullopt;
  row.members = members;
  nodes_.push_back(std::move(row));
  const int number = static_cast<int>(nodes_.size()) - 1;
  stretches_[index(stretch)].column_nodes.push_back(number);
  return ColumnOperand{ColumnOperand::From::row, number};
}

// Graphs sort the operands of sums and products by the order in which they came to be, which may
// differ between columns.
void Columns::align(std::array<Members, 3>& operands) const {
  Members &a = operands[0], &b = operands[1];
  const auto is_like = [&](int node, int other) { return at(node).kind == at(other).kind; };
  for (std::size_t c = 1; c < a.size(); ++c) {
    const bool stays = is_like(a[c], a[0]) && is_like(b[c], b[0]);
    const bool turns = is_like(b[c], a[0]) && is_like(a[c], b[0]);
    const bool is_turned = b[c] == a[0] || a[c] == b[0];
    const bool is_same = a[c] == a[0] || b[c] == b[0];
    if ((turns && !stays) || (turns && is_turned && !is_same)) std::swap(a[c], b[c]);
  }
}

// Rows that are stored, or guards, and what these are made of.
void Columns::leave_out_unused_rows() {
  std::vector<char> is_used(nodes_.size(), 0);
  for (const Stretch& stretch : stretches_) {
    for (const Row& row : stretch.rows) is_used[index(row.node)] = 1;
    for (const int row : stretch.column_guards) is_used[index(row)] = 1;
  }
  for (std::size_t k = nodes_.size(); k-- > 0;) {
    if (is_used[k] == 0) continue;
    for (const ColumnOperand& operand : nodes_[k].operands)
      if (operand.from == ColumnOperand::From::row) is_used[index(operand.index)] = 1;
  }
  for (Stretch& stretch : stretches_)
    std::erase_if(stretch.column_nodes, [&](int row) { return is_used[index(row)] == 0; });
}

void Columns::ask_for(std::vector<int>& open, std::vector<char>& is_asked,
                      const std::function<bool(int)>& is_found) const {
  while (!open.empty()) {
    const int next = open.back();
    open.pop_back();
    if (is_found(next) || std::exchange(is_asked[index(next)], 1) != 0) continue;
    const int operands[] = {at(next).a, at(next).b, at(next).c};
    open.insert(open.end(), operands, operands + operand_count(at(next).kind));
  }
}

// Nodes that must be there before columns.
std::vector<char> Columns::asked_for_by_rows() const {
  std::vector<char> is_asked(program_.graph().nodes().size(), 0);
  std::vector<int> open;
  const auto ask_of_row = [&](int number) {
    const ColumnNode& row = nodes_[index(number)];
    for (const ColumnOperand& operand : row.operands)
      if (operand.from == ColumnOperand::From::node && operand.index >= 0)
        open.push_back(operand.index);
    if (row.kind == NodeKind::keep) open.insert(open.end(), row.members.begin(), row.members.end());
    for (const ColumnOperand& operand : row.operands)
      if (operand.from == ColumnOperand::From::row &&
          nodes_[index(operand.index)].kind == NodeKind::keep) {
        const Members& gathered = nodes_[index(operand.index)].members;
        open.insert(open.end(), gathered.begin(), gathered.end());
      }
  };
  for (const Stretch& stretch : stretches_) {
    std::for_each(stretch.column_nodes.begin(), stretch.column_nodes.end(), ask_of_row);
    for (const Row& row : stretch.rows) ask_of_row(row.node);
  }
  ask_for(open, is_asked, [](int) { return false; });
  return is_asked;
}

// Nodes that everything else asks for in a stretch and those that follow it, as far as rows do not
// have them. `is_there`: what is computed on the way to it.
void Columns::find_late_nodes(std::size_t stretch, std::vector<char> is_there,
                              std::map<int, Entry> in_rows) {
  Stretch& own = stretches_[stretch];
  for (const int row : own.column_nodes) {
    const Members& members = nodes_[index(row)].members;
    for (std::size_t c = 0; c < members.size(); ++c)
      in_rows.emplace(members[c], Entry{row, static_cast<int>(c)});
  }
  std::vector<int> open;
  for (const Store& store : own.stores) open.push_back(store.node);
  for (const Row& fill : own.fills) open.push_back(fill.node);
  const std::vector<char> before = is_there;
  // Guards look at nodes, not into rows.
  const auto compute = [&](int node) {
    if (std::exchange(is_there[index(node)], 1) != 0) return;
    const int operands[] = {at(node).a, at(node).b, at(node).c};
    open.insert(open.end(), operands, operands + operand_count(at(node).kind));
  };
  for (const Guard& guard : own.guards) compute(guard.node);
  const auto& ways = program_.stretches()[stretch].ways;
  for (const auto& way : ways) compute(way.guard.node);
  ask_for(open, is_there, [&](int node) {
    if (is_there[index(node)] != 0) return true;
    const auto entry = in_rows.find(node);
    if (entry == in_rows.end()) return false;
    own.entries.insert(*entry);
    return true;
  });
  for (std::size_t node = 0; node < before.size(); ++node)
    if (before[node] == 0 && is_there[node] != 0) own.late_nodes.push_back(static_cast<int>(node));
  for (const auto& way : ways) find_late_nodes(index(way.stretch), is_there, in_rows);
}

// Leaves out nodes that rows of columns stand for. False if most of these have to be computed
// alone, too: then nothing is gained.
bool Columns::leave_out_members() {
  const std::vector<char> is_early = asked_for_by_rows();
  std::size_t members = 0, twice = 0;
  for (const Stretch& stretch : stretches_)
    for (const int row : stretch.column_nodes)
      for (const int node : nodes_[index(row)].members) {
        ++members;
        if (is_early[index(node)] != 0) ++twice;
      }
  if (2 * twice > members) return false;
  for (Stretch& stretch : stretches_)
    std::erase_if(stretch.nodes, [&](int node) { return is_early[index(node)] == 0; });
  find_late_nodes(0, is_early, {});
  return true;
}

}  // namespace gradus::specialise
