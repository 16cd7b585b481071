// Walk from the leaves to the ground: inertia, momentum and forces of whole sub-trees, and from
// them the generalised forces. docs/theory.md, section 4.
#pragma once

#include "kernels/bodies/rigid_body.hpp"
#include "kernels/constraints/constraint.hpp"
#include "kernels/forces/action.hpp"
#include "kernels/passes/rates.hpp"

GRADUS_KERNELS_BEGIN

// What actions and constraints add to the loads of the bodies: forces with minus their
// sign, constraints with Phi_q^T multiplier.

template <class D, class Multipliers>
GRADUS_ROUTINE void add_constraint_loads(const D& d, const LoadLayout& load,
                                         const Multipliers& multiplier) {
  for (int k = 0; k < d.plan.constraint_count; ++k) {
    const ConstraintEntry& e = d.plan.constraints[k];
    const auto l = load_rows(multiplier, e);
    if (e.kind == ConstraintKind::law) {
      add_law_loads(d, load, d.plan.laws[e.feature[0]], l.x);
      continue;
    }
    const int features = feature_count(e.kind);
    for (int j = 0; j < features; ++j) add_load(d, load, e.feature[j], constraint_load(d, e, j, l));
    if (e.kind != ConstraintKind::normalisation) continue;
    for (int c = e.feature[0]; c < e.feature[0] + 4; ++c)
      d.at(load.direct)[c] += RealOf<D>(2) * l.x * d.at(d.layout.position)[c];
  }
}

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
GRADUS_FUNCTION void accumulate_wrenches(const D& d, int wrenches) {
  for_each_child(d, [&](int i, int parent, const VectorOf<D>& arm) {
    const ForceOf<D> wrench = shift(load_force(d.at(wrenches), i), arm);
    store_force(d.at(wrenches), parent, load_force(d.at(wrenches), parent) + wrench);
  });
}

// Inertia of every sub-tree, its gyroscopic counterpart (turning inertia), and the force its motion
// m needs, less the forces that follow its bodies. The gyroscopic part is wanted by derivatives
// only.
template <class D>
GRADUS_ROUTINE void composites(const D& d, const MotionLayout& m, const LoadLayout& load) {
  for (int i = 0; i < d.plan.body_count; ++i) {
    const SpatialInertia<RealOf<D>> inertia = body_inertia(d, i);
    const MotionOf<D> v = load_motion(d.at(m.velocity), i);
    store_inertia(d, i, inertia);
    store3(d.at(d.layout.momentum), i, (inertia * v).f);
    store9(d.at(d.layout.turning_inertia), i, turning_inertia(inertia, v));
    store_force(d.at(load.wrench), i,
                inertial_force(inertia, v, load_motion(d.at(m.acceleration), i)));
  }
  for_each_child(d, [&](int i, int parent, const VectorOf<D>& arm) {
    SpatialInertia<RealOf<D>> sum = composite_inertia(d, parent);
    const SpatialInertia<RealOf<D>> child = shift(composite_inertia(d, i), arm);
    sum.mass += child.mass;
    sum.moment += child.moment;
    sum.inertia += child.inertia;
    store_inertia(d, parent, sum);
    const VectorOf<D> p = load3(d.at(d.layout.momentum), i);
    add3(d.at(d.layout.momentum), parent, p);
    add9(d.at(d.layout.turning_inertia), parent,
         shift_turning(load9(d.at(d.layout.turning_inertia), i), p, arm));
  });
  add_follower_wrenches(d, m, load);
  accumulate_wrenches(d, load.wrench);
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
  accumulate_wrenches(d, load.wrench);
}

// Inertial forces alone, for an acceleration-like motion without velocity: the wrenches of M x.
template <class D>
GRADUS_FUNCTION void carried_forces(const D& d, int motions, int wrenches) {
  for (int i = 0; i < d.plan.body_count; ++i)
    store_force(d.at(wrenches), i, body_inertia(d, i) * load_motion(d.at(motions), i));
  accumulate_wrenches(d, wrenches);
}

// Wrench of a sub-tree, loads included.
template <class D>
GRADUS_FUNCTION ForceOf<D> whole_wrench(const D& d, const LoadLayout& load, int i) {
  return load_force(d.at(load.wrench), i) + load_wrench(d, load, i);
}

// Generalised force of coordinate c: inertia, applied load and constraints together. D = M z'' - Q
// + Phi_z^T multiplier.
template <class D>
GRADUS_FUNCTION RealOf<D> generalised_force(const D& d, const LoadLayout& load, int c) {
  return dot(load_motion(d.at(d.layout.axis), c),
             whole_wrench(d, load, d.plan.coordinates[c].body)) +
         d.at(load.direct)[c];
}

GRADUS_KERNELS_END
