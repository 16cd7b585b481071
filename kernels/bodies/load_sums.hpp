// Applied and constraint forces gathered on the bodies, with the sign of inertia. Kept per body as
// a force and the sum of force times arm (its virial), which carries the moment and also answers
// how the generalised load changes when everything upstream turns.
#pragma once

#include "kernels/bodies/features.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_FUNCTION void clear_loads(const D& d, const LoadLayout& load) {
  set_zero(d.at(load.force), 3 * d.plan.body_count);
  set_zero(d.at(load.virial), 9 * d.plan.body_count);
  set_zero(d.at(load.direct), d.plan.coordinate_count);
}

// Force f on feature k: at a point, or as the covector of a direction, which turns the body only.
template <class D>
GRADUS_ROUTINE void add_load(const D& d, const LoadLayout& load, int k, const VectorOf<D>& f) {
  const FeatureEntry& feature = d.plan.features[k];
  if (feature.body < 0) return;
  VectorOf<D> arm = feature_position(d, k);
  if (feature.is_point != 0) {
    arm -= reference_of(d, feature.body);
    add3(d.at(load.force), feature.body, f);
  }
  add9(d.at(load.virial), feature.body, outer(f, arm));
}

// A moment on body i, -1: the ground. It turns with the body by half, as moments of forces do.
template <class D>
GRADUS_FUNCTION void add_moment(const D& d, const LoadLayout& load, int i,
                                const VectorOf<D>& moment) {
  if (i < 0) return;
  const RealOf<D> half(0.5);
  const auto virial = d.at(load.virial).from(9 * i);
  virial[1] -= half * moment.z;
  virial[2] += half * moment.y;
  virial[3] += half * moment.z;
  virial[5] -= half * moment.x;
  virial[6] -= half * moment.y;
  virial[7] += half * moment.x;
}

// From bodies to sub-trees.
template <class D>
GRADUS_ROUTINE void accumulate_loads(const D& d, const LoadLayout& load) {
  for_each_child(d, [&](int i, int parent, const VectorOf<D>& arm) {
    const VectorOf<D> f = load3(d.at(load.force), i);
    add3(d.at(load.force), parent, f);
    Matrix3<RealOf<D>> virial = load9(d.at(load.virial), i);
    virial += outer(f, arm);
    add9(d.at(load.virial), parent, virial);
  });
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
