// Natural cubic splines as expressions.
#pragma once

#include <string>

#include "src/model/expression.hpp"

namespace gradus::expression {

// What is wrong with the nodes of a spline: "" if nothing is.
std::string spline_problem(const Graph& graph, const Value& knots, const Value& values);

// The natural cubic spline through the values at the knots, straight outside of them. Knots are
// constants and ascend.
Node spline(Graph& graph, Node x, const Value& knots, const Value& values);

}  // namespace gradus::expression
