// The table of functions, and what each makes of its arguments.
#include "src/model/functions.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace gradus::expression {
namespace {

using Takes = Function::Takes;

constexpr std::array functions{
    Function{"sqrt", "sqrt(x)", Takes::one_scalar, Operation::square_root},
    Function{"sin", "sin(x)", Takes::one_scalar, Operation::sine},
    Function{"cos", "cos(x)", Takes::one_scalar, Operation::cosine},
    Function{"tan", "tan(x)", Takes::one_scalar, Operation::tangent},
    Function{"asin", "asin(x)", Takes::one_scalar, Operation::arc_sine},
    Function{"acos", "acos(x)", Takes::one_scalar, Operation::arc_cosine},
    Function{"atan", "atan(x)", Takes::one_scalar, Operation::arc_tangent},
    Function{"atan2", "atan2(y, x)", Takes::two_scalars, Operation::arc_tangent2},
    Function{"sinh", "sinh(x)", Takes::one_scalar, Operation::hyperbolic_sine},
    Function{"cosh", "cosh(x)", Takes::one_scalar, Operation::hyperbolic_cosine},
    Function{"tanh", "tanh(x)", Takes::one_scalar, Operation::hyperbolic_tangent},
    Function{"exp", "exp(x)", Takes::one_scalar, Operation::exponential},
    Function{"log", "log(x)", Takes::one_scalar, Operation::logarithm},
    Function{"abs", "abs(x)", Takes::one_scalar, Operation::absolute},
    Function{"min", "min(a, b, ...)", Takes::scalars, Operation::minimum},
    Function{"max", "max(a, b, ...)", Takes::scalars, Operation::maximum},
    Function{"norm", "norm(v)", Takes::one_vector, Operation::square_root},
    Function{"sum", "sum(k)", Takes::one_list, Operation::add},
    Function{"dot", "dot(u, v)", Takes::two_lists, Operation::add},
    Function{"cross", "cross(u, v)", Takes::two_vectors, Operation::multiply},
    Function{"spline", "spline(x, [x0, x1, ...], [y0, y1, ...])", Takes::scalar_and_nodes,
             Operation::add},
};

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

Node sum(Graph& graph, const Value& list) {
  Node sum = graph.constant(0.0);
  for (const Node component : list.components) sum = graph.add(sum, component);
  return sum;
}

}  // namespace

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

namespace {

enum class Kind { scalar, vector, list };

bool is_of(Kind kind, const Value& value) {
  return kind == Kind::scalar   ? value.is_scalar()
         : kind == Kind::vector ? value.is_vector()
                                : !value.is_scalar();
}

std::vector<Kind> kinds_of(Takes takes) {
  switch (takes) {
    case Takes::one_scalar:
      return {Kind::scalar};
    case Takes::two_scalars:
    case Takes::scalars:
      return {Kind::scalar, Kind::scalar};
    case Takes::one_vector:
      return {Kind::vector};
    case Takes::two_vectors:
      return {Kind::vector, Kind::vector};
    case Takes::one_list:
      return {Kind::list};
    case Takes::two_lists:
      return {Kind::list, Kind::list};
    case Takes::scalar_and_nodes:
      return {Kind::scalar, Kind::list, Kind::list};
  }
  return {};
}

}  // namespace

std::string argument_problem(const Graph& graph, const Function& function,
                             const std::vector<Value>& arguments) {
  const std::vector<Kind> kinds = kinds_of(function.takes);
  const bool many = function.takes == Takes::scalars;
  if (arguments.size() < kinds.size() || (arguments.size() > kinds.size() && !many)) {
    return "found " + std::to_string(arguments.size()) + ", expected " + (many ? "at least " : "") +
           std::to_string(kinds.size());
  }
  constexpr std::array names{"a scalar", "a vector", "a vector or a list"};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Kind kind = kinds[std::min(i, kinds.size() - 1)];
    if (is_of(kind, arguments[i])) continue;
    return (kinds.size() == 1 ? "the argument" : "argument " + std::to_string(i + 1)) + " is " +
           kind_of(arguments[i]) + ", expected " + names[static_cast<std::size_t>(kind)];
  }
  if (function.takes == Takes::two_lists &&
      arguments[0].components.size() != arguments[1].components.size())
    return kind_of(arguments[0]) + " and " + kind_of(arguments[1]) + ", expected equal lengths";
  if (function.takes == Takes::scalar_and_nodes)
    return spline_problem(graph, arguments[1], arguments[2]);
  return "";
}

Node dot(Graph& graph, const Value& a, const Value& b) {
  Node sum = graph.constant(0.0);
  for (std::size_t i = 0; i < a.components.size(); ++i)
    sum = graph.add(sum, graph.multiply(a.components[i], b.components[i]));
  return sum;
}

Value call(Graph& graph, const Function& function, const std::vector<Value>& arguments) {
  const Value& first = arguments[0];
  switch (function.takes) {
    case Takes::one_vector:
      return {{graph.square_root(dot(graph, first, first))}};
    case Takes::two_vectors:
      return cross(graph, first, arguments[1]);
    case Takes::one_list:
      return {{sum(graph, first)}};
    case Takes::two_lists:
      return {{dot(graph, first, arguments[1])}};
    case Takes::scalar_and_nodes:
      return {{spline(graph, first.components[0], arguments[1], arguments[2])}};
    case Takes::one_scalar:
      return {{graph.apply(function.operation, first.components[0])}};
    case Takes::two_scalars:
    case Takes::scalars:
      break;
  }
  Node result = first.components[0];
  for (std::size_t i = 1; i < arguments.size(); ++i)
    result = graph.apply(function.operation, result, arguments[i].components[0]);
  return {{result}};
}

}  // namespace gradus::expression
