// Reactions of loops, which multipliers and the features of their constraints alone make: their
// derivatives by coordinates, multipliers and parameters. docs/theory.md, section 12.
#pragma once

#include "kernels/passes/virtual_axis.hpp"

GRADUS_KERNELS_BEGIN

// What the virtual axis of a loop does to a feature: it moves one body.
template <class D>
GRADUS_FUNCTION VectorOf<D> loop_column(const D& d, const VirtualAxis<RealOf<D>>& v, int f) {
  return d.plan.features[f].body == v.body ? position_column(d, f, v.s) : zero3<RealOf<D>>();
}

// Change of one constraint's part in the reaction when its features and the point of the moment
// move by moved(f).
template <class D, class Moved>
GRADUS_ROUTINE RealOf<D> loop_reaction_change(const D& d, const ConstraintEntry& e,
                                              const VirtualAxis<RealOf<D>>& v, const Moved& moved) {
  const auto multiplier = both_multipliers(d, e);
  const auto along = features_moved(e, [&](int f) { return loop_column(d, v, f); });
  RealOf<D> sum = constraint_stiffness(e, multiplier, along, features_moved(e, moved));
  for (int j = 0; j < feature_count(e.kind); ++j) {
    const FeatureEntry& feature = d.plan.features[e.feature[j]];
    if (feature.body != v.body) continue;
    auto arm = moved(e.feature[j]);
    if (feature.is_point != 0) arm -= moved(v.point);
    sum += dot(constraint_load(d, e, j, multiplier), cross(v.s.axis.w, arm));
  }
  return -sum;
}

// Adds adjoint . (d reaction / d position) to `row` [n] and to the row of the multipliers.
template <class D, class Row>
GRADUS_ROUTINE void add_loop_reaction_rows(const D& d, const SensorEntry& sensor,
                                           const VirtualAxis<RealOf<D>>& v, const Row& row) {
  for (int k = sensor.index; k < sensor.factor; ++k) {
    const ConstraintEntry& e = d.plan.constraints[k];
    const auto along = features_moved(e, [&](int f) { return loop_column(d, v, f); });
    add_to_rows(d.at(d.layout.reaction_multiplier), e, -constraint_column(d, e, along));
    for (int t = e.touch_begin; t < e.touch_end; ++t) {
      const int c = d.plan.touches[t].coordinate;
      const auto s = axis_motion(d, d.layout.motion, c);
      row[c] += loop_reaction_change(d, e, v, [&](int f) {
        return moves_body(d, c, d.plan.features[f].body) ? position_column(d, f, s)
                                                         : zero3<RealOf<D>>();
      });
    }
  }
}

// The same by an entry of a parameter at fixed coordinates and multipliers; `s` is the locked axis,
// if it is one.
template <class D>
GRADUS_ROUTINE RealOf<D> loop_reaction_partial(const D& d, const SensorEntry& sensor,
                                               const VirtualAxis<RealOf<D>>& v,
                                               const PartialEntry& entry, const AxisOf<D>& s) {
  using Real = typename D::Real;
  Real sum(0);
  for (int k = sensor.index; k < sensor.factor; ++k)
    sum += loop_reaction_change(d, d.plan.constraints[k], v, [&](int f) {
      FeatureColumn<Real> column;
      const bool moves = feature_partial(d, d.layout.motion, entry, s, f, column);
      return moves ? column.q : zero3<Real>();
    });
  return sum;
}

GRADUS_KERNELS_END
