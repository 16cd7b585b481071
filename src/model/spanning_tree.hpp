// Which joints of a model span the tree, and which are cut to close loops.
#pragma once

#include <string>
#include <vector>

#include "gradus/model.hpp"

namespace gradus {

// Where a coordinate of a joint begins that is no coordinate of the plan, or the turn about one
// axis of a joint with Euler parameters.
struct JointStart {
  std::string joint;
  int coordinate = 0;            // of a turn: the first Euler parameter
  int turn = -1;                 // axis of the parent; -1: of a coordinate alone
  std::vector<Number> position;  // of a coordinate, or four Euler parameters
  Number velocity;               // of a turn: about the axis
  bool is_stated = true;         // false: the position was a guess, and is a number
};

struct SpanningTree {
  // The model with a tree of joints: every body is the child of one, and from parent to parent one
  // arrives at the ground. Joints are in model order, then those that were added. Loops are those
  // of the model, then the joints that were cut. The spanning tree of this model is itself.
  Model model;
  // Names of joints in model order, for people.
  std::vector<std::string> cut;
  std::vector<std::string> reversed;  // parent and child are swapped
  std::vector<std::string> added;     // floating joints of what nothing connects with the ground
  std::vector<JointStart> start;      // of what is no coordinate; see reference_points.hpp
};

// Joints may connect bodies in any way. Of all trees the one is taken whose joints have the fewest
// coordinates and whose cut joints the most equations, following "cut" where joints state it; among
// equals that which cuts joints without start values, needs fewer joints reversed, and cuts the
// later ones of the model. Names and references of the model are valid. Throws InputError if there
// is no tree, or if the model uses what only joints of the tree have of a joint that is cut.
SpanningTree spanning_tree(const Model& model, const std::string& origin = "model");

// The same joint seen from its child: parent and child swapped, coordinates and their signs kept.
// Only of types for which that can be (`is_reversible`).
//
// With F = [axis, zero, axis x zero] the joint says F_child = F_parent R(z), R about the first
// column, and point_child = point_parent + z axis. Swapping and negating both axes multiplies both
// frames by D = diag(-1, 1, -1): F_child D = F_parent' and F_parent D = F_child', so F_child' =
// F_parent' D R(-z) D = F_parent' R(z). The displacement runs along the negative axis from the
// other point, so that it keeps its sign as well. Where no zero directions are stated, defaults
// chosen by the axes do not notice their sign.
Joint reversed(const Joint& joint);

}  // namespace gradus
