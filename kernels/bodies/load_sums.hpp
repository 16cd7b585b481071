// Applied and constraint forces gathered on the bodies, with the sign of inertia. Kept per body as
// a force and the sum of force times arm (its virial), which carries the moment and also answers
// how the generalised load changes when everything upstream turns.
#pragma once

#include "kernels/bodies/features.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_FUNCTION void clear_loads(const D& d, const LoadLayout& load) {
  using Real = typename D::Real;
  for (int i = 0; i < 3 * d.plan.body_count; ++i) d.at(load.force)[i] = Real(0);
  for (int i = 0; i < 9 * d.plan.body_count; ++i) d.at(load.virial)[i] = Real(0);
  for (int c = 0; c < d.plan.coordinate_count; ++c) d.at(load.direct)[c] = Real(0);
}

// Force f on feature k: at a point, or as the covector of a direction, which turns the body only.
template <class D>
GRADUS_ROUTINE void add_load(const D& d, const LoadLayout& load, int k, const VectorOf<D>& f) {
  const FeatureEntry& feature = d.plan.features[k];
  if (feature.body < 0) return;
  VectorOf<D> arm = feature_position(d, k);
  const auto force = d.at(load.force).from(3 * feature.body);
  const auto virial = d.at(load.virial).from(9 * feature.body);
  if (feature.is_point != 0) {
    arm -= reference_of(d, feature.body);
    force[0] += f.x;
    force[1] += f.y;
    force[2] += f.z;
  }
  virial[0] += f.x * arm.x;
  virial[1] += f.x * arm.y;
  virial[2] += f.x * arm.z;
  virial[3] += f.y * arm.x;
  virial[4] += f.y * arm.y;
  virial[5] += f.y * arm.z;
  virial[6] += f.z * arm.x;
  virial[7] += f.z * arm.y;
  virial[8] += f.z * arm.z;
}

// From bodies to sub-trees.
template <class D>
GRADUS_ROUTINE void accumulate_loads(const D& d, const LoadLayout& load) {
  for (int i = d.plan.body_count - 1; i >= 0; --i) {
    const int parent = d.plan.bodies[i].parent;
    if (parent < 0) continue;
    const VectorOf<D> arm = reference_of(d, i) - reference_of(d, parent);
    const VectorOf<D> f = load3(d.at(load.force), i);
    store3(d.at(load.force), parent, load3(d.at(load.force), parent) + f);
    const auto from = d.at(load.virial).from(9 * i);
    const auto to = d.at(load.virial).from(9 * parent);
    to[0] += from[0] + f.x * arm.x;
    to[1] += from[1] + f.x * arm.y;
    to[2] += from[2] + f.x * arm.z;
    to[3] += from[3] + f.y * arm.x;
    to[4] += from[4] + f.y * arm.y;
    to[5] += from[5] + f.y * arm.z;
    to[6] += from[6] + f.z * arm.x;
    to[7] += from[7] + f.z * arm.y;
    to[8] += from[8] + f.z * arm.z;
  }
}

// Wrench of a sub-tree's load.
template <class D>
GRADUS_FUNCTION ForceOf<D> load_wrench(const D& d, const LoadLayout& load, int i) {
  const auto v = d.at(load.virial).from(9 * i);
  return {load3(d.at(load.force), i), {v[7] - v[5], v[2] - v[6], v[3] - v[1]}};
}

// g of an axis S = (T, W) acting on the sub-tree of body i: the generalised load of S changes by g
// . W_up when everything upstream turns by W_up. g = T x f + (V - tr V)^T W. Derived from
// docs/theory.md, section 5.
template <class D>
GRADUS_FUNCTION VectorOf<D> turning_of(const D& d, const LoadLayout& load, int i,
                                       const MotionOf<D>& s) {
  const Matrix3<RealOf<D>> v = load9(d.at(load.virial), i);
  const RealOf<D> trace = v.m[0] + v.m[4] + v.m[8];
  return cross(s.v, load3(d.at(load.force), i)) + transposed_times(v, s.w) - trace * s.w;
}

GRADUS_KERNELS_END
