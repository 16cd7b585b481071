// Reference-point coordinates: every body has its own position and Euler parameters, and every
// joint is cut. A rewriting of the model, as the spanning tree is, so that plan and kernels see
// floating joints, which need no equations, and loops.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "src/model/spanning_tree.hpp"

namespace gradus {

// Where a mechanism starts in the coordinates of its joints.
struct TreeStart {
  // [body of the model] of the nominal design: the origin of its axes, then its Euler parameters.
  std::vector<std::array<double, 7>> poses;
  // What start values hold, or guesses that nothing else determines: one for each degree of
  // freedom, but those of the discs of states.
  std::vector<JointStart> held;
  // [joint of the tree] its coordinates, of the nominal design.
  std::vector<std::vector<double>> coordinates;
};

// The model in reference-point coordinates. `model` has its discs and is valid, and `tree` is its
// spanning tree. Floating joints that hang on the ground, and the discs of states, stay as they
// are. Bodies begin with guesses, and what `start` holds becomes SpanningTree::start. Angles that
// forces or sensors read get states that count their turns. Throws InputError, beginning with
// `origin`, if the model asks for what only joints of a tree show.
SpanningTree reference_points(const Model& model, const SpanningTree& tree, const TreeStart& start,
                              const std::string& origin);

}  // namespace gradus
