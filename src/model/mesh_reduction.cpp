// Clusters of vertices: those in one cell of a grid become one, at the place that is nearest to the
// planes of the triangles about them (as P. Lindstrom, Out-of-core simplification of large
// polygonal models, 2000), so that edges and corners stay where they are.
#include "src/model/mesh_reduction.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace gradus {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Corners = std::array<std::uint32_t, 3>;

Vector3d vector_of(const std::array<double, 3>& v) {
  return {v[0], v[1], v[2]};
}

bool has_three(const Corners& corners) {
  return corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0];
}

// The planes that meet in a cell, and the vertices in it.
struct Cluster {
  Matrix3d planes = Matrix3d::Zero();
  Vector3d offsets = Vector3d::Zero();
  Vector3d sum = Vector3d::Zero();
  double count = 0.0;

  Vector3d place(double side) const {
    const Vector3d middle = sum / count;
    const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(planes);
    const Vector3d residual = offsets - planes * middle;
    Vector3d best = middle;
    for (Eigen::Index k = 0; k < 3; ++k) {
      const double value = solver.eigenvalues()[k];
      if (!(value > 1e-3 * solver.eigenvalues()[2])) continue;  // along this planes say nothing
      const Vector3d direction = solver.eigenvectors().col(k);
      best += direction.dot(residual) / value * direction;
    }
    return (best - middle).norm() <= side ? best : middle;
  }
};

class Grid {
 public:
  // `cells`, 1 to 1024, along the longest side of a mesh all of whose vertices are used.
  Grid(const Mesh& mesh, int cells) : mesh_(mesh) {
    Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
    for (const auto& vertex : mesh.vertices) {
      low = low.cwiseMin(vector_of(vertex));
      high = high.cwiseMax(vector_of(vertex));
    }
    low_ = low;
    side_ = std::max((high - low).maxCoeff() / cells, std::numeric_limits<double>::min());
    std::unordered_map<std::uint64_t, std::uint32_t> numbers;
    for (std::size_t k = 0; k < mesh.vertices.size(); ++k) {
      const Vector3d at = (vector_of(mesh.vertices[k]) - low) / side_;
      std::uint64_t cell = 0;
      for (const double x : at) cell = (cell << 20) + static_cast<std::uint64_t>(x);
      index_.push_back(
          numbers.emplace(cell, static_cast<std::uint32_t>(numbers.size())).first->second);
    }
    count_ = numbers.size();
  }

  // Triangles whose corners lie in three cells, each once.
  std::vector<Corners> triangles() const {
    std::vector<Corners> kept;
    for (const Corners& triangle : mesh_.triangles) {
      Corners cells{index_[triangle[0]], index_[triangle[1]], index_[triangle[2]]};
      if (!has_three(cells)) continue;
      std::rotate(cells.begin(), std::min_element(cells.begin(), cells.end()), cells.end());
      kept.push_back(cells);
    }
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    return kept;
  }

  std::vector<std::array<double, 3>> places() const {
    std::vector<Cluster> clusters(count_);
    for (const Corners& triangle : mesh_.triangles) {
      const Vector3d a = vertex(triangle[0]), b = vertex(triangle[1]), c = vertex(triangle[2]);
      const Vector3d normal = (b - a).cross(c - a);  // long where the triangle is large
      for (const std::uint32_t corner : triangle) {
        Cluster& cluster = clusters[index_[corner]];
        cluster.planes += normal * normal.transpose();
        cluster.offsets += normal.dot(a) * normal;
        cluster.sum += vertex(corner);
        cluster.count += 1.0;
      }
    }
    std::vector<std::array<double, 3>> places;
    for (const Cluster& cluster : clusters) {
      const Vector3d place = low_ + cluster.place(side_);
      places.push_back({place[0], place[1], place[2]});
    }
    return places;
  }

 private:
  // Small numbers, whatever place the mesh has.
  Vector3d vertex(std::uint32_t k) const { return vector_of(mesh_.vertices[k]) - low_; }

  const Mesh& mesh_;
  Vector3d low_;
  double side_ = 1.0;
  std::vector<std::uint32_t> index_;  // of the cell of each vertex
  std::size_t count_ = 0;             // of cells
};

// Without vertices that no triangle has.
Mesh packed(const std::vector<std::array<double, 3>>& vertices,
            const std::vector<Corners>& triangles) {
  Mesh mesh;
  std::unordered_map<std::uint32_t, std::uint32_t> places;
  for (const Corners& triangle : triangles) {
    Corners corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [entry, is_new] =
          places.emplace(triangle[k], static_cast<std::uint32_t>(mesh.vertices.size()));
      if (is_new) mesh.vertices.push_back(vertices[triangle[k]]);
      corners[k] = entry->second;
    }
    mesh.triangles.push_back(corners);
  }
  return mesh;
}

struct HashOfPlace {
  std::size_t operator()(const std::array<double, 3>& v) const {
    const std::hash<double> hash;
    return (hash(v[0]) * 31 + hash(v[1])) * 31 + hash(v[2]);
  }
};

// Vertices at one place become one.
Mesh merged(const Mesh& mesh) {
  std::unordered_map<std::array<double, 3>, std::uint32_t, HashOfPlace> first;
  std::vector<Corners> triangles;
  for (const Corners& triangle : mesh.triangles) {
    Corners corners{};
    for (std::size_t k = 0; k < 3; ++k)
      corners[k] = first.emplace(mesh.vertices[triangle[k]], triangle[k]).first->second;
    if (has_three(corners)) triangles.push_back(corners);
  }
  return packed(mesh.vertices, triangles);
}

}  // namespace

Mesh reduced(const Mesh& given, std::size_t most) {
  const Mesh mesh = merged(given);
  if (mesh.triangles.size() <= most) return mesh;
  // A finer grid has more triangles, on the whole; one of three cells has few enough of a solid.
  int coarse = 1, fine = 2;
  const auto fits = [&](int cells) { return Grid(mesh, cells).triangles().size() <= most; };
  while (fine < 1024 && fits(fine)) {
    coarse = fine;
    fine *= 2;
  }
  while (fine - coarse > std::max(1, coarse / 16)) {
    const int middle = (coarse + fine) / 2;
    (fits(middle) ? coarse : fine) = middle;
  }
  const Grid grid(mesh, coarse);
  std::vector<Corners> triangles = grid.triangles();
  if (triangles.size() > most) triangles.resize(most);
  return packed(grid.places(), triangles);
}

std::vector<std::size_t> shares_of(const std::vector<std::size_t>& sizes, std::size_t most) {
  std::vector<std::size_t> order(sizes.size()), shares(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sizes[a] < sizes[b]; });
  std::size_t left = most;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t share = std::max<std::size_t>(left / (order.size() - k), 8);
    shares[order[k]] = std::min(sizes[order[k]], share);
    left -= std::min(left, shares[order[k]]);
  }
  return shares;
}

}  // namespace gradus
