// Arrays and lists in expressions.
#include <gtest/gtest.h>

#include "tests/unit/model/expression_helpers.hpp"

namespace gradus::expression {
namespace {

// Of the scalar x and the lists a (4 elements), b (3) and c (1).
double value(const std::string& text) {
  Graph graph;
  const TestScope scope(graph, {"x"}, {}, {{"a", 4}, {"b", 3}, {"c", 1}});
  const std::vector<double> inputs{2, 3, 5, 7, 11, 13, 17, 19, 23};
  return run(compile(graph, {parse_scalar(graph, text, scope, "test")}), inputs)[0];
}

TEST(Lists, Elements) {
  EXPECT_EQ(value("a[0]"), 3);
  EXPECT_EQ(value("a[3]"), 11);
  EXPECT_EQ(value("b[ 1 ]*x"), 34);
  EXPECT_EQ(value("c[0]^2"), 529);
}

TEST(Lists, Functions) {
  EXPECT_EQ(value("sum(a)"), 26);
  EXPECT_EQ(value("sum(c)"), 23);
  EXPECT_EQ(value("sum([x, 1, 2])"), 5);
  EXPECT_EQ(value("sum([x, 1, 2, x*x])"), 9);
  EXPECT_EQ(value("dot(a, [1, 10, 100, 1000])"), 11753);
  EXPECT_EQ(value("dot(b, [1, 10, x])"), 13 + 170 + 38);
  EXPECT_EQ(value("dot([x, 1], [3, 4])"), 10);
}

TEST(Lists, Arithmetic) {
  EXPECT_EQ(value("sum(a + [1, 1, 1, 1])"), 30);
  EXPECT_EQ(value("sum(x*a - a/x)"), 39);
  EXPECT_EQ(value("sum(-a)"), -26);
  EXPECT_EQ(value("sum(b + [1, 2, 3])"), 55);
}

}  // namespace
}  // namespace gradus::expression
