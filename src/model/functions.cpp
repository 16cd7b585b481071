// The table of functions, and what each makes of its arguments.
#include "src/model/functions.hpp"

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
    Function{"dot", "dot(u, v)", Takes::two_vectors, Operation::add},
    Function{"cross", "cross(u, v)", Takes::two_vectors, Operation::multiply},
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

std::string argument_problem(const Function& function, const std::vector<Value>& arguments) {
  const bool of_vectors =
      function.takes == Takes::one_vector || function.takes == Takes::two_vectors;
  const bool of_one = function.takes == Takes::one_scalar || function.takes == Takes::one_vector;
  const std::size_t wanted = of_one ? 1 : 2;
  const bool many = function.takes == Takes::scalars;
  if (arguments.size() < wanted || (arguments.size() > wanted && !many)) {
    return "found " + std::to_string(arguments.size()) + ", expected " + (many ? "at least " : "") +
           std::to_string(wanted);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].is_vector() == of_vectors) continue;
    const std::string which = of_one ? "the argument" : "argument " + std::to_string(i + 1);
    return which +
           (of_vectors ? " is a scalar, expected a vector" : " is a vector, expected a scalar");
  }
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
      if (function.name == "cross") return cross(graph, first, arguments[1]);
      return {{dot(graph, first, arguments[1])}};
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
