// What is wrong with an expression is said with place, reason and hint.
#include <gtest/gtest.h>

#include "gradus/error.hpp"
#include "src/model/lexer.hpp"
#include "tests/unit/model/expression_helpers.hpp"

namespace gradus::expression {
namespace {

struct Mistake {
  std::string text;
  const char* expected;  // part of the message
};

std::string message_of(const std::string& text) {
  Graph graph;
  const TestScope scope(graph, {"length", "width", "L_A1"}, {"tip"},
                        {{"nodes", 3}, {"weights", 5}});
  try {
    parse_scalar(graph, text, scope, "file: /bodies/A/mass");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ExpressionErrors, SayWhereAndWhy) {
  const Mistake mistakes[] = {
      {"", "empty expression at column 1"},
      {"   ", "empty expression"},
      {"lenght",
       "unknown name \"lenght\" at column 1 of \"lenght\" (nothing of this name can be used here), "
       "did you mean \"length\"?"},
      {"2*L_a1", "did you mean \"L_A1\"?"},
      {"squrt(2)", "did you mean \"sqrt\"?"},
      {"xyzzy", "known are \"L_A1\", \"length\", \"nodes\", \"tip\", \"weights\""},
      {"length(2)", "products are written with *"},
      {"sqrt", "write sqrt(x)"},
      {"sqrt(1, 2)", "found 2, expected 1"},
      {"atan2(1)", "found 1, expected 2"},
      {"min(1)", "found 1, expected at least 2"},
      {"sin(tip)", "the argument is a vector, expected a scalar"},
      {"dot(tip, 2)", "argument 2 is a scalar, expected a vector"},
      {"norm()", "found 0, expected 1"},
      {"1 +", "unexpected end at column 4"},
      {"1 + * 2", "unexpected \"*\" at column 5"},
      {"2 length", "products are written with *"},
      {"(1 + 2", "\")\" expected"},
      {"(1 + 2]", "\")\" expected"},
      {"1)", "check the brackets"},
      {"[1, 2].x", "a component of a list of 2"},
      {"[tip, 1, 2].x", "a vector inside a vector"},
      {"tip", "use a component (v.x), dot(u, v) or norm(v)"},
      {"tip + 1", "a vector and a scalar around \"+\""},
      {"tip*tip", "write dot(u, v) or cross(u, v)"},
      {"1/tip", "division by a vector"},
      {"tip^2", "write dot(v, v)"},
      {"2^tip", "a power of a vector"},
      {"tip.w", "component \"w\" unknown"},
      {"length.x", "only vectors have components"},
      {"1e999", "out of range"},
      {"1 $ 2", "unexpected character \"$\" at column 3"},
      {"0x10", "unexpected \"x10\""},
      {"nan", "unknown name \"nan\""},
      {"1 = 2", "unexpected character \"=\""},
  };
  for (const Mistake& mistake : mistakes) {
    const std::string message = message_of(mistake.text);
    EXPECT_NE(message.find(mistake.expected), std::string::npos) << message;
    EXPECT_EQ(message.rfind("file: /bodies/A/mass: ", 0), 0u) << message;
  }
}

TEST(ExpressionErrors, OfListsAndElements) {
  const Mistake mistakes[] = {
      {"nodes", "a list of 3 at column 1 of \"nodes\" (a scalar is expected), use an element"},
      {"2*weights", "a list of 5"},
      {"nodes + 1", "a list of 3 and a scalar around \"+\" at column 7"},
      {"nodes + weights", "a list of 3 and a list of 5 around \"+\""},
      {"nodes*weights", "a product of a list of 3 and a list of 5 at column 6 of"},
      {"1/nodes", "division by a list of 3"},
      {"nodes^2", "a power of a list of 3"},
      {"sin(nodes)", "the argument is a list of 3, expected a scalar"},
      {"norm(nodes)", "the argument is a list of 3, expected a vector"},
      {"norm(2*nodes)", "the argument is a list of 3, expected a vector"},
      {"norm(nodes + tip)", "the argument is a list of 3, expected a vector"},
      {"norm(tip - nodes)", "the argument is a list of 3, expected a vector"},
      {"cross(tip, nodes)", "argument 2 is a list of 3, expected a vector"},
      {"weights.x", "a component of a list of 5"},
      {"nodes[3]",
       "index \"3\" out of range at column 7 of \"nodes[3]\" (\"nodes\" has 3 elements), write "
       "nodes[0] to nodes[2]"},
      {"nodes[99999999999999999999]", "out of range"},
      {"nodes[1.5]", "no index of \"nodes\" at column 7"},
      {"nodes[1e0]", "elements are counted by whole numbers"},
      {"nodes[-1]", "elements are counted by whole numbers"},
      {"nodes[length]", "elements are counted by whole numbers"},
      {"nodes[]", "elements are counted by whole numbers"},
      {"nodes[1", "\"]\" expected"},
      {"nodes[1, 2]", "\"]\" expected"},
      {"length[0]",
       "brackets after \"length\" at column 7 of \"length[0]\" (it is a scalar and no array)"},
      {"tip[0]", "components of vectors are v.x"},
      {"[nodes, 1]", "a list of 3 inside a vector or list"},
      {"[]", "an empty list"},
      {"sum(length)", "the argument is a scalar, expected a vector or a list"},
      {"sum(nodes, tip)", "found 2, expected 1"},
      {"dot(nodes, [1, 2])", "a list of 3 and a list of 2, expected equal lengths"},
      {"dot(tip, weights)", "a vector and a list of 5, expected equal lengths"},
      {"spline(length, [0, 1])", "found 2, expected 3"},
      {"spline(tip, [0, 1], [1, 2])", "argument 1 is a vector, expected a scalar"},
      {"spline(length, 1, [1, 2])", "argument 2 is a scalar, expected a vector or a list"},
      {"spline(length, [0, 1], 2)", "argument 3 is a scalar, expected a vector or a list"},
      {"spline(length, [0], [1])", "found 1 knot, expected at least 2"},
      {"spline(length, [0, 1, 2, 3], nodes)", "found 4 knots and 3 values"},
      {"spline(length, [0, width], [1, 2])", "knot 1 is not a plain number"},
      {"spline(length, nodes, nodes)", "knot 0 is not a plain number"},
      {"spline(length, [0, 1, 1, 2], [1, 2, 3, 4])",
       "knot 2 is 1 after 1, expected finite and asc"},
      {"spline(length, [0, 2, 1], nodes)", "knot 2 is 1 after 2"},
      {"spline(length, [0, 1/0], [1, 2])", "knot 1 is inf"},
      {"spline(length, [0, 0/0], [1, 2])", "knot 1 is nan"},
      {"spline", "write spline(x, [x0, x1, ...], [y0, y1, ...], 'kind', 'ends')"},
      {"spline(length, [0, 1], [1, 2], 'cubic')", "there is no kind \"cubic\""},
      {"spline(length, [0, 1], [1, 2], 'liner')", "did you mean \"linear\"?"},
      {"spline(length, [0, 1], [1, 2], 'liner')", "at column 32"},
      {"spline(length, [0, 1], [1, 2], 3)", "argument 4 is a scalar, expected a kind"},
      {"spline(length, [0, 1], [1, 2], 'linear', 'hols')", "did you mean \"hold\"?"},
      {"spline(length, [0, 1], [1, 2], 'linear', 'hols')", "at column 42"},
      {"spline(length, [0, 1], [1, 2], 'linear', length)",
       "argument 5 is a scalar, and only clamped"},
      {"spline(length, [0, 1], [1, 2], 'clamped', [1])", "expected the slopes at both ends"},
      {"spline(length, [0, 1], [1, 2], 'clamped', [1, 2], 3)", "argument 6 is a scalar"},
      {"spline(length, [0, 1], [1, 2], 'linear', 'hold', 'hold')", "found 6, expected at most 5"},
      {"spline(length, [0, 1, 2, 3], [1, 2, 3, 4], 'periodic')", "ends with another value"},
      {"spline(length, [0, 1], [1, 2], 'linear', 'repeat')", "ends with another value"},
      {"spline(length, [0, 1], [1, 1], 'periodic', 'hold')", "periodic splines repeat"},
      {"spline(length, [0, 1, 2, 3], [1, 2], 'periodic')", "or one value less"},
      {"spline(length, [0, 1], [1, 2], 'linear", "text without end at column 32"},
      {"spline(length, [0, 1], [1, 2], '')", "empty text"},
      {"'linear'", "texts are arguments of functions only"},
      {"sqrt('linear')", "the argument is a text, expected a scalar"},
      {"dot('a', 'b')", "argument 1 is a text"},
      {"min('a', 2)", "argument 1 is a text"},
  };
  for (const Mistake& mistake : mistakes) {
    const std::string message = message_of(mistake.text);
    EXPECT_NE(message.find(mistake.expected), std::string::npos) << message;
  }
}

TEST(ExpressionErrors, NestingIsLimited) {
  const int deep = 100000;
  const std::string open(deep, '('), close(deep, ')');
  std::string powers = "2";
  for (int i = 0; i < deep; ++i) powers += "^2";
  for (const std::string& text : {open + "1" + close, std::string(deep, '-') + "1",
                                  std::string(deep, '+') + "1", std::string(deep, '['), powers}) {
    EXPECT_NE(message_of(text).find("nesting too deep"), std::string::npos);
    EXPECT_LT(message_of(text).size(), 400u);
  }
  EXPECT_EQ(message_of(std::string(100, '(') + "1" + std::string(100, ')')), "no error");
}

TEST(ExpressionErrors, NamesInListsWhatIsUsed) {
  EXPECT_EQ(names_in("sin(a) + b.x*1e5 - c2", "test"),
            (std::vector<std::string>{"sin", "a", "b", "c2"}));
}

}  // namespace
}  // namespace gradus::expression
