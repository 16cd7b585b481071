// Walk from the leaves to the ground: inertia, momentum and forces of whole sub-trees, and from
// them the generalised forces. docs/theory.md, section 4.
#pragma once

#include "kernels/bodies/rigid_body.hpp"
#include "kernels/passes/loads.hpp"
#include "kernels/passes/rates.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_INLINE SpatialInertia<RealOf<D>> composite_inertia(const D& d, int i) {
  return {d.at(d.layout.mass)[i], load3(d.at(d.layout.moment), i),
          load_symmetric(d.at(d.layout.inertia), i)};
}

template <class D>
GRADUS_FUNCTION void store_inertia(const D& d, int i, const SpatialInertia<RealOf<D>>& inertia) {
  d.at(d.layout.mass)[i] = inertia.mass;
  store3(d.at(d.layout.moment), i, inertia.moment);
  store_symmetric(d.at(d.layout.inertia), i, inertia.inertia);
}

// Wrenches from bodies to sub-trees.
template <class D>
GRADUS_FUNCTION void accumulate_wrenches(const D& d, const LoadLayout& load) {
  for (int i = d.plan.body_count - 1; i >= 0; --i) {
    const int parent = d.plan.bodies[i].parent;
    if (parent < 0) continue;
    const VectorOf<D> arm = reference_of(d, i) - reference_of(d, parent);
    const ForceOf<D> wrench = shift(load_force(d.at(load.wrench), i), arm);
    store_force(d.at(load.wrench), parent, load_force(d.at(load.wrench), parent) + wrench);
  }
}

// Inertia of every sub-tree, its gyroscopic counterpart (turning inertia), and the force its motion
// m needs, less the forces that follow its bodies. The gyroscopic part is wanted by derivatives
// only.
template <class D>
GRADUS_ROUTINE void composites(const D& d, const MotionLayout& m, const LoadLayout& load) {
  using Real = typename D::Real;
  for (int i = 0; i < d.plan.body_count; ++i) {
    const SpatialInertia<Real> inertia = body_inertia(d, i);
    const Motion<Real> v = load_motion(d.at(m.velocity), i);
    store_inertia(d, i, inertia);
    store3(d.at(d.layout.momentum), i, (inertia * v).f);
    store9(d.at(d.layout.turning_inertia), i, turning_inertia(inertia, v));
    store_force(d.at(load.wrench), i,
                inertial_force(inertia, v, load_motion(d.at(m.acceleration), i)));
  }
  for (int i = d.plan.body_count - 1; i >= 0; --i) {
    const int parent = d.plan.bodies[i].parent;
    if (parent < 0) continue;
    const Vector3<Real> arm = reference_of(d, i) - reference_of(d, parent);
    SpatialInertia<Real> sum = composite_inertia(d, parent);
    const SpatialInertia<Real> child = shift(composite_inertia(d, i), arm);
    sum.mass += child.mass;
    sum.moment += child.moment;
    sum.inertia += child.inertia;
    store_inertia(d, parent, sum);

    const Vector3<Real> p = load3(d.at(d.layout.momentum), i);
    store3(d.at(d.layout.momentum), parent, load3(d.at(d.layout.momentum), parent) + p);
    const auto to = d.at(d.layout.turning_inertia).from(9 * parent);
    const Matrix3<Real> n = shift_turning(load9(d.at(d.layout.turning_inertia), i), p, arm);
    for (int k = 0; k < 9; ++k) to[k] += n.m[k];
  }
  add_follower_wrenches(d, m, load);
  accumulate_wrenches(d, load);
}

// These forces of every sub-tree alone: all that a residual asks for.
// docs/theory.md, section 4.
template <class D>
GRADUS_FUNCTION void inertial_forces(const D& d, const MotionLayout& m, const LoadLayout& load) {
  for (int i = 0; i < d.plan.body_count; ++i)
    store_force(d.at(load.wrench), i,
                inertial_force(body_inertia(d, i), load_motion(d.at(m.velocity), i),
                               load_motion(d.at(m.acceleration), i)));
  add_follower_wrenches(d, m, load);
  accumulate_wrenches(d, load);
}

// Inertial forces alone, for an acceleration-like motion without velocity: the wrenches of M x.
template <class D>
GRADUS_FUNCTION void carried_forces(const D& d, int motions, const LoadLayout& load) {
  for (int i = 0; i < d.plan.body_count; ++i)
    store_force(d.at(load.wrench), i, body_inertia(d, i) * load_motion(d.at(motions), i));
  accumulate_wrenches(d, load);
}

// Generalised force of coordinate c: inertia, applied load and constraints together. D = M z'' - Q
// + Phi_z^T multiplier.
template <class D>
GRADUS_FUNCTION RealOf<D> generalised_force(const D& d, const LoadLayout& load, int c) {
  const int i = d.plan.coordinates[c].body;
  return dot(load_motion(d.at(d.layout.axis), c),
             load_force(d.at(load.wrench), i) + load_wrench(d, load, i)) +
         d.at(load.direct)[c];
}

GRADUS_KERNELS_END
