// Meshes with fewer triangles look like those they are made of.
#include "src/model/mesh_reduction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "tests/support/mesh_volume.hpp"

namespace gradus {
namespace {

using test::volume;

// Every triangle with corners of its own, as STL has them.
Mesh in_pieces(const Mesh& mesh) {
  Mesh pieces;
  for (const auto& triangle : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(pieces.vertices.size());
    for (const std::uint32_t corner : triangle) pieces.vertices.push_back(mesh.vertices[corner]);
    pieces.triangles.push_back({first, first + 1, first + 2});
  }
  return pieces;
}

// A cube of length 2 about `centre`, its sides in n by n squares.
Mesh cube(std::size_t n, double centre) {
  Mesh mesh;
  for (std::size_t side = 0; side < 6; ++side) {
    const auto corner = [&](std::size_t i, std::size_t j) {
      const double u = 2.0 * static_cast<double>(i) / static_cast<double>(n) - 1.0,
                   v = 2.0 * static_cast<double>(j) / static_cast<double>(n) - 1.0,
                   w = side < 3 ? 1.0 : -1.0;
      std::array<double, 3> at{};
      at[side % 3] = centre + w;
      at[(side + 1) % 3] = centre + u;
      at[(side + 2) % 3] = centre + v * w;
      mesh.vertices.push_back(at);
      return static_cast<std::uint32_t>(mesh.vertices.size() - 1);
    };
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const auto a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1),
                   d = corner(i, j + 1);
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      }
  }
  return mesh;
}

TEST(MeshReduction, KeepsWhatIsSmallEnoughAndJoinsItsCorners) {
  const Mesh mesh = reduced(in_pieces(cube(1, 0.0)), 12);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_EQ(mesh.vertices.size(), 8u);
  EXPECT_DOUBLE_EQ(volume(mesh), 8.0);
}

TEST(MeshReduction, KeepsEdgesOfACubeWhereverItLies) {
  for (const double centre : {0.0, 1e6}) {
    const Mesh fine = cube(40, centre);
    for (const std::size_t most : {100u, 1000u}) {
      const Mesh mesh = reduced(fine, most);
      EXPECT_LE(mesh.triangles.size(), most);
      EXPECT_GT(mesh.triangles.size(), most / 5);
      // At 1e6 the last digits of volumes are lost.
      if (centre == 0.0) {
        EXPECT_NEAR(volume(mesh), 8.0, 1e-6);
      }
      for (const auto& vertex : mesh.vertices)
        for (const double x : vertex) EXPECT_LE(std::abs(x - centre), 1.0 + 1e-6);
    }
  }
}

TEST(MeshReduction, NeverExceedsTheLimit) {
  for (std::size_t most = 1; most < 40; ++most)
    EXPECT_LE(reduced(cube(7, 0.0), most).triangles.size(), most) << most;
}

TEST(MeshReduction, MakesNothingOfWhatHasNoArea) {
  Mesh line;
  line.vertices = {{0, 0, 0}, {1, 0, 0}};
  line.triangles = {{0, 1, 0}, {1, 1, 1}};
  EXPECT_TRUE(reduced(line, 10).triangles.empty());
  Mesh point;
  point.vertices.assign(300, {1, 1, 1});
  for (std::uint32_t k = 0; k < 300; k += 3) point.triangles.push_back({k, k + 1, k + 2});
  EXPECT_TRUE(reduced(point, 10).triangles.empty());
}

TEST(MeshReduction, SharesWhatIsLeft) {
  EXPECT_EQ(shares_of({}, 100), std::vector<std::size_t>());
  EXPECT_EQ(shares_of({10, 20}, 100), (std::vector<std::size_t>{10, 20}));
  EXPECT_EQ(shares_of({1000, 10, 1000}, 100), (std::vector<std::size_t>{45, 10, 45}));
  const std::vector<std::size_t> many = shares_of(std::vector<std::size_t>(5000, 100), 6000);
  EXPECT_EQ(*std::min_element(many.begin(), many.end()), 8u);
}

}  // namespace
}  // namespace gradus
