// Constraints, their rates, and their derivatives by the joint coordinates. docs/theory.md,
// section 6.
#pragma once

#include "kernels/constraints/constraint.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_FUNCTION void constraint_values(const D& d) {
  for (int k = 0; k < d.plan.constraint_count; ++k)
    store3(d.at(d.layout.constraint + d.plan.constraints[k].row), 0,
           constraint_value(d, d.plan.constraints[k]));
}

template <class D>
GRADUS_FUNCTION void constraint_rates(const D& d, const MotionLayout& m) {
  for (int k = 0; k < d.plan.constraint_count; ++k)
    store3(d.at(d.layout.constraint_rate + d.plan.constraints[k].row), 0,
           constraint_rate(d, m, d.plan.constraints[k]));
}

template <class D>
GRADUS_FUNCTION void constraint_accelerations(const D& d, const MotionLayout& m) {
  for (int k = 0; k < d.plan.constraint_count; ++k)
    store3(d.at(d.layout.constraint_acceleration + d.plan.constraints[k].row), 0,
           constraint_acceleration(d, m, d.plan.constraints[k]));
}

template <class D>
GRADUS_FUNCTION void clear(const D& d, int offset, int count) {
  using Real = typename D::Real;
  const auto a = d.at(offset);
  for (int i = 0; i < count; ++i) a[i] = Real(0);
}

// Writes three rows of column c of an [m, n] matrix.
template <class D>
GRADUS_FUNCTION void store_rows(const D& d, int matrix, int row, int c,
                                const Vector3<typename D::Real>& v) {
  const int n = d.plan.coordinate_count;
  const auto a = d.at(matrix + row * n + c);
  a[0] = v.x;
  a[n] = v.y;
  a[2 * n] = v.z;
}

template <class D>
GRADUS_FUNCTION ConstraintColumn<typename D::Real> zero_column() {
  using Real = typename D::Real;
  return {zero3<Real>(), zero3<Real>()};
}

// Position columns of the features of an element that a coordinate moves.
template <class D>
GRADUS_FUNCTION ConstraintColumn<typename D::Real> position_columns(
    const D& d, const ConstraintEntry& e, int moves, const AxisMotion<typename D::Real>& s) {
  auto q = zero_column<D>();
  for (int k = 0; k < 3; ++k)
    if ((moves >> k & 1) != 0) add_feature(q, e, k, position_column(d, e.feature[k], s));
  return q;
}

// Phi_z
template <class D>
GRADUS_FUNCTION void constraint_jacobian(const D& d, const MotionLayout& m) {
  clear(d, d.layout.jacobian, d.plan.constraint_rows * d.plan.coordinate_count);
  for (int k = 0; k < d.plan.constraint_count; ++k) {
    const ConstraintEntry& e = d.plan.constraints[k];
    for (int t = e.touch_begin; t < e.touch_end; ++t) {
      const TouchEntry& touch = d.plan.touches[t];
      const auto q = position_columns(d, e, touch.moves, axis_motion(d, m, touch.coordinate));
      store_rows(d, d.layout.jacobian, e.row, touch.coordinate, constraint_column(d, e, q));
    }
  }
}

// The derivatives of dPhi/dt and d2Phi/dt2 by the coordinates, at the motion m. They are also the
// first and second time derivatives of Phi_z.
template <class D>
GRADUS_FUNCTION void constraint_jacobian_rates(const D& d, const MotionLayout& m) {
  const int size = d.plan.constraint_rows * d.plan.coordinate_count;
  clear(d, d.layout.jacobian_rate, size);
  clear(d, d.layout.jacobian_acceleration, size);
  for (int k = 0; k < d.plan.constraint_count; ++k) {
    const ConstraintEntry& e = d.plan.constraints[k];
    for (int t = e.touch_begin; t < e.touch_end; ++t) {
      const TouchEntry& touch = d.plan.touches[t];
      const auto s = axis_motion(d, m, touch.coordinate);
      auto q = zero_column<D>();
      auto q_rate = zero_column<D>();
      auto q_acceleration = zero_column<D>();
      for (int j = 0; j < 3; ++j) {
        if ((touch.moves >> j & 1) == 0) continue;
        add_feature(q, e, j, position_column(d, e.feature[j], s));
        add_feature(q_rate, e, j, velocity_column(d, m, e.feature[j], s));
        add_feature(q_acceleration, e, j, acceleration_column(d, m, e.feature[j], s));
      }
      store_rows(d, d.layout.jacobian_rate, e.row, touch.coordinate,
                 constraint_rate_column(d, m, e, q, q_rate));
      store_rows(d, d.layout.jacobian_acceleration, e.row, touch.coordinate,
                 constraint_acceleration_column(d, m, e, q, q_rate, q_acceleration));
    }
  }
}

GRADUS_KERNELS_END
