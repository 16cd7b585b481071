// Lines between two points: their length l with unit vector u, and how it answers to what moves the
// ends. A motion of the line by q, with rates q' and q'', changes
//   l by u.q,  l' by (q.r - (u.q) l') / l + u.q',
//   l'' by (2 r.q' + q.a - (u.q) l'' - 2 l' dl') / l + u.q''
// where r and a are the velocity and acceleration of `to` relative to `from`, and its second
// derivative by two motions is (q_1.q_2 - (u.q_1) (u.q_2)) / l beyond that of the ends.
// docs/theory.md, section 5.
#pragma once

#include "kernels/bodies/features.hpp"

GRADUS_KERNELS_BEGIN

// Lengths and unit vectors of all lines, with the features placed.
template <class D>
GRADUS_ROUTINE void measure_lines(const D& d) {
  const Layout& l = d.layout;
  for (int k = 0; k < d.plan.line_count; ++k) {
    const LineEntry& line = d.plan.lines[k];
    const VectorOf<D> r = feature_position(d, line.to) - feature_position(d, line.from);
    const RealOf<D> length = sqrt(dot(r, r));
    const RealOf<D> inverse = RealOf<D>(1) / length;
    d.at(l.line_length)[k] = length;
    d.at(l.inverse_line_length)[k] = inverse;
    store3(d.at(l.line_direction), k, inverse * r);
  }
}

// How all lines move with their coordinates, with the features placed.
template <class D>
GRADUS_ROUTINE void line_columns(const D& d) {
  const Layout& l = d.layout;
  for (int k = 0; k < d.plan.line_count; ++k) {
    const LineEntry& line = d.plan.lines[k];
    for (int t = line.touch_begin; t < line.touch_end; ++t) {
      const TouchEntry& touch = d.plan.touches[t];
      const MotionOf<D> axis = load_motion(d.at(l.axis), touch.coordinate);
      const VectorOf<D> at = reference_of(d, d.plan.coordinates[touch.coordinate].body);
      auto q = zero3<RealOf<D>>();
      if ((touch.moves & 2) != 0) q += feature_rate(d, line.to, axis, at);
      if ((touch.moves & 1) != 0) q -= feature_rate(d, line.from, axis, at);
      store3(d.at(l.line_column), line.column_begin + t - line.touch_begin, q);
    }
  }
}

// Calls visit(coordinate, column) for the coordinates that move line k.
template <class D, class Visit>
GRADUS_INLINE void for_each_line_column(const D& d, int k, const Visit& visit) {
  const LineEntry& line = d.plan.lines[k];
  const auto columns = d.at(d.layout.line_column).from(3 * line.column_begin);
  for (int t = line.touch_begin; t < line.touch_end; ++t)
    visit(d.plan.touches[t].coordinate, load3(columns, t - line.touch_begin));
}

// The column of coordinate c.
template <class D>
GRADUS_FUNCTION VectorOf<D> line_column(const D& d, int k, int c) {
  const LineEntry& line = d.plan.lines[k];
  for (int t = line.touch_begin; t < line.touch_end; ++t)
    if (d.plan.touches[t].coordinate == c)
      return load3(d.at(d.layout.line_column), line.column_begin + t - line.touch_begin);
  return zero3<RealOf<D>>();
}

template <class D>
GRADUS_INLINE VectorOf<D> line_direction(const D& d, int k) {
  return load3(d.at(d.layout.line_direction), k);
}
template <class D>
GRADUS_INLINE RealOf<D> inverse_length(const D& d, int k) {
  return d.at(d.layout.inverse_line_length)[k];
}

// Of what `of(feature)` yields, its difference between the ends of line k.
template <class D, class OfFeature>
GRADUS_INLINE VectorOf<D> along_line(const D& d, int k, const OfFeature& of) {
  return of(d.plan.lines[k].to) - of(d.plan.lines[k].from);
}

template <class D>
GRADUS_INLINE VectorOf<D> line_velocity(const D& d, const MotionLayout& m, int k) {
  return along_line(d, k, [&](int f) { return load3(d.at(m.feature_velocity), f); });
}
template <class D>
GRADUS_INLINE VectorOf<D> line_acceleration(const D& d, const MotionLayout& m, int k) {
  return along_line(d, k, [&](int f) { return load3(d.at(m.feature_acceleration), f); });
}

template <class D>
GRADUS_FUNCTION RealOf<D> length_rate(const D& d, const MotionLayout& m, int k) {
  return dot(line_direction(d, k), line_velocity(d, m, k));
}
template <class D>
GRADUS_FUNCTION RealOf<D> length_acceleration(const D& d, const MotionLayout& m, int k) {
  const auto r = line_velocity(d, m, k);
  const auto rate = dot(line_direction(d, k), r);
  return inverse_length(d, k) * (dot(r, r) - rate * rate) +
         dot(line_direction(d, k), line_acceleration(d, m, k));
}

// Changes of the length and of its rate where the line moves by q with rate q'.
template <class D>
GRADUS_FUNCTION RealOf<D> length_change(const D& d, int k, const VectorOf<D>& q) {
  return dot(line_direction(d, k), q);
}
template <class D>
GRADUS_FUNCTION RealOf<D> length_rate_change(const D& d, const MotionLayout& m, int k,
                                             const VectorOf<D>& q, const VectorOf<D>& q_rate) {
  const auto u = line_direction(d, k);
  const auto r = line_velocity(d, m, k);
  return inverse_length(d, k) * (dot(q, r) - dot(u, q) * dot(u, r)) + dot(u, q_rate);
}
template <class D>
GRADUS_FUNCTION RealOf<D> length_acceleration_change(const D& d, const MotionLayout& m, int k,
                                                     const FeatureColumn<RealOf<D>>& column) {
  const auto u = line_direction(d, k);
  const auto r = line_velocity(d, m, k);
  return inverse_length(d, k) *
             (RealOf<D>(2) * dot(r, column.q_rate) + dot(column.q, line_acceleration(d, m, k)) -
              dot(u, column.q) * length_acceleration(d, m, k) -
              RealOf<D>(2) * dot(u, r) * length_rate_change(d, m, k, column.q, column.q_rate)) +
         dot(u, column.q_acceleration);
}

// Part of x across the line, over its length: the change of its direction where the line moves by
// x.
template <class D>
GRADUS_FUNCTION VectorOf<D> direction_change(const D& d, int k, const VectorOf<D>& x) {
  const auto u = line_direction(d, k);
  return inverse_length(d, k) * (x - dot(u, x) * u);
}

GRADUS_KERNELS_END
