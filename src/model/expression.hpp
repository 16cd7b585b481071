// Expressions of a model: from text to nodes of a graph. The language is described in
// docs/model.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/model/graph.hpp"

namespace gradus::expression {

// What an expression yields: a scalar (one component), a vector (three), or a list of any number,
// such as an array of parameters. Names may stand for other numbers of components; expressions use
// these one by one.
struct Value {
  std::vector<Node> components;
  bool is_list = false;
  std::string text = {};  // of arguments such as 'linear', which have no components
  bool is_scalar() const { return !is_list && components.size() == 1; }
  bool is_vector() const { return !is_list && components.size() == 3; }
};

// "a scalar", "a vector", "a list of 5", "a text".
std::string kind_of(const Value& value);

// The names an expression may use besides functions and constants.
class Scope {
 public:
  virtual ~Scope() = default;
  // Null if there is nothing of that name. Stays valid as long as the scope does.
  virtual const Value* find(std::string_view name) const = 0;
  virtual std::vector<std::string> names() const = 0;
  // What to tell someone who used a name that `find` does not know.
  virtual std::string hint(std::string_view name) const;
  // Why a name that the model has cannot be used here; "" if there is no such reason.
  virtual std::string refusal(std::string_view) const { return ""; }
};

// A scope without names: constant expressions.
class EmptyScope : public Scope {
 public:
  const Value* find(std::string_view) const override { return nullptr; }
  std::vector<std::string> names() const override { return {}; }
};

// Adds the expression to the graph. Throws InputError, beginning with `where`.
Value parse(Graph& graph, std::string_view text, const Scope& scope, const std::string& where);

// The same for an expression that must be a scalar.
Node parse_scalar(Graph& graph, std::string_view text, const Scope& scope,
                  const std::string& where);

// Names that stand for functions and constants, so that nothing in a model may be called so.
const std::vector<std::string>& reserved_names();

}  // namespace gradus::expression
