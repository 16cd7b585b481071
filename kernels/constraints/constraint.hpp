// Loop-closure equations between features: value, rates and columns. docs/theory.md, section 6. Cut
// joints are made of two elements: the difference of two features, and the alignment of a direction
// with the line between two points.
#pragma once

#include "kernels/passes/features.hpp"

GRADUS_KERNELS_BEGIN

// Three equations and their first and second time derivatives.
template <class Real>
struct ConstraintRows {
  Vector3<Real> value, rate, acceleration;
};

// Bilinear a x (b - c) of the three features and of their columns.
template <class D>
GRADUS_FUNCTION Vector3<typename D::Real> difference_of(const D& d, int array, int a, int b) {
  return load3(d.at(array), a) - load3(d.at(array), b);
}

template <class D>
GRADUS_FUNCTION Vector3<typename D::Real> constraint_value(const D& d, const ConstraintEntry& e) {
  const auto f = e.feature;
  if (e.kind == ConstraintKind::difference) return difference_of(d, d.layout.feature, f[0], f[1]);
  return cross(feature_position(d, f[0]), difference_of(d, d.layout.feature, f[1], f[2]));
}

template <class D>
GRADUS_FUNCTION Vector3<typename D::Real> constraint_rate(const D& d, const MotionLayout& m,
                                                          const ConstraintEntry& e) {
  const auto f = e.feature;
  if (e.kind == ConstraintKind::difference) return difference_of(d, m.feature_velocity, f[0], f[1]);
  return cross(load3(d.at(m.feature_velocity), f[0]),
               difference_of(d, d.layout.feature, f[1], f[2])) +
         cross(feature_position(d, f[0]), difference_of(d, m.feature_velocity, f[1], f[2]));
}

template <class D>
GRADUS_FUNCTION Vector3<typename D::Real> constraint_acceleration(const D& d, const MotionLayout& m,
                                                                  const ConstraintEntry& e) {
  using Real = typename D::Real;
  const auto f = e.feature;
  if (e.kind == ConstraintKind::difference)
    return difference_of(d, m.feature_acceleration, f[0], f[1]);
  return cross(load3(d.at(m.feature_acceleration), f[0]),
               difference_of(d, d.layout.feature, f[1], f[2])) +
         Real(2) * cross(load3(d.at(m.feature_velocity), f[0]),
                         difference_of(d, m.feature_velocity, f[1], f[2])) +
         cross(feature_position(d, f[0]), difference_of(d, m.feature_acceleration, f[1], f[2]));
}

// Columns of the features of an element, as two differences: `first` of feature 0 and `second` of
// the rest. For the difference of two features the constraint's column is first + second, for an
// alignment it is a product.
template <class Real>
struct ConstraintColumn {
  Vector3<Real> first, second;
};

// Adds the column v of feature number `index` of the element.
template <class Real>
GRADUS_FUNCTION void add_feature(ConstraintColumn<Real>& column, const ConstraintEntry& e,
                                 int index, const Vector3<Real>& v) {
  if (index == 0)
    column.first += v;
  else if (e.kind == ConstraintKind::alignment && index == 1)
    column.second += v;
  else
    column.second -= v;
}

// d Phi
template <class D>
GRADUS_FUNCTION Vector3<typename D::Real> constraint_column(
    const D& d, const ConstraintEntry& e, const ConstraintColumn<typename D::Real>& q) {
  const auto f = e.feature;
  if (e.kind == ConstraintKind::difference) return q.first + q.second;
  return cross(q.first, difference_of(d, d.layout.feature, f[1], f[2])) +
         cross(feature_position(d, f[0]), q.second);
}

// d (d Phi / dt)
template <class D>
GRADUS_FUNCTION Vector3<typename D::Real> constraint_rate_column(
    const D& d, const MotionLayout& m, const ConstraintEntry& e,
    const ConstraintColumn<typename D::Real>& q, const ConstraintColumn<typename D::Real>& q_rate) {
  const auto f = e.feature;
  if (e.kind == ConstraintKind::difference) return q_rate.first + q_rate.second;
  return cross(q_rate.first, difference_of(d, d.layout.feature, f[1], f[2])) +
         cross(q.first, difference_of(d, m.feature_velocity, f[1], f[2])) +
         cross(load3(d.at(m.feature_velocity), f[0]), q.second) +
         cross(feature_position(d, f[0]), q_rate.second);
}

// d (d2 Phi / dt2)
template <class D>
GRADUS_FUNCTION Vector3<typename D::Real> constraint_acceleration_column(
    const D& d, const MotionLayout& m, const ConstraintEntry& e,
    const ConstraintColumn<typename D::Real>& q, const ConstraintColumn<typename D::Real>& q_rate,
    const ConstraintColumn<typename D::Real>& q_acceleration) {
  using Real = typename D::Real;
  const auto f = e.feature;
  if (e.kind == ConstraintKind::difference) return q_acceleration.first + q_acceleration.second;
  return cross(q_acceleration.first, difference_of(d, d.layout.feature, f[1], f[2])) +
         Real(2) * cross(q_rate.first, difference_of(d, m.feature_velocity, f[1], f[2])) +
         cross(q.first, difference_of(d, m.feature_acceleration, f[1], f[2])) +
         cross(load3(d.at(m.feature_acceleration), f[0]), q.second) +
         Real(2) * cross(load3(d.at(m.feature_velocity), f[0]), q_rate.second) +
         cross(feature_position(d, f[0]), q_acceleration.second);
}

// Derivative of (d Phi)^T multiplier of column a by column b, the features' second derivatives left
// out (they are in the turning terms of the composite load). Zero unless the equations are
// bilinear.
template <class Real>
GRADUS_FUNCTION Real constraint_stiffness(const ConstraintEntry& e, const Vector3<Real>& multiplier,
                                          const ConstraintColumn<Real>& a,
                                          const ConstraintColumn<Real>& b) {
  if (e.kind == ConstraintKind::difference) return Real(0);
  return dot(multiplier, cross(a.first, b.second) + cross(b.first, a.second));
}

GRADUS_KERNELS_END
