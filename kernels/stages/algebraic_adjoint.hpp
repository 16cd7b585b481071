// Algebraic unknowns on the way back: algebraic_rows.hpp transposed. docs/theory.md, section 19.
#pragma once

#include "kernels/stages/algebraic_rows.hpp"
#include "kernels/stages/sensor_elements.hpp"

GRADUS_KERNELS_BEGIN

// What the unknowns are worth to the elements of objective o, unknown i being worth worth_of(i).
// After their rows.
template <class D, class Worth>
GRADUS_ROUTINE void add_elements_of_unknowns(const D& d, int o, const Worth& worth_of) {
  const int gradient = d.layout.element.gradient + o * d.plan.element_size;
  const FeatureLayout features = touch_features(d, o);
  if (asks_motions(d)) {
    undo_together(d, worth_of);
    add_multiplier_elements(d, o, RealOf<D>(1));
  }
  for (int i = 0; i < d.plan.algebraic_count; ++i) {
    const RealOf<D> worth = worth_of(i);
    add_law_signal_features(d, features, d.plan.algebraic_laws[i], worth);
    for_each_reading(
        d, i,
        [&](const SensorEntry& sensor, const auto& adjoint) {
          if (!add_sensor_features(d, features, sensor, worth, adjoint))
            add_sensor_elements(d, sensor, worth, adjoint, gradient);
        },
        [&](const SensorEntry& sensor, const auto& axis) {
          add_touched_elements(d, worth, gradient,
                               [&](const PartialEntry& entry, const AxisOf<D>&) {
                                 return reaction_partial(d, sensor, entry, axis);
                               });
        });
  }
}

// What the unknowns of an objective are worth to its elements, as add_algebraic_rows() left it.
template <class D>
GRADUS_ROUTINE void add_algebraic_elements(const D& d, int o, const RealOf<D>& weight) {
  const auto worth = d.at(d.layout.algebraic.worth);
  if (!has_step_unknowns(d))
    return add_elements_of_unknowns(d, o, [&](int i) { return weight * worth[i]; });
  const int objectives = d.plan.objective_count;
  for (int i = 0; i < d.plan.algebraic_count; ++i)
    d.at(d.layout.algebraic.step_worth)[i * objectives + o] += weight * worth[i];
}

// add_algebraic_columns() backwards: rows of accelerations become those at given unknowns, and the
// unknowns' share goes to position, rate, acceleration and elements.
template <class D>
GRADUS_ROUTINE void algebraic_columns_adjoint(const D& d) {
  const Layout& l = d.layout;
  const AlgebraicLayout& s = l.algebraic;
  const int n = d.plan.coordinate_count;
  const int count = d.plan.algebraic_count;
  const int objectives = d.plan.objective_count;
  const auto worth = d.at(s.columns);  // [unknown, objective]
  set_zero(worth, count * objectives);
  for (int i = 0; i < count; ++i)
    add_product(d.at(s.response + i * n), 1, n, d.at(l.columns[kAcceleration]), objectives, 1.0,
                worth.from(i * objectives));
  solve_factorised_transposed(d.at(s.bordered), d.at(s.bordered_pivot), count, worth, objectives);
  const ColumnSet sets[3] = {kPosition, kVelocity, kAcceleration};
  for (int i = 0; i < count; ++i)
    for (int o = 0; o < objectives; ++o) {
      const RealOf<D> share = worth[i * objectives + o];
      for (int k = 0; k < 3; ++k)
        for (int c = 0; c < n; ++c)
          d.at(l.columns[sets[k]])[c * objectives + o] += share * d.at(s.row)[(i * 3 + k) * n + c];
    }
  for (int o = 0; o < objectives; ++o)
    add_elements_of_unknowns(d, o, [&](int i) { return RealOf<D>(worth[i * objectives + o]); });
}

GRADUS_KERNELS_END
