// Relative poses of two bodies, seen from the first: the displacement d = A^T (to - from) between a
// point of each, the rotation vector phi of A^T B, and their rates A^T (d/dt (to - from) - w_a x
// (to
// - from)) and A^T (w_b - w_a), A and B the axes of the bodies. What moves the points apart by
// `shift` and turns the first body by `first`, the second against it by `turn`, changes
//   d by A^T (shift - first x (to - from))        phi by J^-1 A^T turn, J the left Jacobian of
//   SO(3)
// Forces along and torques about the axes of the first body work on the first of these and on
// A^T turn. docs/theory.md, section 5.
#pragma once

#include "kernels/bodies/load_sums.hpp"
#include "kernels/math/rotation_vector.hpp"

GRADUS_KERNELS_BEGIN

// What something does to the two bodies, or what that is worth.
template <class Real>
struct PoseMotion {
  Vector3<Real> shift, first, turn;
};

template <class D>
using PoseMotionOf = PoseMotion<RealOf<D>>;

template <class Real>
GRADUS_INLINE Real dot(const PoseMotion<Real>& a, const PoseMotion<Real>& b) {
  return dot(a.shift, b.shift) + dot(a.first, b.first) + dot(a.turn, b.turn);
}

template <class D>
GRADUS_INLINE int first_body(const D& d, int k) {
  return d.plan.features[d.plan.poses[k].from].body;
}
template <class D>
GRADUS_INLINE int second_body(const D& d, int k) {
  return d.plan.features[d.plan.poses[k].to].body;
}

// Made of what happens to points, point(feature), and of how bodies turn, turn(body).
template <class D, class Point, class Turn>
GRADUS_INLINE PoseMotionOf<D> pose_motion(const D& d, int k, const Point& point, const Turn& turn) {
  const PoseEntry& pose = d.plan.poses[k];
  const VectorOf<D> first = turn(first_body(d, k));
  return {point(pose.to) - point(pose.from), first, turn(second_body(d, k)) - first};
}

template <class D>
GRADUS_INLINE VectorOf<D> pose_line(const D& d, int k) {
  return load3(d.at(d.layout.pose_line), k);
}

// How the pose answers, in global axes: shift - first x (to - from), and the turn.
template <class D>
GRADUS_INLINE MotionOf<D> pose_answer(const D& d, int k, const PoseMotionOf<D>& x) {
  return {x.shift - cross(x.first, pose_line(d, k)), x.turn};
}

// The direction, in global axes, along which number i of the pose answers. The first three are the
// axes of the first body.
template <class D>
GRADUS_INLINE VectorOf<D> pose_direction(const D& d, int k, int i) {
  return load3(d.at(d.layout.pose_direction), kPoseNumbers * k + i);
}
template <class D>
GRADUS_INLINE RealOf<D> pose_change(const D& d, int k, int i, const MotionOf<D>& answer) {
  return dot(pose_direction(d, k, i), i < 3 ? answer.v : answer.w);
}
// Of what force i works on: along an axis of the first body, or about it.
template <class D>
GRADUS_INLINE RealOf<D> pose_work(const D& d, int k, int i, const MotionOf<D>& answer) {
  return dot(pose_direction(d, k, i % 3), i < 3 ? answer.v : answer.w);
}

// Numbers of pose k and their directions.
template <class D>
GRADUS_ROUTINE void measure_pose(const D& d, int k) {
  const Layout& l = d.layout;
  const PoseEntry& pose = d.plan.poses[k];
  const VectorOf<D> r = feature_position(d, pose.to) - feature_position(d, pose.from);
  const Matrix3<RealOf<D>> axes = rotation_of(d, first_body(d, k));
  const auto direction = d.at(l.pose_direction).from(3 * kPoseNumbers * k);
  store3(d.at(l.pose_line), k, r);
  store3(d.at(l.pose + kPoseNumbers * k), 0, transposed_times(axes, r));
  for (int i = 0; i < 3; ++i) store3(direction, i, column(axes, i));
  if (pose.reads_rotation == 0) return;
  const Matrix3<RealOf<D>> second = rotation_of(d, second_body(d, k));
  const VectorOf<D> phi = rotation_vector(from_columns(transposed_times(axes, column(second, 0)),
                                                       transposed_times(axes, column(second, 1)),
                                                       transposed_times(axes, column(second, 2))));
  const auto share = turn_share(dot(phi, phi));
  store3(d.at(l.pose + kPoseNumbers * k), 1, phi);
  d.at(l.pose)[kPoseNumbers * k + 6] = share.value;
  for (int i = 0; i < 3; ++i)
    store3(direction, 3 + i, axes * worth_of_turn(phi, share.value, along(i, RealOf<D>(1))));
  store3(direction, 6, (RealOf<D>(2) * share.slope) * (axes * phi));
}

// Answers of all poses to coordinates, with the poses measured.
template <class D>
GRADUS_ROUTINE void pose_columns(const D& d) {
  for (int k = 0; k < d.plan.pose_count; ++k) {
    const PoseEntry& pose = d.plan.poses[k];
    for (int t = pose.touch_begin; t < pose.touch_end; ++t) {
      const TouchEntry& touch = d.plan.touches[t];
      const MotionOf<D> axis = load_motion(d.at(d.layout.axis), touch.coordinate);
      const VectorOf<D> at = reference_of(d, d.plan.coordinates[touch.coordinate].body);
      const auto none = zero3<RealOf<D>>();
      const bool moves_first = (touch.moves & 1) != 0;
      const bool moves_second = (touch.moves & 2) != 0;
      auto shift = moves_second ? feature_rate(d, pose.to, axis, at) : none;
      if (moves_first) shift -= feature_rate(d, pose.from, axis, at);
      const auto first = moves_first ? axis.w : none;
      const auto turn = moves_second ? axis.w - first : -first;
      store_motion(d.at(d.layout.pose_column), pose.column_begin + t - pose.touch_begin,
                   pose_answer(d, k, {shift, first, turn}));
    }
  }
}

// Calls visit(coordinate, the pose's answer to it, whether it moves the first body).
template <class D, class Visit>
GRADUS_INLINE void for_each_pose_column(const D& d, int k, const Visit& visit) {
  const PoseEntry& pose = d.plan.poses[k];
  for (int t = pose.touch_begin; t < pose.touch_end; ++t) {
    const TouchEntry& touch = d.plan.touches[t];
    visit(touch.coordinate,
          load_motion(d.at(d.layout.pose_column), pose.column_begin + t - pose.touch_begin),
          (touch.moves & 1) != 0);
  }
}

// The answer to coordinate c.
template <class D>
GRADUS_FUNCTION MotionOf<D> pose_column(const D& d, int k, int c) {
  const PoseEntry& pose = d.plan.poses[k];
  for (int t = pose.touch_begin; t < pose.touch_end; ++t)
    if (d.plan.touches[t].coordinate == c)
      return load_motion(d.at(d.layout.pose_column), pose.column_begin + t - pose.touch_begin);
  return zero_motion<RealOf<D>>();
}

template <class D>
GRADUS_INLINE VectorOf<D> angular_velocity_of(const D& d, const MotionLayout& m, int body) {
  return body < 0 ? zero3<RealOf<D>>() : load_motion(d.at(m.velocity), body).w;
}

// How the bodies move in the motion m.
template <class D>
GRADUS_FUNCTION PoseMotionOf<D> pose_velocity(const D& d, const MotionLayout& m, int k) {
  return pose_motion(
      d, k, [&](int f) { return load3(d.at(m.feature_velocity), f); },
      [&](int body) { return angular_velocity_of(d, m, body); });
}

// Rate i of the pose: of d, or of the turn.
template <class D>
GRADUS_FUNCTION RealOf<D> pose_rate(const D& d, const MotionLayout& m, int k, int i) {
  return pose_work(d, k, i, pose_answer(d, k, pose_velocity(d, m, k)));
}

// Its change where something moves the bodies by x and changes how they move by x_rate.
template <class D>
GRADUS_FUNCTION RealOf<D> pose_rate_change(const D& d, const MotionLayout& m, int k, int i,
                                           const PoseMotionOf<D>& x,
                                           const PoseMotionOf<D>& x_rate) {
  const PoseMotionOf<D> v = pose_velocity(d, m, k);
  const MotionOf<D> rate = pose_answer(d, k, v);
  const MotionOf<D> change = pose_answer(d, k, x_rate);
  return pose_work(d, k, i,
                   {change.v - cross(v.first, x.shift) - cross(x.first, rate.v),
                    change.w - cross(x.first, rate.w)});
}

// What x is worth where the answer is worth y along the displacement (i < 3) or the turn.
template <class D>
GRADUS_FUNCTION PoseMotionOf<D> pose_worth(const D& d, int k, int i, const VectorOf<D>& y) {
  const auto none = zero3<RealOf<D>>();
  if (i >= 3) return {none, none, y};
  return {y, -cross(pose_line(d, k), y), none};
}
// What x is worth where the change of rate i is: pose_rate_change() transposed, but for x_rate.
template <class D>
GRADUS_FUNCTION PoseMotionOf<D> pose_rate_worth(const D& d, const MotionLayout& m, int k, int i,
                                                const VectorOf<D>& y) {
  const auto none = zero3<RealOf<D>>();
  const PoseMotionOf<D> v = pose_velocity(d, m, k);
  const MotionOf<D> rate = pose_answer(d, k, v);
  if (i >= 3) return {none, -cross(rate.w, y), none};
  return {cross(v.first, y), -cross(rate.v, y), none};
}

// Load of a force along an axis of the first body, or of a torque about it, on the second body and
// against it on the first: a virial of moment M turns with its body by half.
template <class D>
GRADUS_ROUTINE void add_pose_load(const D& d, const LoadLayout& load, int k, int i,
                                  const RealOf<D>& size) {
  const PoseEntry& pose = d.plan.poses[k];
  const VectorOf<D> g = size * pose_direction(d, k, i % 3);
  if (i >= 3) {
    add_moment(d, load, second_body(d, k), g);
    return add_moment(d, load, first_body(d, k), -g);
  }
  add_load(d, load, pose.to, g);
  add_load(d, load, pose.from, -g);
  if (first_body(d, k) >= 0) add9(d.at(load.virial), first_body(d, k), outer(pose_line(d, k), g));
}

// How this load, of size 1, changes under x beyond the turning of loads at points and of moments,
// since the first body carries it along: what that is worth. It is a form of two motions, of
// torques not a symmetric one; `of_rows` tells that x is the motion on which the load works, not
// that which changes it.
template <class D>
GRADUS_FUNCTION PoseMotionOf<D> pose_bend(const D& d, int k, int i, const PoseMotionOf<D>& x,
                                          bool of_rows) {
  const auto none = zero3<RealOf<D>>();
  const VectorOf<D> g = pose_direction(d, k, i % 3);
  if (i < 3) return {cross(x.first, g), cross(g, x.shift), none};
  const VectorOf<D> half = RealOf<D>(0.5) * g;
  const VectorOf<D> both = of_rows ? x.first + x.turn : x.first - x.turn;
  return {none, cross(half, x.turn), cross(both, half)};
}

// The same by coordinates: visit(coordinate, product).
template <class D, class Visit>
GRADUS_FUNCTION void for_each_pose_bend(const D& d, int k, int i, const PoseMotionOf<D>& x,
                                        bool of_rows, const Visit& visit) {
  const PoseMotionOf<D> bend = pose_bend(d, k, i, x, of_rows);
  const VectorOf<D> first = bend.first + cross(pose_line(d, k), bend.shift);
  for_each_pose_column(d, k, [&](int c, const MotionOf<D>& answer, bool moves_first) {
    RealOf<D> product = dot(bend.shift, answer.v) + dot(bend.turn, answer.w);
    if (moves_first) product += dot(first, load_motion(d.at(d.layout.axis), c).w);
    visit(c, product);
  });
}

GRADUS_KERNELS_END
