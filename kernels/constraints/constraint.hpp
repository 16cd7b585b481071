// Constraint equations between features: value, rates and columns. docs/theory.md, section 6. Cut
// joints are made of four elements: the difference of two features, the alignment of a direction
// with the line between two points, and the perpendicularity of two directions, or of a direction
// and a line. Euler parameters have their normalisation, and
// users their laws.
#pragma once

#include "kernels/laws/law.hpp"
#include "kernels/math/euler_parameters.hpp"

GRADUS_KERNELS_BEGIN

// The multipliers of a constraint; those it does not have are zero.
template <class Array>
GRADUS_INLINE auto load_rows(const Array& a, const ConstraintEntry& e) {
  using Real = std::decay_t<decltype(a[0])>;
  if (e.rows == 3) return load3(a.from(e.row), 0);
  return Vector3<Real>{a[e.row], Real(0), Real(0)};
}

template <class Array, class Real>
GRADUS_INLINE void store_rows(const Array& a, const ConstraintEntry& e, const Vector3<Real>& v) {
  if (e.rows == 3)
    store3(a.from(e.row), 0, v);
  else
    a[e.row] = v.x;
}

// Adds to the rows of a constraint in column c of an array [m, columns].
template <class Array, class Real>
GRADUS_FUNCTION void add_to_rows(const Array& a, const ConstraintEntry& e, const Vector3<Real>& v,
                                 int columns = 1, int c = 0) {
  const auto to = a.from(e.row * columns + c);
  to[0] += v.x;
  if (e.rows == 1) return;
  to[columns] += v.y;
  to[2 * columns] += v.z;
}
template <class D>
GRADUS_FUNCTION VectorOf<D> difference_of(const D& d, int array, int a, int b) {
  return load3(d.at(array), a) - load3(d.at(array), b);
}

// The second factor of a bilinear constraint, or its rates: b, or b - c.
template <class D>
GRADUS_FUNCTION VectorOf<D> second_factor(const D& d, int array, const ConstraintEntry& e) {
  if (e.kind == ConstraintKind::perpendicular) return load3(d.at(array), e.feature[1]);
  return difference_of(d, array, e.feature[1], e.feature[2]);
}

// The product of a bilinear constraint.
template <class Real>
GRADUS_INLINE Vector3<Real> product(const ConstraintEntry& e, const Vector3<Real>& a,
                                    const Vector3<Real>& b) {
  if (e.kind == ConstraintKind::alignment) return cross(a, b);
  return {dot(a, b), Real(0), Real(0)};
}

template <class D>
GRADUS_ROUTINE VectorOf<D> constraint_value(const D& d, const ConstraintEntry& e) {
  using Real = typename D::Real;
  if (e.kind == ConstraintKind::difference)
    return difference_of(d, d.layout.feature, e.feature[0], e.feature[1]);
  if (e.kind == ConstraintKind::normalisation) {
    const auto p = load_euler(d.at(d.layout.position + e.feature[0]));
    return {dot(p, p) - Real(1), Real(0), Real(0)};
  }
  if (e.kind == ConstraintKind::law) {
    const auto rate = d.at(d.layout.velocity);  // which laws of positions do not read
    return {law_value(d, d.layout.motion, d.plan.laws[e.feature[0]], rate), Real(0), Real(0)};
  }
  return product(e, feature_position(d, e.feature[0]), second_factor(d, d.layout.feature, e));
}

// `rate` are the rates of the coordinates in the motion m.
template <class D, class Rates>
GRADUS_ROUTINE VectorOf<D> constraint_rate(const D& d, const MotionLayout& m,
                                           const ConstraintEntry& e, const Rates& rate) {
  using Real = typename D::Real;
  if (e.kind == ConstraintKind::difference)
    return difference_of(d, m.feature_velocity, e.feature[0], e.feature[1]);
  if (e.kind == ConstraintKind::normalisation) {
    const auto p = load_euler(d.at(d.layout.position + e.feature[0]));
    return {Real(2) * dot(p, load_euler(rate.from(e.feature[0]))), Real(0), Real(0)};
  }
  if (e.kind == ConstraintKind::law)
    return {law_rate(d, m, d.plan.laws[e.feature[0]], rate), Real(0), Real(0)};
  return product(e, load3(d.at(m.feature_velocity), e.feature[0]),
                 second_factor(d, d.layout.feature, e)) +
         product(e, feature_position(d, e.feature[0]), second_factor(d, m.feature_velocity, e));
}

template <class D, class Rates, class Accelerations>
GRADUS_ROUTINE VectorOf<D> constraint_acceleration(const D& d, const MotionLayout& m,
                                                   const ConstraintEntry& e, const Rates& rate,
                                                   const Accelerations& acceleration) {
  using Real = typename D::Real;
  const int f = e.feature[0];
  if (e.kind == ConstraintKind::difference)
    return difference_of(d, m.feature_acceleration, f, e.feature[1]);
  if (e.kind == ConstraintKind::normalisation) {
    const auto p = load_euler(d.at(d.layout.position + f));
    const auto p_rate = load_euler(rate.from(f));
    return {Real(2) * (dot(p_rate, p_rate) + dot(p, load_euler(acceleration.from(f)))), Real(0),
            Real(0)};
  }
  if (e.kind == ConstraintKind::law)
    return {law_acceleration(d, m, d.plan.laws[f], rate, acceleration), Real(0), Real(0)};
  return product(e, load3(d.at(m.feature_acceleration), f), second_factor(d, d.layout.feature, e)) +
         Real(2) * product(e, load3(d.at(m.feature_velocity), f),
                           second_factor(d, m.feature_velocity, e)) +
         product(e, feature_position(d, f), second_factor(d, m.feature_acceleration, e));
}

// Columns of the features of an element: `first` of feature 0 and `second` of the rest, with the
// sign that the rest has. For the difference of two features the constraint's column is first +
// second, for bilinear ones it is a product.
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
  else if (e.kind != ConstraintKind::difference && index == 1)
    column.second += v;
  else
    column.second -= v;
}

// The same with those of the rates.
template <class Real>
struct ConstraintColumns {
  ConstraintColumn<Real> q, q_rate, q_acceleration;
};
template <class Real>
GRADUS_FUNCTION void add_feature(ConstraintColumns<Real>& columns, const ConstraintEntry& e,
                                 int index, const FeatureColumn<Real>& v) {
  add_feature(columns.q, e, index, v.q);
  add_feature(columns.q_rate, e, index, v.q_rate);
  add_feature(columns.q_acceleration, e, index, v.q_acceleration);
}

// d Phi
template <class D>
GRADUS_FUNCTION VectorOf<D> constraint_column(const D& d, const ConstraintEntry& e,
                                              const ConstraintColumn<RealOf<D>>& q) {
  if (e.kind == ConstraintKind::difference) return q.first + q.second;
  return product(e, q.first, second_factor(d, d.layout.feature, e)) +
         product(e, feature_position(d, e.feature[0]), q.second);
}

// d (d Phi / dt)
template <class D>
GRADUS_FUNCTION VectorOf<D> constraint_rate_column(const D& d, const MotionLayout& m,
                                                   const ConstraintEntry& e,
                                                   const ConstraintColumns<RealOf<D>>& c) {
  if (e.kind == ConstraintKind::difference) return c.q_rate.first + c.q_rate.second;
  const int f = e.feature[0];
  return product(e, c.q_rate.first, second_factor(d, d.layout.feature, e)) +
         product(e, c.q.first, second_factor(d, m.feature_velocity, e)) +
         product(e, load3(d.at(m.feature_velocity), f), c.q.second) +
         product(e, feature_position(d, f), c.q_rate.second);
}
// d (d2 Phi / dt2)
template <class D>
GRADUS_ROUTINE VectorOf<D> constraint_acceleration_column(const D& d, const MotionLayout& m,
                                                          const ConstraintEntry& e,
                                                          const ConstraintColumns<RealOf<D>>& c) {
  if (e.kind == ConstraintKind::difference) return c.q_acceleration.first + c.q_acceleration.second;
  const int f = e.feature[0];
  return product(e, c.q_acceleration.first, second_factor(d, d.layout.feature, e)) +
         RealOf<D>(2) * product(e, c.q_rate.first, second_factor(d, m.feature_velocity, e)) +
         product(e, c.q.first, second_factor(d, m.feature_acceleration, e)) +
         product(e, load3(d.at(m.feature_acceleration), f), c.q.second) +
         RealOf<D>(2) * product(e, load3(d.at(m.feature_velocity), f), c.q_rate.second) +
         product(e, feature_position(d, f), c.q_acceleration.second);
}

// Derivative of (d Phi)^T multiplier of column a by column b, the features' second derivatives left
// out (they are in the turning terms of the composite load). Zero unless the equations are
// bilinear.
template <class Real>
GRADUS_FUNCTION Real constraint_stiffness(const ConstraintEntry& e, const Vector3<Real>& multiplier,
                                          const ConstraintColumn<Real>& a,
                                          const ConstraintColumn<Real>& b) {
  if (e.kind == ConstraintKind::difference) return Real(0);
  return dot(multiplier, product(e, a.first, b.second) + product(e, b.first, a.second));
}

// Transposes of product(): what its factors are worth, the product being worth w.
template <class Real>
GRADUS_INLINE Vector3<Real> first_factor_adjoint(const ConstraintEntry& e, const Vector3<Real>& w,
                                                 const Vector3<Real>& second) {
  return e.kind == ConstraintKind::alignment ? cross(second, w) : w.x * second;
}
template <class Real>
GRADUS_INLINE Vector3<Real> second_factor_adjoint(const ConstraintEntry& e, const Vector3<Real>& w,
                                                  const Vector3<Real>& first) {
  return e.kind == ConstraintKind::alignment ? cross(w, first) : w.x * first;
}

// The load that multipliers put on feature number `index` of a constraint: Phi_q^T multiplier.
template <class D>
GRADUS_FUNCTION VectorOf<D> constraint_load(const D& d, const ConstraintEntry& e, int index,
                                            const VectorOf<D>& multiplier) {
  if (e.kind == ConstraintKind::difference) return index == 0 ? multiplier : -multiplier;
  if (index == 0) return first_factor_adjoint(e, multiplier, second_factor(d, d.layout.feature, e));
  const auto load = second_factor_adjoint(e, multiplier, feature_position(d, e.feature[0]));
  return index == 1 ? load : -load;
}

GRADUS_KERNELS_END
