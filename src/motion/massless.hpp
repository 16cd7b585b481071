// Which motions move no inertia, for people.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/motion/request.hpp"

namespace gradus {

// Names of the joints that take part in motions that move no inertia and that the constraints leave
// free, at the start of a design with these parameters; none if there it has no such motion.
std::vector<std::string> massless_joints(const MotionRequest& request,
                                         std::span<const double> parameters);

// Where joints are eliminated before what ties the tree, motions that only this rules out.
std::string massless_before_ties(const MotionRequest& request);

}  // namespace gradus
