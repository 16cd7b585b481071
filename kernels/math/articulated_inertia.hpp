// Inertia of a body with what hangs on it by joints that give way: the symmetric matrix that turns
// an acceleration of the body into the force it needs. docs/theory.md, section 14.
#pragma once

#include "kernels/math/spatial.hpp"

GRADUS_KERNELS_BEGIN

// Force = mass * v + coupling * w, moment = coupling^T * v + inertia * w.
template <class Real>
struct ArticulatedInertia {
  Symmetric3<Real> mass;
  Matrix3<Real> coupling;
  Symmetric3<Real> inertia;
};

// Scalars that one takes in memory.
constexpr int kArticulatedSize = 21;

template <class Real>
GRADUS_FUNCTION ArticulatedInertia<Real> articulated(const SpatialInertia<Real>& rigid) {
  const Real zero(0);
  const Vector3<Real>& h = rigid.moment;
  return {{rigid.mass, rigid.mass, rigid.mass, zero, zero, zero},
          {{zero, h.z, -h.y, -h.z, zero, h.x, h.y, -h.x, zero}},
          rigid.inertia};
}

template <class Real>
GRADUS_FUNCTION Force<Real> operator*(const ArticulatedInertia<Real>& a, const Motion<Real>& m) {
  return {a.mass * m.v + a.coupling * m.w, transposed_times(a.coupling, m.v) + a.inertia * m.w};
}

template <class Real>
GRADUS_FUNCTION ArticulatedInertia<Real>& operator+=(ArticulatedInertia<Real>& a,
                                                     const ArticulatedInertia<Real>& b) {
  a.mass += b.mass;
  a.coupling += b.coupling;
  a.inertia += b.inertia;
  return a;
}

// s a a^T
template <class Real>
GRADUS_INLINE Symmetric3<Real> scaled_square(const Real& s, const Vector3<Real>& a) {
  const Vector3<Real> b = s * a;
  return {b.x * a.x, b.y * a.y, b.z * a.z, b.x * a.y, b.x * a.z, b.y * a.z};
}

// a + s u u^T: with s = -1 / (S . u), u = a S, what is left when the joint along S gives way.
template <class Real>
GRADUS_FUNCTION void add_square(ArticulatedInertia<Real>& a, const Real& s, const Force<Real>& u) {
  a.mass += scaled_square(s, u.f);
  a.inertia += scaled_square(s, u.n);
  a.coupling += outer(s * u.f, u.n);
}

// arm~ m: the columns of m crossed by the arm.
template <class Real>
GRADUS_FUNCTION Matrix3<Real> cross_columns(const Vector3<Real>& arm, const Matrix3<Real>& m) {
  return from_columns(cross(arm, column(m, 0)), cross(arm, column(m, 1)), cross(arm, column(m, 2)));
}

template <class Real>
GRADUS_FUNCTION Matrix3<Real> full(const Symmetric3<Real>& s) {
  return {{s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz}};
}

// The inertia about the point from which its own is `arm` away: with M, H, J its blocks,
// H' = H - M arm~ and J' = J + arm~ H' - H^T arm~.
template <class Real>
GRADUS_FUNCTION ArticulatedInertia<Real> shift(const ArticulatedInertia<Real>& a,
                                               const Vector3<Real>& arm) {
  ArticulatedInertia<Real> s;
  s.mass = a.mass;
  // M arm~ = -(arm~ M)^T and H^T arm~ = -(arm~ H)^T, M being symmetric.
  const Matrix3<Real> turned_mass = cross_columns(arm, full(a.mass));
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      s.coupling.m[3 * r + c] = a.coupling.m[3 * r + c] + turned_mass.m[3 * c + r];
  const Matrix3<Real> left = cross_columns(arm, s.coupling);
  const Matrix3<Real> right = cross_columns(arm, a.coupling);
  const auto sum = [&](int r, int c) { return left.m[3 * r + c] + right.m[3 * c + r]; };
  s.inertia = a.inertia;
  s.inertia += Symmetric3<Real>{sum(0, 0), sum(1, 1), sum(2, 2), sum(0, 1), sum(0, 2), sum(1, 2)};
  return s;
}

template <class Array, class Real>
GRADUS_FUNCTION void store_articulated(const Array& a, int k,
                                       const ArticulatedInertia<Real>& inertia) {
  const auto at = a.from(kArticulatedSize * k);
  store_symmetric(at, 0, inertia.mass);
  store_symmetric(at, 1, inertia.inertia);
  store9(at.from(12), 0, inertia.coupling);
}
template <class Array>
GRADUS_FUNCTION auto load_articulated(const Array& a, int k) {
  using Real = std::decay_t<decltype(a[0])>;
  const auto at = a.from(kArticulatedSize * k);
  return ArticulatedInertia<Real>{load_symmetric(at, 0), load9(at.from(12), 0),
                                  load_symmetric(at, 1)};
}

GRADUS_KERNELS_END
