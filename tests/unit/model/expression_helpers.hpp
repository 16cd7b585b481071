// Helpers to evaluate and differentiate expressions of scalars, vectors and lists in tests.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kernels/expressions/evaluate.hpp"
#include "src/model/expression.hpp"

namespace gradus::expression {

// Scalars by name are inputs in the given order; vectors by name take three inputs each, lists as
// many as they are long.
class TestScope : public Scope {
 public:
  TestScope(Graph& graph, const std::vector<std::string>& scalars,
            const std::vector<std::string>& vectors = {},
            const std::vector<std::pair<std::string, int>>& lists = {}) {
    int input = 0;
    for (const std::string& name : scalars) values_[name] = {{graph.input(input++)}};
    for (const std::string& name : vectors) {
      for (int i = 0; i < 3; ++i) values_[name].components.push_back(graph.input(input++));
    }
    for (const auto& [name, size] : lists) {
      values_[name].is_list = true;
      for (int i = 0; i < size; ++i) values_[name].components.push_back(graph.input(input++));
    }
  }
  const Value* find(std::string_view name) const override {
    const auto found = values_.find(std::string(name));
    return found == values_.end() ? nullptr : &found->second;
  }
  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const auto& [name, value] : values_) all.push_back(name);
    return all;
  }

 private:
  std::map<std::string, Value> values_;
};

// Results of all outputs of a program for given inputs.
template <class Real>
std::vector<Real> run(const Program& program, const std::vector<Real>& inputs) {
  std::vector<Real> values(program.instructions.size());
  kernels::evaluate(program.view(), inputs, values);
  std::vector<Real> results;
  for (const int output : program.outputs)
    results.push_back(values[static_cast<std::size_t>(output)]);
  return results;
}

}  // namespace gradus::expression
