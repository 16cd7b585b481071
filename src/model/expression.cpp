// The parser of expressions, by recursive descent.
#include "src/model/expression.hpp"

#include <numbers>
#include <optional>

#include "src/model/functions.hpp"
#include "src/model/lexer.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"

namespace gradus::expression {
namespace {

// Recursive descent; each rule of the grammar is one member function:
//   sum     = product { ("+" | "-") product }
//   product = signed { ("*" | "/") signed }
//   signed  = ("-" | "+") signed | power
//   power   = member [ "^" signed ]
//   member  = primary { "." ("x" | "y" | "z") }
//   primary = number | name [ "." digits | "[" digits "]" ]
//           | name "(" argument { "," argument } ")" | "(" sum ")" | "[" sum { "," sum } "]"
//   argument = sum | text
class Parser {
 public:
  Parser(Graph& graph, std::string_view text, const Scope& scope, const std::string& where)
      : graph_(graph), scope_(scope), lexer_(text, where), token_(lexer_.next()) {}

  Value whole() {
    if (token_.kind == TokenKind::end)
      fail("empty expression", "nothing to compute", "write a number or an expression");
    const Value value = sum();
    if (token_.kind != TokenKind::end) {
      const bool missing_sign = token_.kind != TokenKind::sign || is("(") || is("[");
      fail("unexpected " + in_quotes(token_.text), "the expression is complete before it",
           missing_sign ? "products are written with *" : "check the brackets");
    }
    return value;
  }

  [[noreturn]] void fail_at_start(const std::string& problem, const std::string& why,
                                  const std::string& hint) const {
    lexer_.fail(1, problem, why, hint);
  }

 private:
  static constexpr int deepest = 200;

  Value sum() {
    Value left = product();
    while (const auto sign = accepted("+-")) left = combined(*sign, left, product());
    return left;
  }

  Value product() {
    Value left = signed_value();
    while (const auto sign = accepted("*/")) left = combined(*sign, left, signed_value());
    return left;
  }

  // Every way to nest goes through here, so that hostile text cannot exhaust the stack.
  Value signed_value() {
    if (++depth_ > deepest)
      fail("nesting too deep", "more than " + std::to_string(deepest) + " levels",
           "split the expression with definitions");
    const Value value = accepted("+")   ? signed_value()
                        : accepted("-") ? negated(graph_, signed_value())
                                        : power();
    --depth_;
    return value;
  }

  Value power() {
    const Value base = member();
    const auto sign = accepted("^");
    return sign ? combined(*sign, base, signed_value()) : base;
  }

  Value combined(const Token& sign, const Value& left, const Value& right) {
    const Refusal wrong = refusal(sign.text, left, right);
    if (!wrong.problem.empty()) fail(sign, wrong.problem, wrong.why, wrong.hint);
    return expression::combined(graph_, sign.text, left, right);
  }

  Value member() {
    Value value = primary();
    while (const auto point = accepted(".")) {
      if (token_.text != "x" && token_.text != "y" && token_.text != "z")
        fail("component " + in_quotes(token_.text) + " unknown", "vectors have x, y and z",
             "write v.x, v.y or v.z");
      if (value.components.size() != 3)
        fail(*point, "a component of " + kind_of(value), "only vectors have components",
             value.is_list ? "elements of an array are k[0], k[1] and so on"
                           : "write a vector, as [x, y, z], or no component");
      const auto index = static_cast<std::size_t>(take().text[0] - 'x');
      value = {{value.components[index]}};
    }
    return value;
  }

  Value primary() {
    if (token_.kind == TokenKind::number) return {{graph_.constant(take().value)}};
    if (token_.kind == TokenKind::name) return name();
    if (accepted("(")) {
      const Value value = sum();
      expect(")");
      return value;
    }
    if (is("[")) return list_of_scalars();
    if (token_.kind == TokenKind::end)
      fail("unexpected end", "an operand is missing", "complete the expression");
    if (token_.kind == TokenKind::text)
      fail("unexpected text " + in_quotes(token_.text), "texts are arguments of functions only",
           "write a number, a name, a function or brackets here");
    fail("unexpected " + in_quotes(token_.text), "an operand is missing",
         "write a number, a name, a function or brackets here");
  }

  // Three of them are a vector.
  Value list_of_scalars() {
    const Token bracket = take();
    Value scalars;
    for (const Value& component : list("]")) {
      if (!component.is_scalar())
        fail(bracket, kind_of(component) + " inside a vector or list", "components are scalars",
             "use its components");
      scalars.components.push_back(component.components[0]);
    }
    if (scalars.components.empty())
      fail(bracket, "an empty list", "there is nothing in it", "write [x, y, z]");
    scalars.is_list = scalars.components.size() != 3;
    return scalars;
  }

  Value name() {
    const Token name = take();
    if (is("(")) return function_call(name);
    if (name.text == "pi") return {{graph_.constant(std::numbers::pi)}};
    if (find_function(name.text) != nullptr)
      fail(name, "function " + in_quotes(name.text) + " without arguments", "it is not a number",
           "write " + std::string(find_function(name.text)->usage));
    if (const Value* value = scope_.find(name.text)) {
      if (is("[")) return element(name, *value);
      return value->is_list ? *value : named_value(name, *value);
    }
    const std::string why = scope_.refusal(name.text), quoted = in_quotes(name.text);
    fail(name, why.empty() ? "unknown name " + quoted : quoted + " cannot be used here",
         why.empty() ? "nothing of this name can be used here" : why, scope_.hint(name.text));
  }

  // The element of an array that follows as "[0]", "[1]" and so on.
  Value element(const Token& name, const Value& array) {
    const std::string hint = "write " + std::string(name.text) + "[0] to " +
                             std::string(name.text) + "[" +
                             std::to_string(array.components.size() - 1) + "]";
    if (!array.is_list)
      fail("brackets after " + in_quotes(name.text), "it is " + kind_of(array) + " and no array",
           array.is_vector() ? "components of vectors are v.x, v.y and v.z"
                             : "products are written with *");
    take();
    if (token_.kind != TokenKind::number ||
        token_.text.find_first_not_of("0123456789") != std::string_view::npos) {
      fail("no index of " + in_quotes(name.text), "elements are counted by whole numbers", hint);
    }
    const Token index = take();
    if (index.value >= static_cast<double>(array.components.size()))
      fail(index, "index " + in_quotes(index.text) + " out of range",
           in_quotes(name.text) + " has " + std::to_string(array.components.size()) + " elements",
           hint);
    expect("]");
    return {{array.components[static_cast<std::size_t>(index.value)]}};
  }

  // The value of a name, or the component of it that follows as ".0", ".1" and so on.
  Value named_value(const Token& name, const Value& value) {
    const std::size_t size = value.components.size();
    const bool is_index = token_.kind == TokenKind::number && token_.text[0] == '.' &&
                          token_.text.find_first_not_of("0123456789", 1) == std::string_view::npos;
    if (size > 1 && is_index) {
      const Token index = take();
      for (std::size_t k = 0; k < size; ++k)
        if (index.text.substr(1) == std::to_string(k)) return {{value.components[k]}};
      fail(index, "component " + in_quotes(index.text.substr(1)) + " unknown",
           in_quotes(name.text) + " has " + std::to_string(size), components_hint(name, size));
    }
    if (size == 1 || size == 3) return value;
    fail(name, in_quotes(name.text) + " as a whole",
         "it has " + std::to_string(size) + " components and is neither a scalar nor a vector",
         components_hint(name, size));
  }

  static std::string components_hint(const Token& name, std::size_t size) {
    const std::string text(name.text);
    return "write " + text + ".0" + (size > 2 ? " to " : " or ") + text + "." +
           std::to_string(size - 1);
  }

  Value function_call(const Token& name) {
    const Function* function = find_function(name.text);
    if (function == nullptr) {
      const bool is_value = name.text == "pi" || scope_.find(name.text) != nullptr;
      fail(name, in_quotes(name.text) + " is not a function", "it stands before a bracket",
           is_value ? "products are written with *" : suggestion(name.text, reserved_names()));
    }
    take();
    std::vector<Token> starts;
    const std::vector<Value> arguments = list(")", &starts);
    const Problem problem = argument_problem(graph_, *function, arguments);
    if (!problem.text.empty())
      fail(problem.argument < 0 ? name : starts[static_cast<std::size_t>(problem.argument)],
           "wrong arguments of " + in_quotes(name.text), problem.text,
           problem.hint.empty() ? "write " + std::string(function->usage) : problem.hint);
    return call(graph_, *function, arguments);
  }

  // Values between commas, up to the closing bracket. With `starts`, the tokens they begin with,
  // they are arguments of a function.
  std::vector<Value> list(std::string_view closing, std::vector<Token>* starts = nullptr) {
    std::vector<Value> values;
    if (accepted(closing)) return values;
    do {
      if (starts != nullptr) starts->push_back(token_);
      const bool is_text = starts != nullptr && token_.kind == TokenKind::text;
      values.push_back(is_text ? Value{{}, false, std::string(take().text)} : sum());
    } while (accepted(","));
    expect(closing);
    return values;
  }

  bool is(std::string_view sign) const {
    return token_.kind == TokenKind::sign && token_.text == sign;
  }

  // The next token, taken, if it is one of these signs.
  std::optional<Token> accepted(std::string_view signs) {
    if (token_.kind != TokenKind::sign || signs.find(token_.text) == std::string_view::npos)
      return std::nullopt;
    return take();
  }

  Token take() {
    const Token taken = token_;
    token_ = lexer_.next();
    return taken;
  }

  void expect(std::string_view sign) {
    if (accepted(sign)) return;
    const bool at_end = token_.kind == TokenKind::end;
    fail(at_end ? "unexpected end" : "unexpected " + in_quotes(token_.text),
         in_quotes(sign) + " expected", "close the bracket");
  }

  [[noreturn]] void fail(const std::string& problem, const std::string& why,
                         const std::string& hint) const {
    lexer_.fail(token_.column, problem, why, hint);
  }
  [[noreturn]] void fail(const Token& token, const std::string& problem, const std::string& why,
                         const std::string& hint) const {
    lexer_.fail(token.column, problem, why, hint);
  }

  Graph& graph_;
  const Scope& scope_;
  Lexer lexer_;
  Token token_;
  int depth_ = 0;
};

}  // namespace

std::string Scope::hint(std::string_view name) const {
  std::vector<std::string> candidates = names();
  const std::vector<std::string>& reserved = reserved_names();
  const std::string near = nearest(name, candidates);
  if (!near.empty()) return suggestion(name, candidates);
  if (!nearest(name, reserved).empty()) return suggestion(name, reserved);
  if (candidates.empty()) return "only numbers, functions and pi can be used";
  return suggestion(name, candidates);
}

std::string kind_of(const Value& value) {
  if (!value.text.empty()) return "a text";
  if (value.is_scalar()) return "a scalar";
  if (value.is_vector()) return "a vector";
  return "a list of " + std::to_string(value.components.size());
}

Value parse(Graph& graph, std::string_view text, const Scope& scope, const std::string& where) {
  return Parser(graph, text, scope, where).whole();
}

Node parse_scalar(Graph& graph, std::string_view text, const Scope& scope,
                  const std::string& where) {
  Parser parser(graph, text, scope, where);
  const Value value = parser.whole();
  if (!value.is_scalar())
    parser.fail_at_start(kind_of(value), "a scalar is expected",
                         value.is_list ? "use an element such as k[0], or sum(k)"
                                       : "use a component (v.x), dot(u, v) or norm(v)");
  return value.components[0];
}

}  // namespace gradus::expression
