// What expressions are made of: operations, functions, splines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/model/expression.hpp"

namespace gradus::expression {

// The operations + - * / ^ of scalars, vectors and lists.

// Why an operation cannot be: `problem` is "" if it can.
struct Refusal {
  std::string problem, why, hint;
};

Refusal refusal(std::string_view sign, const Value& a, const Value& b);

// Operands must be right.
Value combined(Graph& graph, std::string_view sign, const Value& a, const Value& b);
Value negated(Graph& graph, Value value);

// A function: its name, how it is called, and what it takes: a letter for each argument, "s" for a
// scalar, "v" for a vector and "l" for a list or vector; before "+" for one or more such arguments.
struct Function {
  std::string_view name, usage, takes;
  Operation operation = Operation::add;  // of functions of scalars
  Value (*make)(Graph& graph, const std::vector<Value>& arguments) = nullptr;  // of all others
};

// The function of that name, or nullptr.
const Function* find_function(std::string_view name);

// What is wrong with calling the function so: "" if nothing is.
std::string argument_problem(const Graph& graph, const Function& function,
                             const std::vector<Value>& arguments);

// Arguments must be right.
Value call(Graph& graph, const Function& function, const std::vector<Value>& arguments);

Node dot(Graph& graph, const Value& a, const Value& b);

// What is wrong with the nodes of a spline: "" if nothing is.
std::string spline_problem(const Graph& graph, const Value& knots, const Value& values);

// The natural cubic spline through the values at the knots, straight outside of them. Knots are
// constants and ascend.
Node spline(Graph& graph, Node x, const Value& knots, const Value& values);

}  // namespace gradus::expression
