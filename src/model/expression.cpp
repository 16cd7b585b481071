// The parser of expressions, by recursive descent.
#include "src/model/expression.hpp"

#include <numbers>

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
//   primary = number | name [ "." digits ] | name "(" sum { "," sum } ")" | "(" sum ")" | "[" sum
//   "," sum "," sum
//   "]"
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

  // Counts how deep the rules are nested, so that hostile text cannot exhaust the stack.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : depth_(parser.depth_) {
      if (++depth_ > deepest) {
        parser.fail("nesting too deep", "more than " + std::to_string(deepest) + " levels",
                    "split the expression with definitions");
      }
    }
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    int& depth_;
  };

  Value sum() {
    Value left = product();
    while (is("+") || is("-")) {
      const Token sign = take();
      const Value right = product();
      if (left.is_vector() != right.is_vector()) {
        fail(sign, "a scalar and a vector around " + in_quotes(sign.text), "they cannot be added",
             "use a component, or write a vector [x, y, z]");
      }
      for (std::size_t i = 0; i < left.components.size(); ++i) {
        Node& component = left.components[i];
        component = sign.text == "+" ? graph_.add(component, right.components[i])
                                     : graph_.subtract(component, right.components[i]);
      }
    }
    return left;
  }

  Value product() {
    Value left = signed_value();
    while (is("*") || is("/")) {
      const Token sign = take();
      Value right = signed_value();
      if (sign.text == "/") {
        if (right.is_vector())
          fail(sign, "division by a vector", "it is not defined",
               "divide by norm(v) or a component");
        for (Node& component : left.components)
          component = graph_.divide(component, right.components[0]);
        continue;
      }
      if (left.is_vector() && right.is_vector())
        fail(sign, "a product of two vectors", "it is ambiguous", "write dot(u, v) or cross(u, v)");
      if (right.is_vector()) std::swap(left, right);
      for (Node& component : left.components)
        component = graph_.multiply(component, right.components[0]);
    }
    return left;
  }

  Value signed_value() {
    const Nesting nesting(*this);
    if (is("+")) {
      take();
      return signed_value();
    }
    if (!is("-")) return power();
    take();
    Value value = signed_value();
    for (Node& component : value.components) component = graph_.negate(component);
    return value;
  }

  Value power() {
    const Value base = member();
    if (!is("^")) return base;
    const Token sign = take();
    const Value exponent = signed_value();
    if (base.is_vector() || exponent.is_vector())
      fail(sign, "a power of vectors", "it is not defined", "write dot(v, v) for the square");
    return {{graph_.apply(Operation::power, base.components[0], exponent.components[0])}};
  }

  Value member() {
    Value value = primary();
    while (is(".")) {
      const Token point = take();
      const bool known = token_.text == "x" || token_.text == "y" || token_.text == "z";
      if (!known) {
        fail("component " + in_quotes(token_.text) + " unknown", "vectors have x, y and z",
             "write v.x, v.y or v.z");
      }
      if (!value.is_vector())
        fail(point, "a component of a scalar", "only vectors have components", "remove it");
      const auto index = static_cast<std::size_t>(take().text[0] - 'x');
      value = {{value.components[index]}};
    }
    return value;
  }

  Value primary() {
    if (token_.kind == TokenKind::number) return {{graph_.constant(take().value)}};
    if (token_.kind == TokenKind::name) return name();
    if (is("(")) {
      take();
      const Value value = sum();
      expect(")");
      return value;
    }
    if (is("[")) return vector();
    if (token_.kind == TokenKind::end)
      fail("unexpected end", "an operand is missing", "complete the expression");
    fail("unexpected " + in_quotes(token_.text), "an operand is missing",
         "write a number, a name, a function or brackets here");
  }

  Value vector() {
    const Token bracket = take();
    Value vector;
    for (const Value& component : list("]")) {
      if (component.is_vector())
        fail(bracket, "a vector inside a vector", "components are scalars", "use its components");
      vector.components.push_back(component.components[0]);
    }
    if (vector.components.size() != 3) {
      fail(bracket, std::to_string(vector.components.size()) + " components in a vector",
           "vectors have 3", "write [x, y, z]");
    }
    return vector;
  }

  Value name() {
    const Token name = take();
    if (is("(")) return function_call(name);
    if (name.text == "pi") return {{graph_.constant(std::numbers::pi)}};
    if (find_function(name.text) != nullptr) {
      fail(name, "function " + in_quotes(name.text) + " without arguments", "it is not a number",
           "write " + std::string(find_function(name.text)->usage));
    }
    if (std::optional<Value> value = scope_.find(name.text)) return named_value(name, *value);
    if (const std::string why = scope_.refusal(name.text); !why.empty())
      fail(name, in_quotes(name.text) + " cannot be used here", why, scope_.hint(name.text));
    fail(name, "unknown name " + in_quotes(name.text), "nothing usable here is called so",
         scope_.hint(name.text));
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
      const bool is_value = name.text == "pi" || scope_.find(name.text).has_value();
      fail(name, in_quotes(name.text) + " is not a function", "it stands before a bracket",
           is_value ? "products are written with *" : suggestion(name.text, reserved_names()));
    }
    take();
    const std::vector<Value> arguments = list(")");
    const std::string problem = argument_problem(*function, arguments);
    if (!problem.empty()) {
      fail(name, "wrong arguments of " + in_quotes(name.text), problem,
           "write " + std::string(function->usage));
    }
    return call(graph_, *function, arguments);
  }

  // Values between commas, up to the closing bracket.
  std::vector<Value> list(std::string_view closing) {
    std::vector<Value> values;
    if (is(closing)) {
      take();
      return values;
    }
    values.push_back(sum());
    while (is(",")) {
      take();
      values.push_back(sum());
    }
    expect(closing);
    return values;
  }

  bool is(std::string_view sign) const {
    return token_.kind == TokenKind::sign && token_.text == sign;
  }

  Token take() {
    const Token taken = token_;
    token_ = lexer_.next();
    return taken;
  }

  void expect(std::string_view sign) {
    if (is(sign)) {
      take();
      return;
    }
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

Value parse(Graph& graph, std::string_view text, const Scope& scope, const std::string& where) {
  return Parser(graph, text, scope, where).whole();
}

Node parse_scalar(Graph& graph, std::string_view text, const Scope& scope,
                  const std::string& where) {
  Parser parser(graph, text, scope, where);
  const Value value = parser.whole();
  if (value.is_vector()) {
    parser.fail_at_start("a vector", "a scalar is expected",
                         "use a component (v.x), dot(u, v) or norm(v)");
  }
  return value.components[0];
}

}  // namespace gradus::expression
