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
// scalar, "v" for a vector and "l" for a list or vector; before "+" for one or more such arguments,
// before "?" for what the function checks itself.
struct Function {
  std::string_view name, usage, takes;
  Operation operation = Operation::add;  // of functions of scalars
  Value (*make)(Graph& graph, const std::vector<Value>& arguments) = nullptr;  // of all others
};

// The function of that name, or nullptr.
const Function* find_function(std::string_view name);

// What is wrong with a call: `text` is "" if nothing is. Where `argument` is not -1 it is that one,
// and the hint is what to do about it.
struct Problem {
  std::string text;
  int argument = -1;
  std::string hint = {};
};

Problem argument_problem(const Graph& graph, const Function& function,
                         const std::vector<Value>& arguments);

// Arguments must be right.
Value call(Graph& graph, const Function& function, const std::vector<Value>& arguments);

Node dot(Graph& graph, const Value& a, const Value& b);

// What is wrong with the arguments of a spline.
Problem spline_problem(const Graph& graph, const std::vector<Value>& arguments);

// The spline, of operations and noted in the graph. Arguments must be right: x, knots, values, and
// perhaps its kind, the slopes at its ends, and what it does beyond them.
Node spline(Graph& graph, const std::vector<Value>& arguments);
// The polynomials of a spline, [knots + 1, 4] as kernels::SplinePolynomials has them.
std::vector<Node> spline_polynomials(Graph& graph, const SplineCall& call);
// What follows from the knots alone, see SplineShape::rows.
std::vector<double> spline_rows(const SplineShape& shape);

}  // namespace gradus::expression
