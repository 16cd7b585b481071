// The cheapest directed tree that grows from a root and reaches every vertex of a graph.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace gradus {

// Compared part by part, the first part that differs decides.
using ArcCost = std::array<std::int64_t, 7>;

struct Arc {
  int from = 0;
  int to = 0;
  ArcCost cost{};
};

// For each vertex 0, 1, ... the number of the arc that enters it in the tree of least cost; -1 for
// the root. Every vertex must be reachable from the root.
std::vector<int> least_arborescence(int vertex_count, int root, const std::vector<Arc>& arcs);

}  // namespace gradus
