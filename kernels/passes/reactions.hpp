// Reactions of joints and loops: the forces that they put on their child. Those of joints in the
// tree are what their sub-trees need beyond the applied forces and those of constraints, at the
// free motion, in which weight is part of inertia; those of loops follow from multipliers. To both
// comes what the projection of accelerations did: without it, reactions err by the order of the
// step.
#pragma once

#include "kernels/passes/composites.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_FUNCTION bool has_reactions(const D& d) {
  return shows_reactions(d.plan);
}

// Whether algebraic unknowns are those of a step of ali3p, which follow from position and free
// rate, and not those of the accelerations at hand: see stages/step_unknowns.hpp.
template <class D>
GRADUS_FUNCTION bool has_step_unknowns(const D& d) {
  return d.plan.algebraic_count > 0 &&
         d.settings.multiplier_source == static_cast<int>(MultiplierSource::projected) &&
         common(d.at(d.layout.algebraic.of_step)[0]) != 0.0;
}

// What the multipliers at hand belong to. Unknowns of accelerations are found by the index-1
// equations, in ali3p too.
template <class D>
GRADUS_FUNCTION MultiplierSource multiplier_source(const D& d) {
  const auto source = static_cast<MultiplierSource>(d.settings.multiplier_source);
  const bool is_between =
      source == MultiplierSource::projected && d.plan.algebraic_count > 0 && !has_step_unknowns(d);
  return is_between ? MultiplierSource::accelerations : source;
}

// Whether forces are those of a free motion, which is projected afterwards.
template <class D>
GRADUS_FUNCTION bool is_projected(const D& d) {
  return multiplier_source(d) == MultiplierSource::projected;
}

// Forces of what a projection changed, M x + Phi_z^T multiplier.
template <class D>
GRADUS_FUNCTION void projection_forces(const D& d, int change, int multiplier, int motions,
                                       int axes, const LoadLayout& load) {
  carry(d, motions, axes, d.at(change));
  carried_forces(d, motions, load.wrench);
  clear_loads(d, load);
  add_constraint_loads(d, load, d.at(multiplier));
  accumulate_loads(d, load);
}
template <class D>
GRADUS_FUNCTION void acceleration_projection_forces(const D& d) {
  const Layout& l = d.layout;
  projection_forces(d, l.acceleration_change, l.acceleration_multiplier, l.acceleration_change_rate,
                    l.acceleration_change_axis, l.acceleration_load);
}

// On body i about its reference point. After `acceleration_projection_forces`.
template <class D>
GRADUS_FUNCTION ForceOf<D> joint_reaction(const D& d, int i) {
  const Layout& l = d.layout;
  return load_force(d.at(l.load.wrench), i) + load_wrench(d, l.load, i) +
         load_force(d.at(l.acceleration_load.wrench), i) + load_wrench(d, l.acceleration_load, i);
}

// Both multipliers of a constraint, whose forces add up in reactions.
template <class D>
GRADUS_FUNCTION VectorOf<D> both_multipliers(const D& d, const ConstraintEntry& e) {
  return load_rows(d.at(d.layout.multiplier), e) +
         load_rows(d.at(d.layout.acceleration_multiplier), e);
}

// On the body that `point` is fixed in, about this point, of constraints begin, ..., end - 1 with
// multipliers multiplier_of(constraint).
template <class D, class Multipliers>
GRADUS_ROUTINE ForceOf<D> loop_reaction(const D& d, int begin, int end, int point,
                                        const Multipliers& multiplier_of) {
  auto sum = zero_force<RealOf<D>>();
  for (int k = begin; k < end; ++k) {
    const ConstraintEntry& e = d.plan.constraints[k];
    const VectorOf<D> multiplier = multiplier_of(e);
    for (int j = 0; j < feature_count(e.kind); ++j) {
      const FeatureEntry& feature = d.plan.features[e.feature[j]];
      if (feature.body != d.plan.features[point].body) continue;
      const VectorOf<D> f = -constraint_load(d, e, j, multiplier);
      const VectorOf<D> q = feature_position(d, e.feature[j]);
      if (feature.is_point != 0)
        sum += ForceOf<D>{f, cross(q - feature_position(d, point), f)};
      else
        sum.n += cross(q, f);
    }
  }
  return sum;
}

// Of a joint, what its sensor shows of a wrench about the reference point.
template <class D>
GRADUS_FUNCTION ForceOf<D> shown_reaction(const D& d, const SensorEntry& sensor,
                                          const ForceOf<D>& wrench) {
  const auto arm = reference_of(d, sensor.index) - feature_position(d, sensor.second);
  const RealOf<D> sign(static_cast<double>(sensor.factor));
  return sign * shift(wrench, arm);
}

// The wrench that a reaction sensor shows.
template <class D>
GRADUS_FUNCTION ForceOf<D> reaction(const D& d, const SensorEntry& sensor) {
  if (is_loop_reaction(sensor.kind))
    return loop_reaction(d, sensor.index, sensor.factor, sensor.second,
                         [&](const ConstraintEntry& e) { return both_multipliers(d, e); });
  return shown_reaction(d, sensor, joint_reaction(d, sensor.index));
}

GRADUS_KERNELS_END
