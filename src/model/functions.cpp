// Operations: sums and differences go component by component, products and quotients by a scalar.
// The table of functions, and what each makes of its arguments.
#include "src/model/functions.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "src/model/message.hpp"

namespace gradus::expression {
namespace {

bool same_shape(const Value& a, const Value& b) {
  return a.is_scalar() == b.is_scalar() && a.components.size() == b.components.size();
}

Value cross(Graph& graph, const Value& a, const Value& b) {
  Value result;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const std::size_t k = (i + 2) % 3;
    result.components.push_back(graph.subtract(graph.multiply(a.components[j], b.components[k]),
                                               graph.multiply(a.components[k], b.components[j])));
  }
  return result;
}

Value sum(Graph& graph, const Value& list) {
  Node sum = graph.constant(0.0);
  for (const Node component : list.components) sum = graph.add(sum, component);
  return {{sum}};
}

using Arguments = std::vector<Value>;

constexpr std::array functions{
    Function{"sqrt", "sqrt(x)", "s", Operation::square_root},
    Function{"sin", "sin(x)", "s", Operation::sine},
    Function{"cos", "cos(x)", "s", Operation::cosine},
    Function{"tan", "tan(x)", "s", Operation::tangent},
    Function{"asin", "asin(x)", "s", Operation::arc_sine},
    Function{"acos", "acos(x)", "s", Operation::arc_cosine},
    Function{"atan", "atan(x)", "s", Operation::arc_tangent},
    Function{"atan2", "atan2(y, x)", "ss", Operation::arc_tangent2},
    Function{"sinh", "sinh(x)", "s", Operation::hyperbolic_sine},
    Function{"cosh", "cosh(x)", "s", Operation::hyperbolic_cosine},
    Function{"tanh", "tanh(x)", "s", Operation::hyperbolic_tangent},
    Function{"exp", "exp(x)", "s", Operation::exponential},
    Function{"log", "log(x)", "s", Operation::logarithm},
    Function{"abs", "abs(x)", "s", Operation::absolute},
    Function{"min", "min(a, b, ...)", "ss+", Operation::minimum},
    Function{"max", "max(a, b, ...)", "ss+", Operation::maximum},
    Function{"norm",
             "norm(v)",
             "v",
             {},
             [](Graph& graph, const Arguments& a) {
               return Value{{graph.norm(dot(graph, a[0], a[0]))}};
             }},
    Function{"sum",
             "sum(k)",
             "l",
             {},
             [](Graph& graph, const Arguments& a) { return sum(graph, a[0]); }},
    Function{"dot",
             "dot(u, v)",
             "ll",
             {},
             [](Graph& graph, const Arguments& a) { return Value{{dot(graph, a[0], a[1])}}; }},
    Function{"cross",
             "cross(u, v)",
             "vv",
             {},
             [](Graph& graph, const Arguments& a) { return cross(graph, a[0], a[1]); }},
    Function{"spline",
             "spline(x, [x0, x1, ...], [y0, y1, ...], 'kind', 'ends')",
             "sll?",
             {},
             [](Graph& graph, const Arguments& a) { return Value{{spline(graph, a)}}; }},
};

}  // namespace

Refusal refusal(std::string_view sign, const Value& a, const Value& b) {
  const bool scalars = a.is_scalar() && b.is_scalar();
  const bool lists = a.is_list || b.is_list;
  if ((sign == "+" || sign == "-") && !same_shape(a, b))
    return {kind_of(a) + " and " + kind_of(b) + " around " + in_quotes(sign),
            "they cannot be added",
            lists ? "use an element such as k[0], or sum(k)"
                  : "use a component, or write a vector [x, y, z]"};
  if (sign == "*" && !a.is_scalar() && !b.is_scalar())
    return {"a product of " + kind_of(a) + " and " + kind_of(b), "it is ambiguous",
            lists ? "write dot(a, b)" : "write dot(u, v) or cross(u, v)"};
  if (sign == "/" && !b.is_scalar())
    return {"division by " + kind_of(b), "it is not defined",
            lists ? "divide by an element" : "divide by norm(v) or a component"};
  if (sign == "^" && !scalars)
    return {"a power of " + kind_of(a.is_scalar() ? b : a), "it is not defined",
            "write dot(v, v) for the square"};
  return {};
}

Value combined(Graph& graph, std::string_view sign, const Value& a, const Value& b) {
  constexpr std::array operations{Operation::add, Operation::subtract, Operation::multiply,
                                  Operation::divide, Operation::power};
  const Operation operation = operations[std::string_view("+-*/^").find(sign)];
  Value result = a.is_scalar() ? b : a;
  result.is_list = a.is_list || b.is_list;
  const auto component = [](const Value& value, std::size_t k) {
    return value.components[value.is_scalar() ? 0 : k];
  };
  for (std::size_t k = 0; k < result.components.size(); ++k)
    result.components[k] = graph.apply(operation, component(a, k), component(b, k));
  return result;
}

Value negated(Graph& graph, Value value) {
  for (Node& component : value.components) component = graph.negate(component);
  return value;
}

const Function* find_function(std::string_view name) {
  for (const Function& function : functions)
    if (function.name == name) return &function;
  return nullptr;
}

const std::vector<std::string>& reserved_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Function& function : functions) all.emplace_back(function.name);
    all.emplace_back("pi");
    return all;
  }();
  return names;
}

Problem argument_problem(const Graph& graph, const Function& function,
                         const std::vector<Value>& arguments) {
  const bool many = function.takes.back() == '+';
  const bool rest = function.takes.back() == '?';
  const std::string_view kinds =
      function.takes.substr(0, function.takes.size() - (many || rest ? 1 : 0));
  if (arguments.size() < kinds.size() || (arguments.size() > kinds.size() && !many && !rest))
    return {"found " + std::to_string(arguments.size()) + ", expected " +
            (many ? "at least " : "") + std::to_string(kinds.size()) + (rest ? " or more" : "")};
  for (std::size_t i = 0; i < arguments.size() && (i < kinds.size() || many); ++i) {
    const char kind = kinds[std::min(i, kinds.size() - 1)];
    const Value& argument = arguments[i];
    const bool fits = kind == 's'   ? argument.is_scalar()
                      : kind == 'v' ? argument.is_vector()
                                    : !argument.is_scalar() && argument.text.empty();
    if (fits) continue;
    return {(kinds.size() == 1 ? "the argument" : "argument " + std::to_string(i + 1)) + " is " +
            kind_of(argument) + ", expected a " +
            (kind == 's'   ? "scalar"
             : kind == 'v' ? "vector"
                           : "vector or a list")};
  }
  if (function.takes == "ll" && arguments[0].components.size() != arguments[1].components.size())
    return {kind_of(arguments[0]) + " and " + kind_of(arguments[1]) + ", expected equal lengths"};
  return rest ? spline_problem(graph, arguments) : Problem{};
}

Node dot(Graph& graph, const Value& a, const Value& b) {
  Node sum = graph.constant(0.0);
  for (std::size_t i = 0; i < a.components.size(); ++i)
    sum = graph.add(sum, graph.multiply(a.components[i], b.components[i]));
  return sum;
}

Value call(Graph& graph, const Function& function, const std::vector<Value>& arguments) {
  if (function.make != nullptr) return function.make(graph, arguments);
  Node result = arguments[0].components[0];
  if (arguments.size() == 1) return {{graph.apply(function.operation, result)}};
  for (std::size_t i = 1; i < arguments.size(); ++i)
    result = graph.apply(function.operation, result, arguments[i].components[0]);
  return {{result}};
}

}  // namespace gradus::expression
