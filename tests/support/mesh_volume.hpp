// The volume within a closed mesh whose triangles are counter-clockwise from outside.
#pragma once

#include "src/model/mesh.hpp"

namespace gradus::test {

inline double volume(const Mesh& mesh) {
  double sum = 0.0;
  for (const auto& t : mesh.triangles) {
    const auto &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6.0;
}

}  // namespace gradus::test
