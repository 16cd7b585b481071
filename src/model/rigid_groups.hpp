// Bodies that fixed joints make one, and what is negligible beside their inertia.
#pragma once

#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "src/model/reference.hpp"

namespace gradus {

constexpr double kInertiaRoundOff = 1e-12;  // of computed inertia, beside what it is the sum of
// Of inertia that was printed with six digits, beside that of the rigid body that the body is a
// part of.
constexpr double kPrintedInertia = 1e-5;
// Radii of gyration below it are none [m].
constexpr double kSmallestRadiusOfGyration = 1e-8;

// [body], and of the ground: the number of one of the bodies that are rigidly connected, or that of
// all bodies for those that are fixed to the ground.
std::vector<std::size_t> rigid_groups(const Model& model, const References& references,
                                      const std::string& origin);

}  // namespace gradus
