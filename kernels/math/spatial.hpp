// Motions and forces of rigid bodies at a point, linear part first. A motion is the velocity field
// of a body: at another point its linear part changes by w x arm. A force is a wrench: at another
// point its moment changes by arm x f. Rates of motions are Pluecker rates, taken with the point
// held fixed in space.
#pragma once

#include "kernels/math/vector3.hpp"

GRADUS_KERNELS_BEGIN

template <class Real>
struct Motion {
  Vector3<Real> v;  // linear part at the point
  Vector3<Real> w;  // angular part
};

template <class Real>
struct Force {
  Vector3<Real> f;  // force
  Vector3<Real> n;  // moment about the point
};

// Of a design.
template <class D>
using MotionOf = Motion<RealOf<D>>;
template <class D>
using ForceOf = Force<RealOf<D>>;

template <class Real>
GRADUS_INLINE Motion<Real> operator+(const Motion<Real>& a, const Motion<Real>& b) {
  return {a.v + b.v, a.w + b.w};
}
template <class Real>
GRADUS_INLINE Motion<Real>& operator+=(Motion<Real>& a, const Motion<Real>& b) {
  a.v += b.v;
  a.w += b.w;
  return a;
}
template <class Real>
GRADUS_INLINE Motion<Real> operator*(const Real& s, const Motion<Real>& a) {
  return {s * a.v, s * a.w};
}
template <class Real>
GRADUS_INLINE Force<Real> operator+(const Force<Real>& a, const Force<Real>& b) {
  return {a.f + b.f, a.n + b.n};
}
template <class Real>
GRADUS_INLINE Force<Real> operator*(const Real& s, const Force<Real>& a) {
  return {s * a.f, s * a.n};
}
template <class Real>
GRADUS_INLINE Force<Real>& operator+=(Force<Real>& a, const Force<Real>& b) {
  a.f += b.f;
  a.n += b.n;
  return a;
}
template <class Real>
GRADUS_INLINE Real dot(const Motion<Real>& m, const Force<Real>& f) {
  return dot(m.v, f.f) + dot(m.w, f.n);
}

// The motion at the point `arm` away from its own.
template <class Real>
GRADUS_INLINE Motion<Real> shift(const Motion<Real>& m, const Vector3<Real>& arm) {
  return {m.v + cross(m.w, arm), m.w};
}
// The wrench about the point from which its own is `arm` away.
template <class Real>
GRADUS_INLINE Force<Real> shift(const Force<Real>& f, const Vector3<Real>& arm) {
  return {f.f, f.n + cross(arm, f.f)};
}

// Rate of a motion carried along by the motion a.
template <class Real>
GRADUS_INLINE Motion<Real> cross(const Motion<Real>& a, const Motion<Real>& b) {
  return {cross(a.w, b.v) + cross(a.v, b.w), cross(a.w, b.w)};
}
// Rate of a force carried along by the motion a.
template <class Real>
GRADUS_INLINE Force<Real> cross(const Motion<Real>& a, const Force<Real>& b) {
  return {cross(a.w, b.f), cross(a.w, b.n) + cross(a.v, b.f)};
}

template <class Real>
GRADUS_INLINE Motion<Real> zero_motion() {
  return {zero3<Real>(), zero3<Real>()};
}
template <class Real>
GRADUS_INLINE Force<Real> zero_force() {
  return {zero3<Real>(), zero3<Real>()};
}

template <class Array>
GRADUS_INLINE auto load_motion(const Array& a, int k) {
  using Real = std::decay_t<decltype(a[0])>;
  return Motion<Real>{load3(a, 2 * k), load3(a, 2 * k + 1)};
}
template <class Array, class Real>
GRADUS_INLINE void store_motion(const Array& a, int k, const Motion<Real>& m) {
  store3(a, 2 * k, m.v);
  store3(a, 2 * k + 1, m.w);
}
template <class Array>
GRADUS_INLINE auto load_force(const Array& a, int k) {
  using Real = std::decay_t<decltype(a[0])>;
  return Force<Real>{load3(a, 2 * k), load3(a, 2 * k + 1)};
}
template <class Array, class Real>
GRADUS_INLINE void store_force(const Array& a, int k, const Force<Real>& f) {
  store3(a, 2 * k, f.f);
  store3(a, 2 * k + 1, f.n);
}

// Inertia of a rigid body, or of a rigidly joined sub-tree, about a point.
template <class Real>
struct SpatialInertia {
  Real mass;
  Vector3<Real> moment;      // first moment: mass times (centre of mass - point)
  Symmetric3<Real> inertia;  // about the point
};

template <class Real>
GRADUS_INLINE Force<Real> operator*(const SpatialInertia<Real>& i, const Motion<Real>& m) {
  return {i.mass * m.v + cross(m.w, i.moment), cross(i.moment, m.v) + i.inertia * m.w};
}

// |s|^2 I - s s^T, the inertia of a unit mass at s.
template <class Real>
GRADUS_INLINE Symmetric3<Real> point_inertia(const Real& mass, const Vector3<Real>& s) {
  const Real xx = mass * s.x * s.x;
  const Real yy = mass * s.y * s.y;
  const Real zz = mass * s.z * s.z;
  return {yy + zz, xx + zz, xx + yy, -mass * s.x * s.y, -mass * s.x * s.z, -mass * s.y * s.z};
}

// The inertia about the point from which its own is `arm` away.
template <class Real>
GRADUS_INLINE SpatialInertia<Real> shift(const SpatialInertia<Real>& i, const Vector3<Real>& arm) {
  const Vector3<Real>& h = i.moment;
  const Real two(2);
  const Real ha = two * dot(h, arm);
  SpatialInertia<Real> s;
  s.mass = i.mass;
  s.moment = h + i.mass * arm;
  s.inertia = i.inertia;
  s.inertia += point_inertia(i.mass, arm);
  const Symmetric3<Real> mixed{ha - two * h.x * arm.x,       ha - two * h.y * arm.y,
                               ha - two * h.z * arm.z,       -(h.x * arm.y + h.y * arm.x),
                               -(h.x * arm.z + h.z * arm.x), -(h.y * arm.z + h.z * arm.y)};
  s.inertia += mixed;
  return s;
}

GRADUS_KERNELS_END
