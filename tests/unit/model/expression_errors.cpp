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
  const TestScope scope(graph, {"length", "width", "L_A1"}, {"tip"});
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
       "unknown name \"lenght\" at column 1 of \"lenght\" (nothing usable here is called so), "
       "did you mean \"length\"?"},
      {"2*L_a1", "did you mean \"L_A1\"?"},
      {"squrt(2)", "did you mean \"sqrt\"?"},
      {"xyzzy", "known are \"L_A1\", \"length\", \"tip\", \"width\""},
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
      {"[1, 2].x", "2 components in a vector"},
      {"[tip, 1, 2].x", "a vector inside a vector"},
      {"tip", "use a component (v.x), dot(u, v) or norm(v)"},
      {"tip + 1", "a scalar and a vector"},
      {"tip*tip", "write dot(u, v) or cross(u, v)"},
      {"1/tip", "division by a vector"},
      {"tip^2", "write dot(v, v)"},
      {"2^tip", "a power of vectors"},
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
