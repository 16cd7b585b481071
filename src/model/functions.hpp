// The functions of the expression language.
#pragma once

#include <string_view>
#include <vector>

#include "src/model/expression.hpp"

namespace gradus::expression {

// A function: its name, how it is called, and what it takes.
struct Function {
  enum class Takes {
    one_scalar,
    two_scalars,
    scalars,  // two or more
    one_vector,
    two_vectors,
    one_list,         // vectors are lists
    two_lists,        // of equal length
    scalar_and_nodes  // a scalar and two lists, of constants and of values
  };

  std::string_view name;
  std::string_view usage;
  Takes takes;
  Operation operation;  // of functions of scalars
};

// The function of that name, or nullptr.
const Function* find_function(std::string_view name);

// What is wrong with calling the function so: "" if nothing is.
std::string argument_problem(const Graph& graph, const Function& function,
                             const std::vector<Value>& arguments);

// Arguments must be right.
Value call(Graph& graph, const Function& function, const std::vector<Value>& arguments);

Node dot(Graph& graph, const Value& a, const Value& b);

}  // namespace gradus::expression
