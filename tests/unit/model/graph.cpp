// The graph shares equal expressions, folds constants and compiles only what is needed.
#include "src/model/graph.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "tests/unit/model/expression_helpers.hpp"

namespace gradus::expression {
namespace {

TEST(Graph, EqualExpressionsAreOneNode) {
  Graph graph;
  const TestScope scope(graph, {"x", "y"});
  const Node first = parse_scalar(graph, "sin(x*y) + 1", scope, "test");
  const int size = graph.size();
  EXPECT_EQ(parse_scalar(graph, "1 + sin(y*x)", scope, "test"), first);
  EXPECT_EQ(graph.size(), size);
  EXPECT_NE(parse_scalar(graph, "x - y", scope, "test"),
            parse_scalar(graph, "y - x", scope, "test"));
}

TEST(Graph, SimplifiesIdentities) {
  Graph graph;
  const TestScope scope(graph, {"x"});
  const Node x = graph.input(0);
  for (const char* text : {"x + 0", "0 + x", "x*1", "1*x", "x - 0", "x/1", "--x", "0 - (0 - x)",
                           "x^1", "x + 0*x", "-1*-x"}) {
    EXPECT_EQ(parse_scalar(graph, text, scope, "test"), x) << text;
  }
  for (const char* text : {"x*0", "0*x", "0*sin(x)"}) {
    const Node node = parse_scalar(graph, text, scope, "test");
    ASSERT_TRUE(graph.is_constant(node)) << text;
    EXPECT_EQ(graph.constant_value(node), 0.0) << text;
  }
  // These would be NaN at x = 0 or x = infinity.
  for (const char* text : {"0/x", "x - x", "x/x"})
    EXPECT_FALSE(graph.is_constant(parse_scalar(graph, text, scope, "test"))) << text;
}

// Every simplification against the plain operation, at values that tell signs and operands apart.
TEST(Graph, SimplifiedExpressionsKeepTheirValues) {
  const double x = 3, y = 5;
  const std::pair<const char*, double> expectations[] = {
      {"0 + x", x},       {"x + -y", x - y},    {"-x + y", y - x}, {"-x + -y", -x - y},
      {"0 - x", -x},      {"x - -y", x + y},    {"x*-1", -x},      {"-1*x", -x},
      {"x/-1", -x},       {"-(-x - y)", x + y}, {"x^0", 1.0},      {"x^2", x * x},
      {"x^3", x * x * x}, {"x^-1", 1.0 / x},    {"(-x)^2", x * x}, {"(-x)^3", -x * x * x},
      {"y*x - x*y", 0.0}, {"x - y", x - y},     {"y/x", y / x},    {"0 - (y - x)", x - y},
  };
  for (const auto& [text, expected] : expectations) {
    Graph graph;
    const TestScope scope(graph, {"x", "y"});
    const Program program = compile(graph, {parse_scalar(graph, text, scope, "test")});
    EXPECT_EQ(run(program, std::vector<double>{x, y})[0], expected) << text;
  }
}

TEST(Graph, KnowsTheInputsOfANode) {
  Graph graph;
  const TestScope scope(graph, {"a", "b", "c", "d"});
  const Node node = parse_scalar(graph, "sin(d)*a + d - 0*b", scope, "test");
  EXPECT_EQ(graph.inputs_of(node), (std::vector<int>{0, 3}));
  EXPECT_TRUE(graph.inputs_of(graph.constant(3)).empty());
}

TEST(Graph, CompilesOnlyWhatIsNeeded) {
  Graph graph;
  const TestScope scope(graph, {"a", "b"});
  const Node unused = parse_scalar(graph, "exp(a) + exp(b)", scope, "test");
  const Node used = parse_scalar(graph, "(a + 2)*(a + 2)", scope, "test");
  const Node constant = graph.constant(7);
  ASSERT_NE(unused, used);
  const Program program = compile(graph, {used, constant, used});
  EXPECT_EQ(program.instructions.size(), 5u);  // a, 2, a + 2, the square, 7
  EXPECT_EQ(run(program, std::vector<double>{1, 0}), (std::vector<double>{9, 7, 9}));
  for (std::size_t k = 0; k < program.instructions.size(); ++k) {
    const kernels::Instruction& instruction = program.instructions[k];
    if (instruction.operation == Operation::input || instruction.operation == Operation::constant)
      continue;
    EXPECT_LT(instruction.a, static_cast<int>(k));
    EXPECT_LT(instruction.b, static_cast<int>(k));
  }
}

TEST(Graph, LongSumsNeedNoStack) {
  Graph graph;
  const TestScope scope(graph, {"x"});
  std::string text = "x";
  for (int i = 0; i < 100000; ++i) text += " + sin(x)*2";
  const Node node = parse_scalar(graph, text, scope, "test");
  EXPECT_EQ(graph.inputs_of(node), std::vector<int>{0});
  EXPECT_EQ(run(compile(graph, {node}), std::vector<double>{0.0})[0], 0.0);
}

}  // namespace
}  // namespace gradus::expression
