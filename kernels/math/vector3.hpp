// Vectors and matrices of three, held in registers, and how they are read from and written to
// views.
#pragma once

#include "kernels/math/scalar.hpp"

GRADUS_KERNELS_BEGIN

template <class Real>
struct Vector3 {
  Real x, y, z;
};

// Of a design.
template <class D>
using VectorOf = Vector3<RealOf<D>>;

template <class Real>
GRADUS_INLINE Vector3<Real> operator+(const Vector3<Real>& a, const Vector3<Real>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Real>
GRADUS_INLINE Vector3<Real> operator-(const Vector3<Real>& a, const Vector3<Real>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Real>
GRADUS_INLINE Vector3<Real> operator-(const Vector3<Real>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class Real>
GRADUS_INLINE Vector3<Real> operator*(const Real& s, const Vector3<Real>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class Real>
GRADUS_INLINE Vector3<Real>& operator+=(Vector3<Real>& a, const Vector3<Real>& b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
  return a;
}
template <class Real>
GRADUS_INLINE Vector3<Real>& operator-=(Vector3<Real>& a, const Vector3<Real>& b) {
  a.x -= b.x;
  a.y -= b.y;
  a.z -= b.z;
  return a;
}
template <class Real>
GRADUS_INLINE Real dot(const Vector3<Real>& a, const Vector3<Real>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class Real>
GRADUS_INLINE Vector3<Real> cross(const Vector3<Real>& a, const Vector3<Real>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class Real>
GRADUS_INLINE Real component(const Vector3<Real>& v, int k) {
  return k == 0 ? v.x : k == 1 ? v.y : v.z;
}
template <class Real>
GRADUS_INLINE Vector3<Real> zero3() {
  return {Real(0), Real(0), Real(0)};
}
// `size` times the unit vector k.
template <class Real>
GRADUS_INLINE Vector3<Real> along(int k, const Real& size) {
  const Real none(0);
  return {k == 0 ? size : none, k == 1 ? size : none, k == 2 ? size : none};
}

// Row-major: m[3 * row + column].
template <class Real>
struct Matrix3 {
  Real m[9];
};

template <class Real>
GRADUS_INLINE Vector3<Real> operator*(const Matrix3<Real>& a, const Vector3<Real>& b) {
  return {a.m[0] * b.x + a.m[1] * b.y + a.m[2] * b.z, a.m[3] * b.x + a.m[4] * b.y + a.m[5] * b.z,
          a.m[6] * b.x + a.m[7] * b.y + a.m[8] * b.z};
}
template <class Real>
GRADUS_INLINE Vector3<Real> transposed_times(const Matrix3<Real>& a, const Vector3<Real>& b) {
  return {a.m[0] * b.x + a.m[3] * b.y + a.m[6] * b.z, a.m[1] * b.x + a.m[4] * b.y + a.m[7] * b.z,
          a.m[2] * b.x + a.m[5] * b.y + a.m[8] * b.z};
}
template <class Real>
GRADUS_INLINE Matrix3<Real> operator*(const Matrix3<Real>& a, const Matrix3<Real>& b) {
  Matrix3<Real> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      c.m[3 * i + j] =
          a.m[3 * i] * b.m[j] + a.m[3 * i + 1] * b.m[3 + j] + a.m[3 * i + 2] * b.m[6 + j];
  return c;
}
// a b^T
template <class Real>
GRADUS_INLINE Matrix3<Real> times_transposed(const Matrix3<Real>& a, const Matrix3<Real>& b) {
  Matrix3<Real> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      c.m[3 * i + j] = a.m[3 * i] * b.m[3 * j] + a.m[3 * i + 1] * b.m[3 * j + 1] +
                       a.m[3 * i + 2] * b.m[3 * j + 2];
  return c;
}
// a b^T
template <class Real>
GRADUS_INLINE Matrix3<Real> outer(const Vector3<Real>& a, const Vector3<Real>& b) {
  return {{a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y,
           a.z * b.z}};
}

template <class Real>
GRADUS_INLINE Matrix3<Real>& operator+=(Matrix3<Real>& a, const Matrix3<Real>& b) {
  for (int k = 0; k < 9; ++k) a.m[k] += b.m[k];
  return a;
}

// The matrix with these columns.
template <class Real>
GRADUS_INLINE Matrix3<Real> from_columns(const Vector3<Real>& a, const Vector3<Real>& b,
                                         const Vector3<Real>& c) {
  return {{a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z}};
}

template <class Real>
GRADUS_INLINE Vector3<Real> column(const Matrix3<Real>& a, int j) {
  return {a.m[j], a.m[3 + j], a.m[6 + j]};
}
template <class Real>
GRADUS_INLINE Matrix3<Real> identity3() {
  const Real o(1);
  const Real z(0);
  return {{o, z, z, z, o, z, z, z, o}};
}

// Symmetric matrix of three: xx, yy, zz, xy, xz, yz.
template <class Real>
struct Symmetric3 {
  Real xx, yy, zz, xy, xz, yz;
};

template <class Real>
GRADUS_INLINE Vector3<Real> operator*(const Symmetric3<Real>& a, const Vector3<Real>& b) {
  return {a.xx * b.x + a.xy * b.y + a.xz * b.z, a.xy * b.x + a.yy * b.y + a.yz * b.z,
          a.xz * b.x + a.yz * b.y + a.zz * b.z};
}
template <class Real>
GRADUS_INLINE Symmetric3<Real>& operator+=(Symmetric3<Real>& a, const Symmetric3<Real>& b) {
  a.xx += b.xx;
  a.yy += b.yy;
  a.zz += b.zz;
  a.xy += b.xy;
  a.xz += b.xz;
  a.yz += b.yz;
  return a;
}

// A J A^T for a rotation A.
template <class Real>
GRADUS_INLINE Symmetric3<Real> rotate(const Matrix3<Real>& a, const Symmetric3<Real>& j) {
  const Matrix3<Real> full{{j.xx, j.xy, j.xz, j.xy, j.yy, j.yz, j.xz, j.yz, j.zz}};
  const Matrix3<Real> b = a * full;
  const auto entry = [&](int r, int c) {
    return b.m[3 * r] * a.m[3 * c] + b.m[3 * r + 1] * a.m[3 * c + 1] +
           b.m[3 * r + 2] * a.m[3 * c + 2];
  };
  return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
}

// Reading and writing: entry k of an array of threes, nines and sixes.
template <class Array>
GRADUS_INLINE auto load3(const Array& a, int k) {
  using Real = std::decay_t<decltype(a[0])>;
  return Vector3<Real>{a[3 * k], a[3 * k + 1], a[3 * k + 2]};
}
template <class Array, class Real>
GRADUS_INLINE void store3(const Array& a, int k, const Vector3<Real>& v) {
  a[3 * k] = v.x;
  a[3 * k + 1] = v.y;
  a[3 * k + 2] = v.z;
}
template <class Array, class Real>
GRADUS_INLINE void add3(const Array& a, int k, const Vector3<Real>& v) {
  store3(a, k, load3(a, k) + v);
}
template <class Array>
GRADUS_INLINE auto load9(const Array& a, int k) {
  using Real = std::decay_t<decltype(a[0])>;
  Matrix3<Real> m;
  for (int i = 0; i < 9; ++i) m.m[i] = a[9 * k + i];
  return m;
}
template <class Array, class Real>
GRADUS_INLINE void store9(const Array& a, int k, const Matrix3<Real>& m) {
  for (int i = 0; i < 9; ++i) a[9 * k + i] = m.m[i];
}
template <class Array, class Real>
GRADUS_INLINE void add9(const Array& a, int k, const Matrix3<Real>& m) {
  for (int i = 0; i < 9; ++i) a[9 * k + i] += m.m[i];
}
template <class Array>
GRADUS_INLINE auto load_symmetric(const Array& a, int k) {
  using Real = std::decay_t<decltype(a[0])>;
  return Symmetric3<Real>{a[6 * k],     a[6 * k + 1], a[6 * k + 2],
                          a[6 * k + 3], a[6 * k + 4], a[6 * k + 5]};
}
template <class Array, class Real>
GRADUS_INLINE void store_symmetric(const Array& a, int k, const Symmetric3<Real>& s) {
  a[6 * k] = s.xx;
  a[6 * k + 1] = s.yy;
  a[6 * k + 2] = s.zz;
  a[6 * k + 3] = s.xy;
  a[6 * k + 4] = s.xz;
  a[6 * k + 5] = s.yz;
}

GRADUS_KERNELS_END
