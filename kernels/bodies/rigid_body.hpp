// Rigid body: its inertia about its reference point, the force its motion needs, and their
// derivatives by mass, centre of mass and inertia. docs/theory.md, section 3.
#pragma once

#include "kernels/bodies/positions.hpp"

GRADUS_KERNELS_BEGIN

// Inertia of body i about its reference point, global axes.
template <class D>
GRADUS_DEVICE_CALL SpatialInertia<RealOf<D>> body_inertia(const D& d, int i) {
  const BodyEntry& body = d.plan.bodies[i];
  const Matrix3<RealOf<D>> rotation = load9(d.at(d.layout.rotation), i);
  SpatialInertia<RealOf<D>> inertia;
  inertia.mass = d.at(d.layout.slot)[body.mass_slot];
  inertia.inertia = rotate(rotation, load_symmetric(d.at(d.layout.slot + body.inertia_slot), 0));
  if (d.plan.moment_at_origin != 0) {
    const VectorOf<D> s = origin_of(d, i) + rotation * slot3(d, body.com_slot);
    inertia.moment = inertia.mass * s;
    inertia.inertia += point_inertia(inertia.mass, s);
  } else {
    inertia.moment = zero3<RealOf<D>>();
  }
  return inertia;
}

// Its derivative when mass, centre of mass and inertia change in the given direction (mass 1,
// centre of mass 3, inertia 6, body axes) and the reference point stays.
template <class D, class Direction>
GRADUS_ROUTINE SpatialInertia<RealOf<D>> body_inertia_partial(const D& d, int i,
                                                              const Direction& direction) {
  using Real = typename D::Real;
  const BodyEntry& body = d.plan.bodies[i];
  const Matrix3<Real> rotation = load9(d.at(d.layout.rotation), i);
  const Real mass = d.at(d.layout.slot)[body.mass_slot];
  const Vector3<Real> s = origin_of(d, i) + rotation * slot3(d, body.com_slot) - reference_of(d, i);
  const Vector3<Real> ds = rotation * load3(direction.from(1), 0);
  const Real dmass = direction[0];

  SpatialInertia<Real> partial;
  partial.mass = dmass;
  partial.moment = dmass * s + mass * ds;
  partial.inertia = rotate(rotation, load_symmetric(direction.from(4), 0));
  partial.inertia += point_inertia(dmass, s);
  const Real two(2);
  const Real sd = two * mass * dot(s, ds);
  const Symmetric3<Real> mixed{
      sd - two * mass * s.x * ds.x,      sd - two * mass * s.y * ds.y,
      sd - two * mass * s.z * ds.z,      -mass * (s.x * ds.y + s.y * ds.x),
      -mass * (s.x * ds.z + s.z * ds.x), -mass * (s.y * ds.z + s.z * ds.y)};
  partial.inertia += mixed;
  return partial;
}

// Force that a body of this inertia needs to move with velocity v and acceleration a (Pluecker
// rate).
template <class Real>
GRADUS_FUNCTION Force<Real> inertial_force(const SpatialInertia<Real>& inertia,
                                           const Motion<Real>& v, const Motion<Real>& a) {
  return inertia * a + cross(v, inertia * v);
}

// Change of that force when the body, moving with velocity v, is given another velocity with
// angular part w by the joints before it: force -2 p x w and moment N w with p the momentum and N =
// -2 (h~ v~ + w_body~ P), P = tr(J)/2 I - J. It holds about any point and adds up over bodies.
// docs/theory.md, section 3.
template <class Real>
GRADUS_FUNCTION Matrix3<Real> turning_inertia(const SpatialInertia<Real>& inertia,
                                              const Motion<Real>& v) {
  const Vector3<Real>& h = inertia.moment;
  const Symmetric3<Real>& j = inertia.inertia;
  const Real half_trace = Real(0.5) * (j.xx + j.yy + j.zz);
  const Real two(2);
  const Symmetric3<Real> p{
      half_trace - j.xx, half_trace - j.yy, half_trace - j.zz, -j.xy, -j.xz, -j.yz};
  const Real hv = dot(h, v.v);
  // h~ v~ = v h^T - (h . v) I
  Matrix3<Real> n = outer(-two * v.v, h);
  n.m[0] += two * hv;
  n.m[4] += two * hv;
  n.m[8] += two * hv;
  n += from_columns(-two * cross(v.w, Vector3<Real>{p.xx, p.xy, p.xz}),
                    -two * cross(v.w, Vector3<Real>{p.xy, p.yy, p.yz}),
                    -two * cross(v.w, Vector3<Real>{p.xz, p.yz, p.zz}));
  return n;
}

// That matrix about the point from which its own is `arm` away, p the momentum: N - 2 arm~ p~.
template <class Real>
GRADUS_FUNCTION Matrix3<Real> shift_turning(Matrix3<Real> n, const Vector3<Real>& p,
                                            const Vector3<Real>& arm) {
  const Real two(2);
  const Real ap = dot(arm, p);
  // arm~ p~ = p arm^T - (arm . p) I
  n += outer(-two * p, arm);
  n.m[0] += two * ap;
  n.m[4] += two * ap;
  n.m[8] += two * ap;
  return n;
}

GRADUS_KERNELS_END
