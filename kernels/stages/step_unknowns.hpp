// Algebraic unknowns in a step of ALI3-P. Accelerations and multipliers of the position stage err
// by the order of the step; the projections take that out of the motion, but a force that reads
// them would carry it on. So its law reads what the index-1 equations make of the position and the
// free rate at the end of the step: the unknowns are functions
//   eta = E(z, z'_free, parameters)
// of these, and the position stage treats them as it treats all forces. docs/theory.md, section 19.
#pragma once

#include "kernels/stages/acceleration.hpp"
#include "kernels/stages/transposed_solve.hpp"

GRADUS_KERNELS_BEGIN

// The unknowns at the position and the free rate at hand. Leaves the index-1 equations there, in
// the place of accelerations, multipliers and the results of the projections.
template <class D>
GRADUS_ROUTINE void find_step_unknowns(const D& d, double time) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  d.at(l.algebraic.of_step)[0] = RealOf<D>(0);
  copy_array(d, l.free_velocity, l.velocity, n);
  for (const int change : {l.velocity_change, l.acceleration_change}) set_zero(d.at(change), n);
  for (const int rows : {l.velocity_multiplier, l.acceleration_multiplier})
    set_zero(d.at(rows), d.plan.constraint_rows);
  accelerate(d, time, false, false);
}

// Rows over position and rate get what the row of the accelerations is worth to these by the
// index-1 equations, y and x being its solution with the transposed leading matrix:
//   row_z -= y K + x Phi''_z    row_z' -= y C + 2 x Phi'_z
template <class D>
GRADUS_ROUTINE void replace_accelerations(const D& d) {
  const Layout& l = d.layout;
  const AlgebraicLayout& s = l.algebraic;
  const int n = d.plan.coordinate_count;
  const int count = d.plan.algebraic_count;
  const RowOrder order = row_order(d, mass_leading(l));
  const auto row = [&](int i, int k) { return d.at(s.row + (i * 3 + k) * n); };
  for (int i = 0; i < count; ++i)
    for (int c = 0; c < n; ++c) d.at(s.by_acceleration)[c * count + i] = row(i, 2)[c];
  transposed_solve(d, mass_leading(l), s.by_acceleration, count);
  const auto subtract = [&](const auto& matrix_row, const RealOf<D>& factor, const auto& to) {
    for (int c = 0; c < n; ++c) to[c] -= factor * matrix_row[c];
  };
  for (int i = 0; i < count; ++i) {
    for (int r = 0; r < n; ++r) {
      const RealOf<D> y = d.at(l.column_top)[r * count + i];
      subtract(d.at(l.stiffness + r * n), y, row(i, 0));
      subtract(d.at(l.damping + r * n), y, row(i, 1));
    }
    for (int r = 0; r < order.count; ++r) {
      const RealOf<D> x = d.at(l.column_bottom)[r * count + i];
      subtract(gathered_row(d, order, r, l.jacobian_acceleration), x, row(i, 0));
      subtract(gathered_row(d, order, r, l.jacobian_rate), RealOf<D>(2) * x, row(i, 1));
    }
    set_zero(row(i, 2), n);
  }
}

// The same for the partials: partial -= y D_P + x Phi''_P. After replace_accelerations().
template <class D>
GRADUS_ROUTINE void replace_acceleration_partials(const D& d) {
  const Layout& l = d.layout;
  const int count = d.plan.algebraic_count;
  const int columns = d.plan.column_count;
  const RowOrder order = row_order(d, mass_leading(l));
  const int bottom = l.column_scratch;
  set_zero(d.at(bottom), order.count * columns);
  add_rows(d, order, l.constraint_partial[kConstraintAcceleration], columns, 1.0, bottom);
  const auto partial = d.at(l.algebraic.partial);
  add_transposed_product(d.at(l.column_top), count, d.plan.coordinate_count,
                         d.at(l.residual_partial[kDynamics]), columns, -1.0, partial);
  add_transposed_product(d.at(l.column_bottom), count, order.count, d.at(bottom), columns, -1.0,
                         partial);
}

// Derivatives of E by position and free rate, [unknown, 3 n] with zeros at the end, and by the
// parameters, in the place of those of the laws. After find_step_unknowns(); from here on the
// unknowns are those of the step.
template <class D>
GRADUS_ROUTINE void differentiate_step_unknowns(const D& d) {
  const Layout& l = d.layout;
  const AlgebraicLayout& s = l.algebraic;
  const int n = d.plan.coordinate_count;
  const int count = d.plan.algebraic_count;
  linearise_acceleration(d);
  const bool with_partials = d.settings.with_columns != 0;
  if (with_partials) parameter_partials(d);
  prepare_algebraic(d, with_partials && d.settings.with_adjoint == 0);
  replace_accelerations(d);
  solve_factorised(d.at(s.bordered), d.at(s.bordered_pivot), count, d.at(s.row), 3 * n);
  if (with_partials) {
    replace_acceleration_partials(d);
    solve_factorised(d.at(s.bordered), d.at(s.bordered_pivot), count, d.at(s.partial),
                     d.plan.column_count);
  }
  for (int i = 0; i < count * count; ++i)
    d.at(s.own)[i] = RealOf<D>(i % (count + 1) == 0 ? 1.0 : 0.0);
  factorise(d.at(s.own), d.at(s.own_pivot), count);
  d.at(s.of_step)[0] = RealOf<D>(1);
}

GRADUS_KERNELS_END
