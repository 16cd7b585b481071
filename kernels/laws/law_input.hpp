// What the inputs of laws are worth, and how they answer to coordinates and rates. docs/theory.md,
// section 6.
#pragma once

#include "kernels/bodies/lines.hpp"
#include "kernels/bodies/poses.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_INLINE bool moves_body(const D& d, int c, int body) {
  return is_in_sub_tree(d, body, d.plan.coordinates[c].body);
}

// `rate` are the rates of the coordinates in the motion m; laws of positions read neither.
template <class D, class Rates>
GRADUS_DEVICE_CALL RealOf<D> input_value(const D& d, const MotionLayout& m, const LawInputEntry& in,
                                         const Rates& rate) {
  const Layout& l = d.layout;
  switch (in.kind) {
    case LawInputKind::slot:
      return d.at(l.slot)[in.index];
    case LawInputKind::time:
      return d.at(l.time)[0];
    case LawInputKind::feature:
      return d.at(l.feature)[3 * in.index + in.component];
    case LawInputKind::coordinate:
      return d.at(l.position)[in.index];
    case LawInputKind::feature_velocity:
      return d.at(m.feature_velocity)[3 * in.index + in.component];
    case LawInputKind::rate:
      return rate[in.index];
    case LawInputKind::angular_velocity:
      return component(load_motion(d.at(m.velocity), in.index).w, in.component);
    case LawInputKind::length:
      return d.at(l.line_length)[in.index];
    case LawInputKind::length_rate:
      return length_rate(d, m, in.index);
    case LawInputKind::pose:
      return d.at(l.pose)[kPoseNumbers * in.index + in.component];
    case LawInputKind::pose_rate:
      return pose_rate(d, m, in.index, in.component);
    case LawInputKind::pose_work:  // has no value
      return RealOf<D>(0);
    case LawInputKind::sensor:
      return d.at(l.signal)[d.plan.sensors[in.index].signal + in.component];
    case LawInputKind::algebraic:
      return d.at(l.algebraic.value)[in.index];
  }
  return RealOf<D>(0);
}

// Time derivative of an input of a law of positions.
template <class D, class Rates>
GRADUS_FUNCTION RealOf<D> input_rate(const D& d, const MotionLayout& m, const LawInputEntry& in,
                                     const Rates& rate) {
  if (in.kind == LawInputKind::time) return RealOf<D>(1);
  if (in.kind == LawInputKind::coordinate) return rate[in.index];
  if (in.kind == LawInputKind::feature)
    return d.at(m.feature_velocity)[3 * in.index + in.component];
  if (in.kind == LawInputKind::length) return length_rate(d, m, in.index);
  return RealOf<D>(0);
}

template <class D, class Accelerations>
GRADUS_FUNCTION RealOf<D> input_acceleration(const D& d, const MotionLayout& m,
                                             const LawInputEntry& in,
                                             const Accelerations& acceleration) {
  if (in.kind == LawInputKind::coordinate) return acceleration[in.index];
  if (in.kind == LawInputKind::feature)
    return d.at(m.feature_acceleration)[3 * in.index + in.component];
  if (in.kind == LawInputKind::length) return length_acceleration(d, m, in.index);
  return RealOf<D>(0);
}

// What `column(feature)` makes of line k, as far as coordinate c moves its ends.
template <class D, class Column>
GRADUS_INLINE VectorOf<D> moved_line(const D& d, int k, int c, const Column& column) {
  return along_line(d, k, [&](int f) {
    return moves_body(d, c, d.plan.features[f].body) ? column(f) : zero3<RealOf<D>>();
  });
}

template <class D>
GRADUS_FUNCTION VectorOf<D> line_velocity_column(const D& d, const MotionLayout& m, int k, int c,
                                                 const AxisOf<D>& s) {
  return moved_line(d, k, c, [&](int f) { return velocity_column(d, m, f, s); });
}

// Change of the angular velocity of a body under an axis that moves it: W' + W x w.
template <class D>
GRADUS_INLINE VectorOf<D> angular_velocity_column(const D& d, const MotionLayout& m, int body,
                                                  const AxisOf<D>& s) {
  return s.rate.w + cross(s.axis.w, load_motion(d.at(m.velocity), body).w);
}

// How coordinate c moves the bodies of pose k, and how it changes their motion.
template <class D>
GRADUS_FUNCTION PoseMotionOf<D> moved_pose(const D& d, int k, int c, const AxisOf<D>& s) {
  const auto none = zero3<RealOf<D>>();
  return pose_motion(
      d, k,
      [&](int f) {
        return moves_body(d, c, d.plan.features[f].body) ? position_column(d, f, s) : none;
      },
      [&](int body) { return moves_body(d, c, body) ? s.axis.w : none; });
}
template <class D>
GRADUS_FUNCTION PoseMotionOf<D> moved_pose_velocity(const D& d, const MotionLayout& m, int k, int c,
                                                    const AxisOf<D>& s) {
  const auto none = zero3<RealOf<D>>();
  return pose_motion(
      d, k,
      [&](int f) {
        return moves_body(d, c, d.plan.features[f].body) ? velocity_column(d, m, f, s) : none;
      },
      [&](int body) {
        return moves_body(d, c, body) ? angular_velocity_column(d, m, body, s) : none;
      });
}

// Derivative of an input by coordinate c, whose axis is s.
template <class D>
GRADUS_ROUTINE RealOf<D> input_by_position(const D& d, const MotionLayout& m,
                                           const LawInputEntry& in, int c, const AxisOf<D>& s) {
  using Real = typename D::Real;
  switch (in.kind) {
    case LawInputKind::feature:
      if (!moves_body(d, c, d.plan.features[in.index].body)) return Real(0);
      return component(position_column(d, in.index, s), in.component);
    case LawInputKind::feature_velocity:
      if (!moves_body(d, c, d.plan.features[in.index].body)) return Real(0);
      return component(velocity_column(d, m, in.index, s), in.component);
    case LawInputKind::angular_velocity:
      if (!moves_body(d, c, in.index)) return Real(0);
      return component(angular_velocity_column(d, m, in.index, s), in.component);
    case LawInputKind::coordinate:
      return Real(c == in.index ? 1.0 : 0.0);
    case LawInputKind::length:
      return length_change(d, in.index, line_column(d, in.index, c));
    case LawInputKind::length_rate:
      return length_rate_change(d, m, in.index, line_column(d, in.index, c),
                                line_velocity_column(d, m, in.index, c, s));
    case LawInputKind::pose:
      return pose_change(d, in.index, in.component, pose_column(d, in.index, c));
    case LawInputKind::pose_rate:
      return pose_rate_change(d, m, in.index, in.component, moved_pose(d, in.index, c, s),
                              moved_pose_velocity(d, m, in.index, c, s));
    case LawInputKind::pose_work:
      return pose_work(d, in.index, in.component, pose_column(d, in.index, c));
    default:
      return Real(0);
  }
}

// Derivative of an input by the rate of coordinate c.
template <class D>
GRADUS_ROUTINE RealOf<D> input_by_rate(const D& d, const LawInputEntry& in, int c,
                                       const AxisOf<D>& s) {
  switch (in.kind) {
    case LawInputKind::feature_velocity:
      if (!moves_body(d, c, d.plan.features[in.index].body)) return RealOf<D>(0);
      return component(position_column(d, in.index, s), in.component);
    case LawInputKind::angular_velocity:
      if (!moves_body(d, c, in.index)) return RealOf<D>(0);
      return component(s.axis.w, in.component);
    case LawInputKind::rate:
      return RealOf<D>(c == in.index ? 1.0 : 0.0);
    case LawInputKind::length_rate:
      return length_change(d, in.index, line_column(d, in.index, c));
    case LawInputKind::pose_rate:
      return pose_work(d, in.index, in.component, pose_column(d, in.index, c));
    default:
      return RealOf<D>(0);
  }
}

// Change of an input of a law of positions, of its rate and of its second rate.
template <class Real>
struct InputColumn {
  Real value, rate, acceleration;
};

template <class Real>
GRADUS_INLINE InputColumn<Real> component(const FeatureColumn<Real>& column, int k) {
  return {component(column.q, k), component(column.q_rate, k), component(column.q_acceleration, k)};
}

// Of the length of line k, which moves by `column`.
template <class D>
GRADUS_FUNCTION InputColumn<RealOf<D>> length_column(const D& d, const MotionLayout& m, int k,
                                                     const FeatureColumn<RealOf<D>>& column) {
  return {length_change(d, k, column.q), length_rate_change(d, m, k, column.q, column.q_rate),
          length_acceleration_change(d, m, k, column)};
}

template <class D>
GRADUS_FUNCTION InputColumn<RealOf<D>> input_column(const D& d, const MotionLayout& m,
                                                    const LawInputEntry& in, int c,
                                                    const AxisOf<D>& s) {
  using Real = typename D::Real;
  InputColumn<Real> column{Real(0), Real(0), Real(0)};
  if (in.kind == LawInputKind::coordinate) column.value = Real(c == in.index ? 1.0 : 0.0);
  if (in.kind == LawInputKind::feature && moves_body(d, c, d.plan.features[in.index].body))
    column = component(moved_column(d, m, in.index, s), in.component);
  if (in.kind == LawInputKind::length)
    column = length_column(
        d, m, in.index,
        {line_column(d, in.index, c), line_velocity_column(d, m, in.index, c, s),
         moved_line(d, in.index, c, [&](int f) { return acceleration_column(d, m, f, s); })});
  return column;
}

GRADUS_KERNELS_END
