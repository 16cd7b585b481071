// Euler parameters p = [e0, e1, e2, e3], scalar first, in normalised convention: what they describe
// depends on the direction of p alone, so that derivatives along p vanish. docs/theory.md,
// section 2.
#pragma once

#include "kernels/math/vector3.hpp"

GRADUS_KERNELS_BEGIN

template <class Real>
struct EulerParameters {
  Real scalar;
  Vector3<Real> vector;

  GRADUS_INLINE Real operator[](int k) const {
    return k == 0 ? scalar : k == 1 ? vector.x : k == 2 ? vector.y : vector.z;
  }
};

template <class Array>
GRADUS_INLINE auto load_euler(const Array& z) {
  using Real = std::decay_t<decltype(z[0])>;
  return EulerParameters<Real>{z[0], {z[1], z[2], z[3]}};
}

template <class Real>
GRADUS_INLINE Real dot(const EulerParameters<Real>& a, const EulerParameters<Real>& b) {
  return a.scalar * b.scalar + dot(a.vector, b.vector);
}

// Rotation matrix, also off the unit sphere.
template <class Real>
GRADUS_FUNCTION Matrix3<Real> rotation_matrix(const EulerParameters<Real>& p) {
  const Real two_by_norm2 = Real(2) / dot(p, p);
  const Vector3<Real>& e = p.vector;
  const Real diagonal = two_by_norm2 * p.scalar * p.scalar - Real(1);
  const Real xy = two_by_norm2 * e.x * e.y;
  const Real xz = two_by_norm2 * e.x * e.z;
  const Real yz = two_by_norm2 * e.y * e.z;
  const Vector3<Real> s = two_by_norm2 * p.scalar * e;
  return {{diagonal + two_by_norm2 * e.x * e.x, xy - s.z, xz + s.y,  //
           xy + s.z, diagonal + two_by_norm2 * e.y * e.y, yz - s.x,  //
           xz - s.y, yz + s.x, diagonal + two_by_norm2 * e.z * e.z}};
}

// Column k of E = [-e  e~ + e0 1].
template <class Real>
GRADUS_INLINE Vector3<Real> half_axis(const EulerParameters<Real>& p, int k) {
  const Vector3<Real>& e = p.vector;
  switch (k) {
    case 0:
      return -e;
    case 1:
      return {p.scalar, e.z, -e.y};
    case 2:
      return {-e.z, p.scalar, e.x};
    default:
      return {e.y, -e.x, p.scalar};
  }
}

// Axis about which the frame turns when parameter k changes, 2 E_k / p.p, in parent axes.
template <class Real>
GRADUS_INLINE Vector3<Real> euler_axis(const EulerParameters<Real>& p, int k) {
  return (Real(2) / dot(p, p)) * half_axis(p, k);
}

GRADUS_KERNELS_END
