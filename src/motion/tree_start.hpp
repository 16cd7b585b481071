// Where a mechanism starts in the coordinates of its joints, for its start in reference-point
// coordinates.
#pragma once

#include <string>

#include "src/model/reference_points.hpp"
#include "src/motion/request.hpp"

namespace gradus {

// Of a model with this spanning tree; the plan of the request is completed with what assembly found
// out. Throws InputError if the start cannot be said in reference-point coordinates.
TreeStart start_of_tree(const SpanningTree& tree, const MotionRequest& request,
                        const std::string& origin);

}  // namespace gradus
