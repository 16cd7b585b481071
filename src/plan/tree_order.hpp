// The spanning tree: bodies in depth-first order, each after its parent and before the rest of its
// branch.
#pragma once

#include <vector>

#include "gradus/model.hpp"
#include "src/model/reference.hpp"

namespace gradus {

struct TreeOrder {
  std::vector<int> body;    // [position] place in Model::bodies
  std::vector<int> joint;   // [position] place in Model::joints of the joint that carries it
  std::vector<int> parent;  // [position] position of the parent, -1 for the ground
  std::vector<int> end;     // [position] one past the last body of its sub-tree
  std::vector<int> place;   // [body of the model] its position
};

TreeOrder order_tree(const Model& model, const References& references);

}  // namespace gradus
