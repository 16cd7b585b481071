// Collects the physical numbers of a model as slots: groups of consecutive numbers, each an
// expression of parameters.
#pragma once

#include <span>
#include <vector>

#include "kernels/core/plan_view.hpp"
#include "src/model/graph.hpp"

namespace gradus {

class SlotTable {
 public:
  explicit SlotTable(expression::Graph& graph) : graph_(graph) {}

  // Adds a group; returns its first slot. Equal groups share their slots.
  int add(std::span<const expression::Node> group);

  int size() const { return static_cast<int>(nodes_.size()); }
  expression::Program program() const { return expression::compile(graph_, nodes_); }
  // The parameters that a slot depends on, ascending.
  const std::vector<int>& inputs(int slot) const { return inputs_[static_cast<std::size_t>(slot)]; }
  // Whether slot depends on the parameter.
  bool depends(int slot, int parameter) const;

 private:
  expression::Graph& graph_;
  std::vector<expression::Node> nodes_;
  std::vector<std::vector<int>> inputs_;  // [slot] parameters it depends on, ascending
};

}  // namespace gradus
