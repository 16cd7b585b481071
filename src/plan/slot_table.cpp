// Collects the physical numbers of a model as slots.
#include "src/plan/slot_table.hpp"

#include <algorithm>

namespace gradus {

int SlotTable::add(std::span<const expression::Node> group) {
  const auto found = std::search(nodes_.begin(), nodes_.end(), group.begin(), group.end());
  if (found != nodes_.end()) return static_cast<int>(found - nodes_.begin());
  const int first = size();
  for (const expression::Node node : group) {
    nodes_.push_back(node);
    inputs_.push_back(graph_.inputs_of(node));
  }
  return first;
}

bool SlotTable::depends(int slot, int parameter) const {
  const std::vector<int>& inputs = inputs_[static_cast<std::size_t>(slot)];
  return std::binary_search(inputs.begin(), inputs.end(), parameter);
}

}  // namespace gradus
