// The cheapest directed tree, compared with all trees there are.
#include "src/model/arborescence.hpp"

#include <gtest/gtest.h>

#include <random>

namespace gradus {
namespace {

ArcCost plus(ArcCost a, const ArcCost& b) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
  return a;
}

// Whether following the arcs backwards leads from every vertex to the root, vertex 0.
bool is_tree(const std::vector<int>& entering, const std::vector<Arc>& arcs) {
  for (std::size_t start = 1; start < entering.size(); ++start) {
    std::size_t vertex = start;
    for (std::size_t step = 0; vertex != 0; ++step) {
      if (step == entering.size() || entering[vertex] < 0) return false;
      vertex = static_cast<std::size_t>(arcs[static_cast<std::size_t>(entering[vertex])].from);
    }
  }
  return true;
}

ArcCost cost_of(const std::vector<int>& entering, const std::vector<Arc>& arcs) {
  ArcCost sum{};
  for (const int arc : entering)
    if (arc >= 0) sum = plus(sum, arcs[static_cast<std::size_t>(arc)].cost);
  return sum;
}

// Tries every choice of one arc for each vertex.
ArcCost least_of_all(std::vector<int>& entering, std::size_t vertex, const std::vector<Arc>& arcs) {
  ArcCost least;
  least.fill(1 << 30);
  if (vertex == entering.size()) return is_tree(entering, arcs) ? cost_of(entering, arcs) : least;
  for (std::size_t arc = 0; arc < arcs.size(); ++arc) {
    if (arcs[arc].to != static_cast<int>(vertex)) continue;
    entering[vertex] = static_cast<int>(arc);
    least = std::min(least, least_of_all(entering, vertex + 1, arcs));
  }
  return least;
}

TEST(Arborescence, IsTheCheapestOfAll) {
  std::mt19937 random(7);
  const auto up_to = [&random](int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n));
  };
  for (int trial = 0; trial < 400; ++trial) {
    const int count = 2 + up_to(5);
    std::vector<Arc> arcs;
    for (int v = 1; v < count; ++v) arcs.push_back({0, v, {0, 1, up_to(3), up_to(4)}});
    for (int k = up_to(10); k > 0; --k) {
      const int from = up_to(count), to = 1 + up_to(count - 1);
      if (from != to) arcs.push_back({from, to, {-up_to(2), 0, up_to(3), up_to(4) - 2, 0, k}});
    }
    std::vector<int> any(static_cast<std::size_t>(count), -1);
    const ArcCost least = least_of_all(any, 1, arcs);
    const std::vector<int> found = least_arborescence(count, 0, arcs);
    EXPECT_EQ(found[0], -1);
    ASSERT_TRUE(is_tree(found, arcs)) << "trial " << trial;
    EXPECT_EQ(cost_of(found, arcs), least) << "trial " << trial;
  }
}

TEST(Arborescence, LongChainsThatMustAllBeTurnedRoundNeedNoStack) {
  const int count = 100000;
  std::vector<Arc> arcs;
  for (int v = 1; v < count; ++v) {
    arcs.push_back({v - 1, v, {1}});
    if (v + 1 < count) arcs.push_back({v + 1, v, {0}});
  }
  const std::vector<int> found = least_arborescence(count, 0, arcs);
  EXPECT_TRUE(cost_of(found, arcs) == ArcCost{count - 1});
}

}  // namespace
}  // namespace gradus
