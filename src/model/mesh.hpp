// Triangles of mesh files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace gradus {

struct Mesh {
  std::vector<std::array<double, 3>> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;  // of vertices, counter-clockwise from ahead
};

inline constexpr std::size_t largest_mesh_file = std::size_t{100} << 20;  // bytes
inline constexpr std::size_t most_triangles_read = 2'000'000;
inline constexpr std::size_t most_vertices_read = 6'000'000;

enum class MeshFormat { stl, obj };

// Triangles with a corner that is no number or farther away than 1e12 are left out. Throws
// FileError, which holds nothing but the reason, where there is no such file, or where it is
// neither STL nor OBJ by its ending, larger than these limits, damaged, or without a triangle.
Mesh read_mesh(const std::filesystem::path& file);

// The same for text in memory.
Mesh parse_mesh(std::string_view content, MeshFormat format);

}  // namespace gradus
