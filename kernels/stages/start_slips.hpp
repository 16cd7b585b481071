// Nonholonomic constraints at the start: rates of held rows that the model leaves to them are such
// that no law of rates has a value. With u these rates, V what they make of all rates, and psi(z,
// z') the laws, linear in z',
//   (psi_z' V) u = -psi(z, z' at u = 0)
// docs/theory.md, section 24.
#pragma once

#include "kernels/passes/element_adjoint.hpp"
#include "kernels/passes/law_signals.hpp"
#include "kernels/passes/parameter_columns.hpp"
#include "kernels/passes/rates.hpp"
#include "kernels/stages/constrained_solve.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_INLINE bool has_slips(const D& d) {
  return d.plan.rate_law_count > 0;
}

// Rates of unit size of the released rows, with the factors of the start velocities.
template <class D>
GRADUS_ROUTINE void start_slip_responses(const D& d) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  for (int k = 0; k < d.plan.released_count; ++k) {
    for (int i = 0; i < d.plan.independent_count; ++i)
      d.at(l.top)[i] = RealOf<D>(i == d.plan.released[k] ? 1.0 : 0.0);
    set_zero(d.at(l.bottom), d.plan.constraint_rank);
    constrained_solve(d, held_leading(l), motion_arrays(d, l.start_slip.response + k * n), 1);
  }
}

// Rows of the laws by position and rate, at the motion at hand.
template <class D>
GRADUS_ROUTINE void start_slip_rows(const D& d) {
  const int n = d.plan.coordinate_count;
  for (int i = 0; i < d.plan.rate_law_count; ++i) {
    const int row = d.layout.start_slip.row + i * 2 * n;
    set_zero(d.at(row), 2 * n);
    add_law_signal_rows(d, d.plan.rate_laws[i], RealOf<D>(1), d.at(row));
  }
}

// Rates that are huge beside those that they balance are none that a constraint determines.
constexpr double kWeak = 1e-8;

// Whether a law hardly depends on the released rates, beside what it depends on.
template <class D>
GRADUS_ROUTINE typename D::Mask has_weak_row(const D& d) {
  using Value = typename D::Value;
  const StartSlipLayout& s = d.layout.start_slip;
  const int n = d.plan.coordinate_count;
  const int count = d.plan.released_count;
  typename D::Mask weak(false);
  for (int i = 0; i < count; ++i) {
    const Value own = largest_value(d, s.matrix + i * count, count);
    const Value all = largest_value(d, s.row + (i * 2 + 1) * n, n);
    weak = weak || !(own > Value(kWeak) * all);
  }
  return weak;
}

// After the factorisation: whether a pivot is that small beside the others.
template <class D>
GRADUS_ROUTINE typename D::Mask has_weak_pivot(const D& d) {
  using Value = typename D::Value;
  const StartSlipLayout& s = d.layout.start_slip;
  const int count = d.plan.released_count;
  Value largest(0.0);
  typename D::Mask weak(false);
  for (int k = 0; k < count; ++k) {
    const Value pivot = absolute(value_of(d.at(s.matrix)[k * count + k]));
    largest = select(pivot > largest, pivot, largest);
  }
  for (int k = 0; k < count; ++k)
    weak = weak || !(absolute(value_of(d.at(s.matrix)[k * count + k])) > Value(kWeak) * largest);
  return weak;
}

// After the velocities with all held rows as stated. Leaves rows and factors.
template <class D>
GRADUS_ROUTINE void release_start_rates(const D& d) {
  const Layout& l = d.layout;
  const StartSlipLayout& s = l.start_slip;
  const int n = d.plan.coordinate_count;
  const int count = d.plan.released_count;
  start_slip_rows(d);
  if (count == 0) return;
  start_slip_responses(d);
  for (int i = 0; i < count; ++i) {
    d.at(s.step)[i] = law_signal(d, d.plan.rate_laws[i]);
    for (int k = 0; k < count; ++k) {
      RealOf<D> sum(0);
      for (int c = 0; c < n; ++c)
        sum += d.at(s.row)[(i * 2 + 1) * n + c] * d.at(s.response)[k * n + c];
      d.at(s.matrix)[i * count + k] = sum;
    }
  }
  const auto weak = has_weak_row(d);
  d.fail(!factorise(d.at(s.matrix), d.at(s.pivot), count) || weak || has_weak_pivot(d),
         Status::rates_singular, 0.0);
  solve_factorised(d.at(s.matrix), d.at(s.pivot), count, d.at(s.step), 1);
  for (int k = 0; k < count; ++k)
    for (int c = 0; c < n; ++c)
      d.at(l.velocity)[c] -= d.at(s.step)[k] * d.at(s.response)[k * n + c];
  velocities(d, l.motion, d.at(l.velocity));
  start_slip_rows(d);
}

// What an entry of a parameter does to the laws at fixed positions and rates.
template <class D>
GRADUS_ROUTINE void add_start_slip_partials(const D& d, int column, const PartialEntry& entry) {
  if (d.plan.released_count == 0) return;
  const auto axis = is_locked_axis(entry.kind) ? locked_axis(d, entry).actual : AxisOf<D>{};
  for (int i = 0; i < d.plan.released_count; ++i)
    d.at(d.layout.start_slip.partial)[i * d.plan.column_count + column] +=
        law_signal_partial(d, d.plan.rate_laws[i], entry, axis);
}

// Columns of the velocities, the released rates being as stated, become those of the start.
template <class D>
GRADUS_ROUTINE void add_start_slip_columns(const D& d) {
  const Layout& l = d.layout;
  const StartSlipLayout& s = l.start_slip;
  const int n = d.plan.coordinate_count;
  const int count = d.plan.released_count;
  const int columns = d.plan.column_count;
  if (count == 0) return;
  const auto side = d.at(s.columns);
  for (int k = 0; k < count * columns; ++k) side[k] = d.at(s.partial)[k];
  const ColumnSet sets[2] = {kPosition, kVelocity};
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 2; ++k)
      add_product(d.at(s.row + (i * 2 + k) * n), 1, n, d.at(l.columns[sets[k]]), columns, 1.0,
                  side.from(i * columns));
  solve_factorised(d.at(s.matrix), d.at(s.pivot), count, side, columns);
  const auto velocity = d.at(l.columns[kVelocity]);
  for (int i = 0; i < count; ++i)
    for (int c = 0; c < n; ++c)
      for (int p = 0; p < columns; ++p)
        velocity[c * columns + p] -= d.at(s.response)[i * n + c] * side[i * columns + p];
}

// The same backwards: rows of the velocities become those with the released rates as stated.
template <class D>
GRADUS_ROUTINE void start_slip_adjoint(const D& d) {
  const Layout& l = d.layout;
  const StartSlipLayout& s = l.start_slip;
  const int n = d.plan.coordinate_count;
  const int count = d.plan.released_count;
  const int objectives = d.plan.objective_count;
  if (count == 0) return;
  const auto worth = d.at(s.columns);  // [rate law, objective]
  set_zero(worth, count * objectives);
  for (int i = 0; i < count; ++i)
    add_product(d.at(s.response + i * n), 1, n, d.at(l.columns[kVelocity]), objectives, -1.0,
                worth.from(i * objectives));
  solve_factorised_transposed(d.at(s.matrix), d.at(s.pivot), count, worth, objectives);
  const ColumnSet sets[2] = {kPosition, kVelocity};
  for (int i = 0; i < count; ++i)
    for (int o = 0; o < objectives; ++o) {
      const RealOf<D> share = worth[i * objectives + o];
      for (int k = 0; k < 2; ++k)
        for (int c = 0; c < n; ++c)
          d.at(l.columns[sets[k]])[c * objectives + o] += share * d.at(s.row)[(i * 2 + k) * n + c];
      if (d.plan.loads_elements != 0)
        add_law_signal_features(d, touch_features(d, o), d.plan.rate_laws[i], share);
    }
}

GRADUS_KERNELS_END
