// What springs, actions and constraints add to the loads of the bodies: forces with minus their
// sign, constraints with Phi_q^T multiplier.
#pragma once

#include "kernels/constraints/constraint.hpp"
#include "kernels/forces/action.hpp"
#include "kernels/forces/springs.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_FUNCTION void add_spring_loads(const D& d, const MotionLayout& m, const LoadLayout& load) {
  for (int s = 0; s < d.plan.spring_count; ++s) {
    const SpringEntry& spring = d.plan.springs[s];
    const auto state = spring_state(d, m, spring);
    const auto pull = state.tension * state.direction;
    add_load(d, load, spring.to, pull);
    add_load(d, load, spring.from, -pull);
  }
}

template <class D>
GRADUS_FUNCTION void add_torsional_loads(const D& d, const LoadLayout& load) {
  for (int k = 0; k < d.plan.torsional_count; ++k) {
    const TorsionalEntry& spring = d.plan.torsionals[k];
    const auto state = torsional_state(d, spring);
    d.at(load.direct)[spring.coordinate] += state.pull;
  }
}

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

GRADUS_KERNELS_END
