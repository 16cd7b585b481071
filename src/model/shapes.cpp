// Directions of shapes as model.md states them.
#include "src/model/shapes.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace gradus {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Their z axis is `axis`, and their x axis points to `zero` as far as it can.
Matrix3d axes_with(const Vector3d& axis, const Vector3d* zero) {
  const Vector3d z = axis.normalized();
  const Vector3d other = std::abs(z[0]) < 0.99 ? Vector3d::UnitX() : Vector3d::UnitY();
  Matrix3d axes;
  axes.col(2) = z;
  axes.col(1) = z.cross(zero ? *zero : other).normalized();
  axes.col(0) = axes.col(1).cross(z);
  return axes;
}

}  // namespace

ShapePlace place_of_shape(const Shape& shape, NominalValues& nominal, const std::string& where) {
  const auto vector = [&](const Vector3& v) {
    const std::array<double, 3> found = nominal.value(v, where);
    return Vector3d(found[0], found[1], found[2]);
  };
  if (shape.ends) {
    const Vector3d from = vector((*shape.ends)[0]), to = vector((*shape.ends)[1]);
    return {0.5 * (from + to), axes_with(to - from, nullptr), (to - from).norm()};
  }
  const Vector3d zero = shape.zero ? vector(*shape.zero) : Vector3d::Zero();
  return {vector(shape.at), axes_with(vector(shape.axis), shape.zero ? &zero : nullptr),
          nominal.value(shape.length, where)};
}

bool is_color(const std::string& text) {
  return text.size() == 7 && text[0] == '#' &&
         text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
}

std::array<double, 3> parts_of_color(const std::string& color) {
  std::array<double, 3> parts{};
  for (std::size_t k = 0; k < 3; ++k)
    parts[k] = std::stoi(color.substr(1 + 2 * k, 2), nullptr, 16) / 255.0;
  return parts;
}

}  // namespace gradus
