// Rotations: Euler parameters (e0, e1, e2, e3), rotation matrices, frames. All analytic in their
// arguments.
#pragma once

#include "tests/oracle/algebra.hpp"

namespace oracle {

// Product of Euler parameters: first rotate by b, then by a.
template <typename S>
Vector4<S> compose(const Vector4<S>& a, const Vector4<S>& b) {
  return Vector4<S>(a(0) * b(0) - a(1) * b(1) - a(2) * b(2) - a(3) * b(3),
                    a(0) * b(1) + a(1) * b(0) + a(2) * b(3) - a(3) * b(2),
                    a(0) * b(2) - a(1) * b(3) + a(2) * b(0) + a(3) * b(1),
                    a(0) * b(3) + a(1) * b(2) - a(2) * b(1) + a(3) * b(0));
}

// Rate of Euler parameters p for an angular velocity in fixed axes. Also serves a small rotation: p
// + rate is turned by that rotation to second order.
template <typename S>
Vector4<S> euler_parameter_rate(const Vector4<S>& p, const Vector3<S>& angular_velocity) {
  const Vector4<S> pure(S(0), angular_velocity(0), angular_velocity(1), angular_velocity(2));
  return compose(pure, p) * S(0.5);
}

template <typename S>
Vector4<S> normalized_parameters(const Vector4<S>& p) {
  using std::sqrt;
  return p / sqrt(inner(p, p));
}

// Rotation matrix of Euler parameters. The division makes it orthogonal for any length of p, so
// that the intermediate states of an integrator, which leave the unit sphere, still describe rigid
// bodies.
template <typename S>
Matrix3<S> rotation_from_parameters(const Vector4<S>& p) {
  const S e0 = p(0), e1 = p(1), e2 = p(2), e3 = p(3), two(2);
  Matrix3<S> matrix;
  matrix << e0 * e0 + e1 * e1 - e2 * e2 - e3 * e3, two * (e1 * e2 - e0 * e3),
      two * (e1 * e3 + e0 * e2), two * (e1 * e2 + e0 * e3), e0 * e0 - e1 * e1 + e2 * e2 - e3 * e3,
      two * (e2 * e3 - e0 * e1), two * (e1 * e3 - e0 * e2), two * (e2 * e3 + e0 * e1),
      e0 * e0 - e1 * e1 - e2 * e2 + e3 * e3;
  return matrix / inner(p, p);
}

// Euler parameters of a rotation matrix; divides by the largest of the four, chosen by the real
// parts.
template <typename S>
Vector4<S> parameters_from_rotation(const Matrix3<S>& r) {
  using std::sqrt;
  const S one(1), quarter(0.25);
  const S squares[4] = {
      (one + r(0, 0) + r(1, 1) + r(2, 2)) * quarter, (one + r(0, 0) - r(1, 1) - r(2, 2)) * quarter,
      (one - r(0, 0) + r(1, 1) - r(2, 2)) * quarter, (one - r(0, 0) - r(1, 1) + r(2, 2)) * quarter};
  int largest = 0;
  for (int i = 1; i < 4; ++i) {
    if (real_part(squares[i]) > real_part(squares[largest])) largest = i;
  }
  const S root = sqrt(squares[largest]);
  const S factor = quarter / root;
  const S s1 = (r(2, 1) - r(1, 2)) * factor, s2 = (r(0, 2) - r(2, 0)) * factor,
          s3 = (r(1, 0) - r(0, 1)) * factor;
  const S s12 = (r(0, 1) + r(1, 0)) * factor, s13 = (r(0, 2) + r(2, 0)) * factor,
          s23 = (r(1, 2) + r(2, 1)) * factor;
  switch (largest) {
    case 0:
      return Vector4<S>(root, s1, s2, s3);
    case 1:
      return Vector4<S>(s1, root, s12, s13);
    case 2:
      return Vector4<S>(s2, s12, root, s23);
    default:
      return Vector4<S>(s3, s13, s23, root);
  }
}

// Rotation by an angle about a unit axis (Rodrigues).
template <typename S>
Matrix3<S> rotation_about(const Vector3<S>& axis, const S& angle) {
  using std::cos;
  using std::sin;
  const Matrix3<S> k = skew(axis);
  return Matrix3<S>::Identity() + k * sin(angle) + k * k * (S(1) - cos(angle));
}

// Right-handed orthonormal columns: along `first`, along the part of `second` normal to it, and
// their cross product.
template <typename S>
Matrix3<S> frame(const Vector3<S>& first, const Vector3<S>& second) {
  const Vector3<S> a = unit(first);
  const Vector3<S> b = unit(Vector3<S>(second - a * inner(a, second)));
  Matrix3<S> columns;
  columns << a, b, cross(a, b);
  return columns;
}

// Some vector normal to the axis: the part normal to it of the coordinate direction farthest from
// it.
template <typename S>
Vector3<S> any_normal(const Vector3<S>& axis) {
  int smallest = 0;
  for (int i = 1; i < 3; ++i) {
    if (std::abs(real_part(axis(i))) < std::abs(real_part(axis(smallest)))) smallest = i;
  }
  const Vector3<S> direction = Vector3<S>::Unit(smallest);
  const Vector3<S> a = unit(axis);
  return unit(Vector3<S>(direction - a * inner(a, direction)));
}

}  // namespace oracle
