// What moves at the joints of MJCF in the position that the file describes.
#pragma once

#include <vector>

#include "src/model/import/mjcf_scene.hpp"

namespace gradus::importing {

// Of each joint, in their order, the mean inertia that the mechanism has there while all others
// are free to move, kg m^2 or kg: by how many directions it moves in, over the sum of their
// diagonal entries of the inverse mass matrix, to which armature (of each joint) is added. Empty
// where that matrix cannot be inverted, or is larger than anybody would wait for.
std::vector<double> inertia_at_joints(const MjcfScene& scene, const std::vector<double>& armature);

}  // namespace gradus::importing
