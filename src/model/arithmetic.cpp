// Sums and differences go component by component, products and quotients by a scalar.
#include "src/model/functions.hpp"

#include "src/model/message.hpp"

namespace gradus::expression {
namespace {

Operation operation_of(std::string_view sign) {
  switch (sign[0]) {
    case '+':
      return Operation::add;
    case '-':
      return Operation::subtract;
    case '*':
      return Operation::multiply;
    case '/':
      return Operation::divide;
    default:
      return Operation::power;
  }
}

bool same_shape(const Value& a, const Value& b) {
  return a.is_scalar() == b.is_scalar() && a.components.size() == b.components.size();
}

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
  Value result = a.is_scalar() ? b : a;
  result.is_list = a.is_list || b.is_list;
  const auto component = [](const Value& value, std::size_t k) {
    return value.components[value.is_scalar() ? 0 : k];
  };
  for (std::size_t k = 0; k < result.components.size(); ++k)
    result.components[k] = graph.apply(operation_of(sign), component(a, k), component(b, k));
  return result;
}

Value negated(Graph& graph, Value value) {
  for (Node& component : value.components) component = graph.negate(component);
  return value;
}

}  // namespace gradus::expression
