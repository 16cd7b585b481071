// Rotations as robots' files state them, and inertia moved and turned.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <string>
#include <vector>

namespace gradus::importing {

using Vector = Eigen::Vector3d;
using Matrix = Eigen::Matrix3d;

// Where something is, and how it is turned.
struct Pose {
  Vector place = Vector::Zero();
  Matrix rotation = Matrix::Identity();

  Pose operator*(const Pose& inner) const {
    return {place + rotation * inner.place, rotation * inner.rotation};
  }
  Pose inverse() const { return {-(rotation.transpose() * place), rotation.transpose()}; }
};

inline Vector vector_of(const std::vector<double>& v) {
  return {v[0], v[1], v[2]};
}

// About the axis 'x', 'y' or 'z'.
inline Matrix turn(char axis, double angle) {
  const Vector about = axis == 'x'   ? Vector::UnitX()
                       : axis == 'y' ? Vector::UnitY()
                                     : Vector::UnitZ();
  return Eigen::AngleAxisd(angle, about).toRotationMatrix();
}

// Rotations about three axes of the body one after the other if their letters are small, of the
// parent if they are large.
inline Matrix from_euler(const std::vector<double>& angles, const std::string& axes) {
  Matrix rotation = Matrix::Identity();
  for (std::size_t k = 0; k < 3; ++k) {
    const char letter = axes[k];
    const bool of_body = letter >= 'a';
    const Matrix next = turn(of_body ? letter : static_cast<char>(letter - 'A' + 'a'), angles[k]);
    rotation = of_body ? Matrix(rotation * next) : Matrix(next * rotation);
  }
  return rotation;
}

// A quaternion of any length but zero: w, x, y, z.
inline Matrix from_quaternion(const std::vector<double>& q) {
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

// The shortest rotation that takes z to a direction.
inline Matrix from_z_axis(const Vector& direction) {
  return Eigen::Quaterniond::FromTwoVectors(Vector::UnitZ(), direction).toRotationMatrix();
}

// Of a point mass at `offset`.
inline Matrix point_inertia(double mass, const Vector& offset) {
  return mass * (offset.squaredNorm() * Matrix::Identity() - offset * offset.transpose());
}

// A direction across another, the same for the same one.
inline Vector across(const Vector& axis) {
  Eigen::Index smallest = 0;
  axis.cwiseAbs().minCoeff(&smallest);
  return axis.cross(Vector::Unit(smallest)).normalized();
}

}  // namespace gradus::importing
