// Constraints, their rates, and their derivatives by the joint coordinates. docs/theory.md,
// section 6.
#pragma once

#include "kernels/constraints/constraint.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_FUNCTION void constraint_values(const D& d) {
  for (int k = 0; k < d.plan.constraint_count; ++k)
    store_rows(d.at(d.layout.constraint), d.plan.constraints[k],
               constraint_value(d, d.plan.constraints[k]));
}

template <class D, class Rates>
GRADUS_FUNCTION void constraint_rates(const D& d, const MotionLayout& m, const Rates& rate) {
  for (int k = 0; k < d.plan.constraint_count; ++k)
    store_rows(d.at(d.layout.constraint_rate), d.plan.constraints[k],
               constraint_rate(d, m, d.plan.constraints[k], rate));
}

template <class D, class Rates, class Accelerations>
GRADUS_FUNCTION void constraint_accelerations(const D& d, const MotionLayout& m, const Rates& rate,
                                              const Accelerations& acceleration) {
  for (int k = 0; k < d.plan.constraint_count; ++k)
    store_rows(d.at(d.layout.constraint_acceleration), d.plan.constraints[k],
               constraint_acceleration(d, m, d.plan.constraints[k], rate, acceleration));
}

// Writes the rows of a constraint in column c of an [m, columns] matrix.
template <class D>
GRADUS_FUNCTION void store_column(const D& d, int matrix, const ConstraintEntry& e, int c,
                                  int columns, const VectorOf<D>& v) {
  const auto a = d.at(matrix + e.row * columns + c);
  a[0] = v.x;
  if (e.rows == 1) return;
  a[columns] = v.y;
  a[2 * columns] = v.z;
}

// A normalisation in the three Jacobians: twice the parameters, their rates, their accelerations.
template <class D, class Vector>
GRADUS_FUNCTION void store_normalisation(const D& d, int matrix, const ConstraintEntry& e,
                                         const Vector& p) {
  for (int c = e.feature[0]; c < e.feature[0] + 4; ++c)
    d.at(matrix)[e.row * d.plan.coordinate_count + c] = RealOf<D>(2) * p[c];
}

// A law in Phi_z, and its derivative by time.
template <class D>
GRADUS_ROUTINE void store_law(const D& d, const MotionLayout& m, const ConstraintEntry& e,
                              int matrix) {
  const LawEntry& law = d.plan.laws[e.feature[0]];
  const auto run = law_gradient(d, m, law, d.at(d.layout.velocity), true);
  RealOf<D> by_time(0);
  for (int i = 0; i < input_count(law); ++i)
    if (d.plan.law_inputs[law.input_begin + i].kind == LawInputKind::time) by_time += run.input[i];
  d.at(d.layout.constraint_time)[e.row] = by_time;
  const auto row = d.at(matrix + e.row * d.plan.coordinate_count);
  for_each_slope(d, m, law, run, [&](int c, const RealOf<D>& slope) { row[c] = slope; });
}

// A law in the first and second rate of Phi_z.
template <class D, class Rates, class Accelerations>
GRADUS_ROUTINE void store_law_rates(const D& d, const MotionLayout& m, const ConstraintEntry& e,
                                    const Rates& rate, const Accelerations& acceleration) {
  const LawEntry& law = d.plan.laws[e.feature[0]];
  const auto run = law_gradient_rates(d, m, law, rate, acceleration);
  for (int t = law.touch_begin; t < law.touch_end; ++t) {
    const int c = d.plan.touches[t].coordinate;
    const auto s = axis_motion(d, m, c);
    const auto column = law_column(
        d, law, run, [&](const LawInputEntry& in) { return input_column(d, m, in, c, s); });
    const int place = e.row * d.plan.coordinate_count + c;
    d.at(d.layout.jacobian_rate)[place] = column.rate;
    d.at(d.layout.jacobian_acceleration)[place] = column.acceleration;
  }
}

template <class D>
GRADUS_FUNCTION ConstraintColumn<RealOf<D>> zero_column() {
  return {zero3<RealOf<D>>(), zero3<RealOf<D>>()};
}

template <class D>
GRADUS_FUNCTION ConstraintColumns<RealOf<D>> zero_columns() {
  return {zero_column<D>(), zero_column<D>(), zero_column<D>()};
}

// Position columns of the features of an element that a coordinate moves.
template <class D>
GRADUS_FUNCTION ConstraintColumn<RealOf<D>> position_columns(const D& d, const ConstraintEntry& e,
                                                             int moves, const AxisOf<D>& s) {
  auto q = zero_column<D>();
  for (int k = 0; k < 3; ++k)
    if ((moves >> k & 1) != 0) add_feature(q, e, k, position_column(d, e.feature[k], s));
  return q;
}

// The rows of one constraint in Phi_z, those that are not zero.
template <class D>
GRADUS_ROUTINE void constraint_rows(const D& d, const MotionLayout& m, const ConstraintEntry& e,
                                    int matrix) {
  if (e.kind == ConstraintKind::normalisation)
    store_normalisation(d, matrix, e, d.at(d.layout.position));
  if (e.kind == ConstraintKind::law) store_law(d, m, e, matrix);
  for (int t = e.touch_begin; t < e.touch_end; ++t) {
    const TouchEntry& touch = d.plan.touches[t];
    const auto q = position_columns(d, e, touch.moves, axis_motion(d, m, touch.coordinate));
    store_column(d, matrix, e, touch.coordinate, d.plan.coordinate_count,
                 constraint_column(d, e, q));
  }
}

// Phi_z
template <class D>
GRADUS_ROUTINE void constraint_jacobian(const D& d, const MotionLayout& m) {
  set_zero(d.at(d.layout.jacobian), d.plan.constraint_rows * d.plan.coordinate_count);
  for (int k = 0; k < d.plan.constraint_count; ++k)
    constraint_rows(d, m, d.plan.constraints[k], d.layout.jacobian);
}

// The derivatives of dPhi/dt and d2Phi/dt2 by the coordinates, at the motion m. They are also the
// first and second time derivatives of Phi_z.
template <class D, class Rates, class Accelerations>
GRADUS_ROUTINE void constraint_jacobian_rates(const D& d, const MotionLayout& m, const Rates& rate,
                                              const Accelerations& acceleration) {
  const int size = d.plan.constraint_rows * d.plan.coordinate_count;
  set_zero(d.at(d.layout.jacobian_rate), size);
  set_zero(d.at(d.layout.jacobian_acceleration), size);
  for (int k = 0; k < d.plan.constraint_count; ++k) {
    const ConstraintEntry& e = d.plan.constraints[k];
    if (e.kind == ConstraintKind::normalisation) {
      store_normalisation(d, d.layout.jacobian_rate, e, rate);
      store_normalisation(d, d.layout.jacobian_acceleration, e, acceleration);
    }
    if (e.kind == ConstraintKind::law) store_law_rates(d, m, e, rate, acceleration);
    for (int t = e.touch_begin; t < e.touch_end; ++t) {
      const TouchEntry& touch = d.plan.touches[t];
      const auto s = axis_motion(d, m, touch.coordinate);
      auto columns = zero_columns<D>();
      for (int j = 0; j < 3; ++j)
        if ((touch.moves >> j & 1) != 0)
          add_feature(columns, e, j, moved_column(d, m, e.feature[j], s));
      const int n = d.plan.coordinate_count;
      store_column(d, d.layout.jacobian_rate, e, touch.coordinate, n,
                   constraint_rate_column(d, m, e, columns));
      store_column(d, d.layout.jacobian_acceleration, e, touch.coordinate, n,
                   constraint_acceleration_column(d, m, e, columns));
    }
  }
}

GRADUS_KERNELS_END
