// Derivatives of algebraic unknowns. By what their laws read, R answers to position, rate,
// acceleration (multipliers among it by the motions that undo them), parameters and the unknowns
// themselves,
//   eta' = row . (z', zd', zdd') + partial + (1 - own) eta',
// and accelerations to the unknowns, zdd' = (zdd' at given unknowns) + response eta'.
// docs/theory.md, section 19.
#pragma once

#include "kernels/stages/algebraic.hpp"
#include "kernels/stages/column_space.hpp"
#include "kernels/stages/sensor_rows.hpp"

GRADUS_KERNELS_BEGIN

// Calls visit(sensor, adjoint) for what the law of unknown i reads, the adjoint being the slope of
// the law times `factor`.
template <class D, class Visit>
GRADUS_ROUTINE void for_each_slope_of_unknown(const D& d, int i, const RealOf<D>& factor,
                                              const Visit& visit) {
  const Layout& l = d.layout;
  const AlgebraicLayout& s = l.algebraic;
  const LawEntry& law = d.plan.laws[d.plan.algebraic_laws[i]];
  const auto run = law_gradient(d, l.motion, law, d.at(l.velocity));
  // Sensors run laws of their own.
  for (int k = 0; k < input_count(law); ++k) d.at(s.slope)[k] = factor * run.input[k];
  const auto unit = d.at(s.unit);
  for_each_sensor_read(d, i, [&](int k, const SensorEntry& sensor, int component) {
    for (int j = 0; j < 3; ++j) unit[j] = RealOf<D>(0);
    unit[component] = d.at(s.slope)[k];
    visit(sensor, unit);
  });
}

// Row [3 n] of unknown i, and how its law answers to the unknowns, to `adjoint`. Leaves the motions
// that undo what it asks of multipliers.
template <class D>
GRADUS_ROUTINE void algebraic_row(const D& d, int i) {
  const Layout& l = d.layout;
  const AlgebraicLayout& s = l.algebraic;
  const int at = s.row + i * 3 * d.plan.coordinate_count;
  set_zero(d.at(at), 3 * d.plan.coordinate_count);
  set_zero(d.at(s.adjoint), d.plan.algebraic_count);
  set_zero(d.at(l.reaction_multiplier), d.plan.constraint_rows);
  add_law_signal_rows(d, d.plan.algebraic_laws[i], RealOf<D>(1), d.at(at));
  for_each_slope_of_unknown(d, i, RealOf<D>(1),
                            [&](const SensorEntry& sensor, const auto& adjoint) {
                              add_sensor_rows(d, sensor, adjoint, d.at(at));
                            });
  if (has_multipliers(d)) add_multiplier_rows(d, at);
}

// Rows of all unknowns, and the factors that columns and adjoints need. After the tangents, with
// the factors of the evaluation at hand.
template <class D>
GRADUS_ROUTINE void prepare_algebraic(const D& d) {
  const Layout& l = d.layout;
  const AlgebraicLayout& s = l.algebraic;
  const int n = d.plan.coordinate_count;
  const int count = d.plan.algebraic_count;
  if (has_reactions(d)) acceleration_projection_forces(d);
  for (int i = 0; i < count; ++i) {
    algebraic_row(d, i);
    const auto by_acceleration = d.at(s.row + (i * 3 + 2) * n);
    for (int j = 0; j < count; ++j) {
      const RealOf<D> own = RealOf<D>(i == j ? 1.0 : 0.0) - d.at(s.adjoint)[j];
      RealOf<D> answer(0);
      for (int c = 0; c < n; ++c) answer += by_acceleration[c] * d.at(s.response)[j * n + c];
      d.at(s.own)[i * count + j] = own;
      d.at(s.bordered)[i * count + j] = own - answer;
    }
  }
  const double time = plain_time(d.at(l.time)[0]);
  const auto regular = factorise(d.at(s.own), d.at(s.own_pivot), count);
  const auto bordered_regular = factorise(d.at(s.bordered), d.at(s.bordered_pivot), count);
  d.fail(d.alive() && !(regular && bordered_regular), Status::algebraic_jammed, time);
}

// What parameters do to the laws at fixed coordinates and unknowns. After the partials of the
// evaluation.
template <class D>
GRADUS_ROUTINE void algebraic_partials(const D& d) {
  const AlgebraicLayout& s = d.layout.algebraic;
  if (d.settings.with_adjoint != 0) return;
  const int columns = d.plan.column_count;
  set_zero(d.at(s.partial), d.plan.algebraic_count * columns);
  for (int i = 0; i < d.plan.algebraic_count; ++i) {
    algebraic_row(d, i);
    const int out = s.partial + i * columns;
    for_each_entry(d, [&](int column, const PartialEntry& entry) {
      const auto axis = is_locked_axis(entry.kind) ? locked_axis(d, entry).actual : AxisOf<D>{};
      d.at(out)[column] += law_signal_partial(d, d.plan.algebraic_laws[i], entry, axis);
      for_each_slope_of_unknown(
          d, i, RealOf<D>(1), [&](const SensorEntry& sensor, const auto& adjoint) {
            d.at(out)[column] += sensor_partial(d, sensor, entry, axis, adjoint);
          });
    });
    if (has_multipliers(d)) add_multiplier_partials(d, 1.0, out);
  }
}

// Columns of accelerations, which were solved for at given unknowns.
template <class D>
GRADUS_ROUTINE void add_algebraic_columns(const D& d, const ColumnSpace& space) {
  const AlgebraicLayout& s = d.layout.algebraic;
  const int n = d.plan.coordinate_count;
  const int count = d.plan.algebraic_count;
  const int size = count * space.count;
  const auto side = d.at(s.columns);
  for (int k = 0; k < size; ++k)
    side[k] = space.units ? RealOf<D>(0) : RealOf<D>(d.at(s.partial)[k]);
  const ColumnSet sets[3] = {kPosition, kVelocity, kAcceleration};
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k)
      add_product(d.at(s.row + (i * 3 + k) * n), 1, n, d.at(columns_in(d, space, sets[k])),
                  space.count, 1.0, side.from(i * space.count));
  solve_factorised(d.at(s.bordered), d.at(s.bordered_pivot), count, side, space.count);
  const auto columns = d.at(columns_in(d, space, kAcceleration));
  for (int i = 0; i < count; ++i)
    for (int c = 0; c < n; ++c)
      for (int p = 0; p < space.count; ++p)
        columns[c * space.count + p] += d.at(s.response)[i * n + c] * side[i * space.count + p];
}

// Adds what the row of the unknowns, `adjoint`, is worth to `row` [3 n]; leaves the worth of each.
template <class D>
GRADUS_ROUTINE void add_algebraic_rows(const D& d, int row) {
  const AlgebraicLayout& s = d.layout.algebraic;
  const int n = d.plan.coordinate_count;
  const int count = d.plan.algebraic_count;
  const int targets[3] = {row, row + (has_step_unknowns(d) ? force_rate_row(d) : n), row + 2 * n};
  for (int i = 0; i < count; ++i) d.at(s.worth)[i] = d.at(s.adjoint)[i];
  solve_factorised_transposed(d.at(s.own), d.at(s.own_pivot), count, d.at(s.worth), 1);
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k)
      for (int c = 0; c < n; ++c)
        d.at(targets[k])[c] += d.at(s.worth)[i] * d.at(s.row)[(i * 3 + k) * n + c];
}

// The same by the parameters, to `gradient` [column], times `weight`.
template <class D, class Weight>
GRADUS_FUNCTION void add_algebraic_gradient(const D& d, const Weight& weight, int gradient) {
  const AlgebraicLayout& s = d.layout.algebraic;
  add_product(d.at(s.worth), 1, d.plan.algebraic_count, d.at(s.partial), d.plan.column_count,
              weight, d.at(gradient));
}

// What the unknowns of a step do under position and free rate, -B E_z and -B E_z', in K and C.
template <class D>
GRADUS_ROUTINE void add_step_unknown_tangents(const D& d) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  for (int i = 0; i < d.plan.algebraic_count; ++i) {
    const auto load = d.at(l.algebraic.load + i * n);
    const auto row = d.at(l.algebraic.row + i * 3 * n);
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c) {
        d.at(l.stiffness)[r * n + c] -= load[r] * row[c];
        d.at(l.damping)[r * n + c] -= load[r] * row[n + c];
      }
  }
}

// The same under the parameters, in the partials of the equations of motion.
template <class D>
GRADUS_FUNCTION void add_step_unknown_partials(const D& d) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  if (d.settings.with_adjoint != 0) return;
  for (int i = 0; i < d.plan.algebraic_count; ++i)
    for (int r = 0; r < n; ++r)
      for (int p = 0; p < d.plan.column_count; ++p)
        d.at(l.residual_partial[kDynamics])[r * d.plan.column_count + p] -=
            d.at(l.algebraic.load)[i * n + r] *
            d.at(l.algebraic.partial)[i * d.plan.column_count + p];
}

GRADUS_KERNELS_END
