// Faces of boxes as grids; round solids as outlines that are turned about z.
#include "src/report/tessellation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

namespace gradus::report {
namespace {

using Outline = std::vector<std::array<double, 2>>;  // radius and z, from below upwards

std::uint32_t add(Mesh& mesh, const std::array<double, 3>& vertex) {
  mesh.vertices.push_back(vertex);
  return static_cast<std::uint32_t>(mesh.vertices.size() - 1);
}

// Of one corner on the axis, or a ring of them.
std::vector<std::uint32_t> ring(Mesh& mesh, double radius, double z, std::size_t corners) {
  if (radius == 0.0) return std::vector(corners, add(mesh, {0.0, 0.0, z}));
  std::vector<std::uint32_t> indices;
  for (std::size_t k = 0; k < corners; ++k) {
    const double angle =
        2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(corners);
    indices.push_back(add(mesh, {radius * std::cos(angle), radius * std::sin(angle), z}));
  }
  return indices;
}

Mesh turned(const Outline& outline, std::size_t corners) {
  Mesh mesh;
  std::vector<std::uint32_t> below = ring(mesh, outline[0][0], outline[0][1], corners);
  for (std::size_t i = 1; i < outline.size(); ++i) {
    const std::vector<std::uint32_t> above = ring(mesh, outline[i][0], outline[i][1], corners);
    for (std::size_t k = 0; k < corners; ++k) {
      const std::size_t next = (k + 1) % corners;
      if (below[k] != below[next]) mesh.triangles.push_back({below[k], below[next], above[next]});
      if (above[k] != above[next]) mesh.triangles.push_back({below[k], above[next], above[k]});
    }
    below = above;
  }
  return mesh;
}

// A quarter of a circle about z, from its side towards `end` (1: above, -1: below).
void add_quarter(Outline& outline, double radius, double z, double end, std::size_t steps) {
  for (std::size_t k = 0; k <= steps; ++k) {
    const std::size_t step = end > 0.0 ? k : steps - k;
    const double angle =
        0.5 * std::numbers::pi * static_cast<double>(step) / static_cast<double>(steps);
    outline.push_back(
        {step == steps ? 0.0 : radius * std::cos(angle), z + end * radius * std::sin(angle)});
  }
}

// Pieces of a length about as long as `width`, four at most.
std::size_t pieces(double length, double width) {
  return static_cast<std::size_t>(std::clamp(std::round(length / width), 1.0, 4.0));
}

}  // namespace

Mesh box(const std::array<double, 3>& size) {
  Mesh mesh;
  const double longest = *std::max_element(size.begin(), size.end());
  for (std::size_t normal = 0; normal < 3; ++normal)
    for (const double side : {-0.5, 0.5}) {
      // Seen from outside the second axis is to the left of the first.
      const std::size_t u = (normal + (side > 0.0 ? 1 : 2)) % 3, v = 3 - normal - u;
      const std::size_t n = pieces(size[u], longest / 3.0), m = pieces(size[v], longest / 3.0);
      const auto start = static_cast<std::uint32_t>(mesh.vertices.size());
      for (std::size_t j = 0; j <= m; ++j)
        for (std::size_t i = 0; i <= n; ++i) {
          std::array<double, 3> at{};
          at[normal] = side * size[normal];
          at[u] = size[u] * (static_cast<double>(i) / static_cast<double>(n) - 0.5);
          at[v] = size[v] * (static_cast<double>(j) / static_cast<double>(m) - 0.5);
          add(mesh, at);
        }
      const auto at = [&](std::size_t i, std::size_t j) {
        return start + static_cast<std::uint32_t>(j * (n + 1) + i);
      };
      for (std::size_t j = 0; j < m; ++j)
        for (std::size_t i = 0; i < n; ++i) {
          mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
          mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
  return mesh;
}

Mesh ellipsoid(const std::array<double, 3>& size, std::size_t corners) {
  Outline outline;
  add_quarter(outline, 0.5, 0.0, -1.0, corners / 4);
  outline.pop_back();  // the equator comes once
  add_quarter(outline, 0.5, 0.0, 1.0, corners / 4);
  Mesh mesh = turned(outline, corners);
  for (auto& vertex : mesh.vertices)
    for (std::size_t k = 0; k < 3; ++k) vertex[k] *= size[k];
  return mesh;
}

Mesh cylinder(double radius, double length, std::size_t corners) {
  Outline outline{{0.0, -0.5 * length}};
  const std::size_t n = pieces(length, 2.0 * radius);
  for (std::size_t k = 0; k <= n; ++k)
    outline.push_back({radius, length * (static_cast<double>(k) / static_cast<double>(n) - 0.5)});
  outline.push_back({0.0, 0.5 * length});
  return turned(outline, corners);
}

Mesh capsule(double radius, double length, std::size_t corners) {
  Outline outline;
  add_quarter(outline, radius, -0.5 * length, -1.0, corners / 4);
  const std::size_t n = pieces(length, 2.0 * radius);
  for (std::size_t k = 1; k < n; ++k)
    outline.push_back({radius, length * (static_cast<double>(k) / static_cast<double>(n) - 0.5)});
  add_quarter(outline, radius, 0.5 * length, 1.0, corners / 4);
  return turned(outline, corners);
}

bool is_closed(const Mesh& mesh) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const auto& triangle : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k)
      if (!edges.emplace(triangle[k], triangle[(k + 1) % 3]).second) return false;
  return std::all_of(edges.begin(), edges.end(), [&edges](const auto& edge) {
    return edges.contains({edge.second, edge.first});
  });
}

}  // namespace gradus::report
