// The operations + - * / ^ of scalars, vectors and lists.
#pragma once

#include <string>
#include <string_view>

#include "src/model/expression.hpp"

namespace gradus::expression {

// Why an operation cannot be: `problem` is "" if it can.
struct Refusal {
  std::string problem, why, hint;
};

Refusal refusal(std::string_view sign, const Value& a, const Value& b);

// Operands must be right.
Value combined(Graph& graph, std::string_view sign, const Value& a, const Value& b);
Value negated(Graph& graph, Value value);

}  // namespace gradus::expression
