// Which nodes are the same, and what is folded.
#include "src/specialise/graph.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gradus::specialise {
namespace {

struct GraphTest : testing::Test {
  Graph graph;
  const int x = graph.memory(0);
  const int y = graph.memory(1);
  const int zero = graph.constant(0.0);
  const int one = graph.constant(1.0);
};

TEST_F(GraphTest, KeepsWhatIsEqualOnce) {
  EXPECT_EQ(graph.memory(0), x);
  EXPECT_EQ(graph.constant(1.0), one);
  EXPECT_EQ(graph.constant(-0.0), zero);
  EXPECT_NE(graph.constant(2.0), one);
  EXPECT_EQ(graph.add(NodeKind::add, x, y), graph.add(NodeKind::add, y, x));
  EXPECT_EQ(graph.add(NodeKind::multiply, x, y), graph.add(NodeKind::multiply, y, x));
  EXPECT_EQ(graph.add(NodeKind::equal, x, y), graph.add(NodeKind::equal, y, x));
  EXPECT_NE(graph.add(NodeKind::subtract, x, y), graph.add(NodeKind::subtract, y, x));
  EXPECT_NE(graph.add(NodeKind::divide, x, y), graph.add(NodeKind::divide, y, x));
  EXPECT_NE(graph.add(NodeKind::less, x, y), graph.add(NodeKind::less, y, x));
  EXPECT_NE(graph.add(NodeKind::atan2, x, y), graph.add(NodeKind::atan2, y, x));
}

TEST_F(GraphTest, FoldsSumsAndProducts) {
  const int minus_x = graph.add(NodeKind::negate, x);
  EXPECT_EQ(graph.add(NodeKind::add, x, zero), x);
  EXPECT_EQ(graph.add(NodeKind::add, zero, x), x);
  EXPECT_EQ(graph.add(NodeKind::subtract, x, zero), x);
  EXPECT_EQ(graph.add(NodeKind::subtract, zero, x), minus_x);
  EXPECT_EQ(graph.add(NodeKind::multiply, x, one), x);
  EXPECT_EQ(graph.add(NodeKind::multiply, zero, x), zero);
  EXPECT_EQ(graph.add(NodeKind::multiply, x, graph.constant(-1.0)), minus_x);
  EXPECT_EQ(graph.add(NodeKind::divide, x, one), x);
  EXPECT_EQ(graph.add(NodeKind::divide, x, graph.constant(-1.0)), minus_x);
  EXPECT_EQ(graph.add(NodeKind::divide, zero, x), zero);
  EXPECT_EQ(graph.add(NodeKind::negate, minus_x), x);
  EXPECT_FALSE(graph.is_constant(graph.add(NodeKind::divide, x, zero)));
  EXPECT_FALSE(graph.is_constant(graph.add(NodeKind::subtract, x, x)));  // infinite ones are not 0
}

TEST_F(GraphTest, FoldsConstants) {
  const int two = graph.constant(2.0);
  const int three = graph.constant(3.0);
  EXPECT_TRUE(graph.is_constant(graph.add(NodeKind::divide, two, three), 2.0 / 3.0));
  EXPECT_TRUE(graph.is_constant(graph.add(NodeKind::pow, two, three), 8.0));
  EXPECT_TRUE(graph.is_constant(graph.add(NodeKind::sqrt, two), std::sqrt(2.0)));
  EXPECT_TRUE(graph.is_constant(graph.add(NodeKind::less, two, three), 1.0));
  EXPECT_TRUE(graph.is_constant(graph.add(NodeKind::less_equal, three, two), 0.0));
  EXPECT_TRUE(graph.is_constant(graph.add(NodeKind::finite, two), 1.0));
  // Not a number is what it is everywhere, and once.
  const int none = graph.add(NodeKind::divide, zero, zero);
  EXPECT_TRUE(graph.is_constant(none));
  EXPECT_EQ(graph.add(NodeKind::add, none, two), none);
}

TEST_F(GraphTest, FoldsChoices) {
  const int smaller = graph.add(NodeKind::less, x, y);
  const int larger = graph.add(NodeKind::less, y, x);
  EXPECT_EQ(graph.add(NodeKind::both, smaller, one), smaller);
  EXPECT_EQ(graph.add(NodeKind::both, zero, smaller), zero);
  EXPECT_EQ(graph.add(NodeKind::both, smaller, smaller), smaller);
  EXPECT_EQ(graph.add(NodeKind::either, smaller, zero), smaller);
  EXPECT_EQ(graph.add(NodeKind::either, one, smaller), one);
  EXPECT_NE(graph.add(NodeKind::either, smaller, larger), smaller);
  EXPECT_EQ(graph.add(NodeKind::opposite, graph.add(NodeKind::opposite, smaller)), smaller);
  EXPECT_TRUE(graph.is_constant(graph.add(NodeKind::opposite, one), 0.0));
  EXPECT_EQ(graph.add(NodeKind::select, one, x, y), x);
  EXPECT_EQ(graph.add(NodeKind::select, zero, x, y), y);
  EXPECT_EQ(graph.add(NodeKind::select, smaller, x, x), x);
  const int chosen = graph.add(NodeKind::select, smaller, x, y);
  EXPECT_NE(chosen, x);
  EXPECT_NE(chosen, y);
}

// Where a factor is zero its product with what is finite is.
TEST_F(GraphTest, FoldsGuardsOfProducts) {
  const auto guarded = [&](int choice, int product) {
    return graph.add(NodeKind::select, choice, zero, product);
  };
  const int two = graph.constant(2.0);
  const int no_x = graph.add(NodeKind::equal, x, zero);
  const int no_y = graph.add(NodeKind::equal, zero, y);
  const int neither = graph.add(NodeKind::both, no_x, no_y);
  const int product = graph.add(NodeKind::multiply, two, x);
  const int sum = graph.add(NodeKind::add, product, graph.add(NodeKind::multiply, y, y));
  const int quotient = graph.add(NodeKind::divide, sum, two);
  EXPECT_EQ(guarded(no_x, x), x);
  EXPECT_EQ(guarded(no_x, product), product);
  EXPECT_EQ(guarded(no_x, graph.add(NodeKind::negate, product)),
            graph.add(NodeKind::negate, product));
  EXPECT_EQ(guarded(neither, quotient), quotient);

  for (const int choice : {no_x, no_y, graph.add(NodeKind::either, no_x, no_y)}) {
    EXPECT_NE(guarded(choice, sum), sum);
    EXPECT_NE(guarded(choice, quotient), quotient);
  }
  EXPECT_NE(guarded(no_y, product), product);
  EXPECT_NE(guarded(no_x, graph.add(NodeKind::divide, y, x)), graph.add(NodeKind::divide, y, x));
  EXPECT_NE(guarded(graph.add(NodeKind::equal, x, one), product), product);
  EXPECT_NE(graph.add(NodeKind::select, no_x, one, product), product);
}

}  // namespace
}  // namespace gradus::specialise
