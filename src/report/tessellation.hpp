// Simple solids as triangles, counter-clockwise from outside, in the axes of their shape.
#pragma once

#include <array>
#include <cstddef>

#include "src/model/mesh.hpp"

namespace gradus::report {

// Long faces are divided, since a page sorts triangles by how far away they are.
Mesh box(const std::array<double, 3>& size);
// Round ones about z, with so many corners around it.
Mesh ellipsoid(const std::array<double, 3>& size, std::size_t corners);
Mesh cylinder(double radius, double length, std::size_t corners);
Mesh capsule(double radius, double length, std::size_t corners);

// Whether every edge is that of two triangles which are turned alike, so that from outside none of
// the backs is seen.
bool is_closed(const Mesh& mesh);

}  // namespace gradus::report
