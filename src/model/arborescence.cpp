// The algorithm of Chu, Liu and Edmonds in the form of R. E. Tarjan, Finding optimum branchings,
// Networks 7 (1977) 25-35: cheapest arcs are followed backwards from every vertex, the cycles that
// they form are contracted, and at the end expanded again, the last one first.
#include "src/model/arborescence.hpp"

#include <algorithm>
#include <utility>

namespace gradus {
namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

void subtract(ArcCost& cost, const ArcCost& other) {
  for (std::size_t k = 0; k < cost.size(); ++k) cost[k] -= other[k];
}

// Heaps of arcs by cost, all in one store. Leftist, so that merging is never deeper than the
// logarithm of their size; what is subtracted from all costs of a heap waits at its top.
class Heaps {
 public:
  explicit Heaps(const std::vector<Arc>& arcs) {
    nodes_.reserve(arcs.size());
    for (const Arc& arc : arcs) nodes_.push_back({arc.cost, {}, -1, -1, 1});
  }

  const ArcCost& top_cost(int heap) {
    settle(heap);
    return nodes_[index(heap)].cost;
  }

  void subtract_from_all(int heap, const ArcCost& cost) {
    if (heap >= 0) subtract(nodes_[index(heap)].waiting, cost);
  }

  int without_top(int heap) {
    settle(heap);
    return merged(nodes_[index(heap)].left, nodes_[index(heap)].right);
  }

  int merged(int a, int b) {
    if (a < 0 || b < 0) return std::max(a, b);
    settle(a);
    settle(b);
    if (std::pair(nodes_[index(b)].cost, b) < std::pair(nodes_[index(a)].cost, a)) std::swap(a, b);
    const int right = merged(nodes_[index(a)].right, b);
    HeapNode& top = nodes_[index(a)];
    top.right = right;
    if (rank(top.left) < rank(top.right)) std::swap(top.left, top.right);
    top.rank = rank(top.right) + 1;
    return a;
  }

 private:
  struct HeapNode {
    ArcCost cost;
    ArcCost waiting;  // to be added to the costs of the node and all below it
    int left, right;
    int rank;  // steps to the nearest place without a node
  };

  int rank(int node) const { return node < 0 ? 0 : nodes_[index(node)].rank; }

  void settle(int node) {
    HeapNode& top = nodes_[index(node)];
    for (std::size_t k = 0; k < top.cost.size(); ++k) {
      const std::int64_t part = top.waiting[k];
      top.cost[k] += part;
      if (top.left >= 0) nodes_[index(top.left)].waiting[k] += part;
      if (top.right >= 0) nodes_[index(top.right)].waiting[k] += part;
    }
    top.waiting = {};
  }

  std::vector<HeapNode> nodes_;  // node i is arc i
};

// Which vertices are contracted to one; the last unions can be taken back.
class Sets {
 public:
  explicit Sets(int count) : entries_(index(count), -1) {}

  int find(int vertex) const {
    while (entries_[index(vertex)] >= 0) vertex = entries_[index(vertex)];
    return vertex;
  }

  bool join(int a, int b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    if (entries_[index(a)] > entries_[index(b)]) std::swap(a, b);
    changes_.emplace_back(a, entries_[index(a)]);
    changes_.emplace_back(b, entries_[index(b)]);
    entries_[index(a)] += entries_[index(b)];
    entries_[index(b)] = a;
    return true;
  }

  std::size_t time() const { return changes_.size(); }

  void go_back_to(std::size_t time) {
    while (changes_.size() > time) {
      entries_[index(changes_.back().first)] = changes_.back().second;
      changes_.pop_back();
    }
  }

 private:
  std::vector<int> entries_;  // the set above, or minus the size of a set
  std::vector<std::pair<int, int>> changes_;
};

struct Cycle {
  int vertex;             // the contracted one
  std::size_t time;       // before its contraction
  std::vector<int> arcs;  // of the cycle
};

class Search {
 public:
  Search(int vertex_count, int root, const std::vector<Arc>& arcs)
      : arcs_(arcs),
        heaps_(arcs),
        sets_(vertex_count),
        heap_of_(index(vertex_count), -1),
        seen_(index(vertex_count), -1),
        entering_(index(vertex_count), -1) {
    for (int i = 0; i < static_cast<int>(arcs.size()); ++i) {
      int& heap = heap_of_[index(arcs[index(i)].to)];
      heap = heaps_.merged(heap, i);
    }
    seen_[index(root)] = root;
    for (int vertex = 0; vertex < vertex_count; ++vertex) follow_from(vertex);
    for (auto cycle = cycles_.rbegin(); cycle != cycles_.rend(); ++cycle) expand(*cycle);
  }

  const std::vector<int>& entering() const { return entering_; }

 private:
  // Follows the cheapest arcs backwards from a vertex until it meets what is known.
  void follow_from(int start) {
    std::vector<int> way, way_arcs;
    int vertex = sets_.find(start);
    while (seen_[index(vertex)] < 0) {
      const int arc = heap_of_[index(vertex)];
      const ArcCost cost = heaps_.top_cost(arc);
      int& heap = heap_of_[index(vertex)];
      heap = heaps_.without_top(arc);
      heaps_.subtract_from_all(heap, cost);
      way.push_back(vertex);
      way_arcs.push_back(arc);
      seen_[index(vertex)] = start;
      vertex = sets_.find(arcs_[index(arc)].from);
      if (seen_[index(vertex)] == start) vertex = contract(vertex, way, way_arcs);
    }
    for (const int arc : way_arcs) entering_[index(sets_.find(arcs_[index(arc)].to))] = arc;
  }

  // Makes one vertex of the end of the way, from `last` on, which is a cycle.
  int contract(int last, std::vector<int>& way, std::vector<int>& way_arcs) {
    Cycle cycle{last, sets_.time(), {}};
    int heap = -1;
    int vertex = -1;
    do {
      vertex = way.back();
      way.pop_back();
      heap = heaps_.merged(heap, heap_of_[index(vertex)]);
      cycle.arcs.push_back(way_arcs.back());
      way_arcs.pop_back();
    } while (sets_.join(last, vertex));
    cycle.vertex = sets_.find(last);
    heap_of_[index(cycle.vertex)] = heap;
    seen_[index(cycle.vertex)] = -1;
    cycles_.push_back(std::move(cycle));
    return cycles_.back().vertex;
  }

  // All arcs of the cycle are kept but the one that ends where the cycle is entered.
  void expand(const Cycle& cycle) {
    sets_.go_back_to(cycle.time);
    const int entry = entering_[index(cycle.vertex)];
    for (const int arc : cycle.arcs) entering_[index(sets_.find(arcs_[index(arc)].to))] = arc;
    entering_[index(sets_.find(arcs_[index(entry)].to))] = entry;
  }

  const std::vector<Arc>& arcs_;
  Heaps heaps_;
  Sets sets_;
  std::vector<int> heap_of_;   // [set] arcs that enter it
  std::vector<int> seen_;      // [set] the walk that met it first
  std::vector<int> entering_;  // [set] arc
  std::vector<Cycle> cycles_;
};

}  // namespace

std::vector<int> least_arborescence(int vertex_count, int root, const std::vector<Arc>& arcs) {
  return Search(vertex_count, root, arcs).entering();
}

}  // namespace gradus
