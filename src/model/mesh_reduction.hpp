// Meshes with fewer triangles, for pictures.
#pragma once

#include <cstddef>
#include <vector>

#include "src/model/mesh.hpp"

namespace gradus {

// All shapes of a model together have about as many: a page draws them many times a second.
inline constexpr std::size_t most_triangles_drawn = 6000;

// The mesh with at most so many triangles (above 0): vertices that are near each other become one,
// where the planes about them meet. A mesh that has no more keeps its triangles, but those without
// an area; vertices at one place become one.
Mesh reduced(const Mesh& mesh, std::size_t most);

// How many triangles meshes of these sizes may have so that all together have no more than `most`:
// small ones keep theirs, the others share what is left. Each may have eight at least.
std::vector<std::size_t> shares_of(const std::vector<std::size_t>& sizes, std::size_t most);

}  // namespace gradus
