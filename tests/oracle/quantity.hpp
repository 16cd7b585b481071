// Scalars and vectors that depend on the motion of the bodies, with what virtual work and
// constraints need of them: the gradient with respect to the velocities of all bodies (6 numbers
// each: of the centre of mass, angular), the time derivative, and the second time derivative that
// is left when all accelerations are zero (`bias`). For any motion, at any state,
//   dq/dt = gradient * velocity,   d2q/dt2 = gradient * acceleration + bias.
#pragma once

#include "tests/oracle/state.hpp"

namespace oracle {

template <typename S>
struct Quantity {
  S value, rate, bias;
  RowX<S> gradient;
};

template <typename S>
struct VectorQuantity {
  Vector3<S> value, rate, bias;
  MatrixX<S> gradient;  // [3, 6 bodies]
};

template <typename S>
VectorQuantity<S> point_quantity(const Model<S>& model, const State<S>& state, int body,
                                 const Vector3<S>& point) {
  const PointMotion<S> motion = point_motion(body_motion(model, state, body), point);
  VectorQuantity<S> q{motion.position, motion.velocity, motion.bias,
                      MatrixX<S>::Zero(3, 6 * model.body_count())};
  if (body == kGround) return q;
  q.gradient.template block<3, 3>(0, 6 * body) = Matrix3<S>::Identity();
  q.gradient.template block<3, 3>(0, 6 * body + 3) = -skew(motion.arm);
  return q;
}

// A direction given in the axes of its body, in global axes.
template <typename S>
VectorQuantity<S> direction_quantity(const Model<S>& model, const State<S>& state, int body,
                                     const Vector3<S>& direction) {
  const BodyMotion<S> motion = body_motion(model, state, body);
  const Vector3<S> value = motion.rotation * direction;
  const Vector3<S> rate = cross(motion.angular_velocity, value);
  VectorQuantity<S> q{value, rate, cross(motion.angular_velocity, rate),
                      MatrixX<S>::Zero(3, 6 * model.body_count())};
  if (body != kGround) q.gradient.template block<3, 3>(0, 6 * body + 3) = -skew(value);
  return q;
}

template <typename S>
VectorQuantity<S> operator-(const VectorQuantity<S>& a, const VectorQuantity<S>& b) {
  return {a.value - b.value, a.rate - b.rate, a.bias - b.bias, a.gradient - b.gradient};
}

template <typename S>
Quantity<S> operator-(const Quantity<S>& a, const Quantity<S>& b) {
  return {a.value - b.value, a.rate - b.rate, a.bias - b.bias, a.gradient - b.gradient};
}

template <typename S>
Quantity<S> operator*(const S& factor, const Quantity<S>& a) {
  return {factor * a.value, factor * a.rate, factor * a.bias, factor * a.gradient};
}

template <typename S>
Quantity<S> operator*(const Quantity<S>& a, const Quantity<S>& b) {
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.bias * b.value + S(2) * a.rate * b.rate + a.value * b.bias,
          b.value * a.gradient + a.value * b.gradient};
}

template <typename S>
Quantity<S> operator+(const Quantity<S>& a, const Quantity<S>& b) {
  return {a.value + b.value, a.rate + b.rate, a.bias + b.bias, a.gradient + b.gradient};
}

template <typename S>
Quantity<S> reciprocal(const Quantity<S>& a) {
  const S slope = S(-1) / (a.value * a.value);
  return {S(1) / a.value, slope * a.rate, slope * (a.bias - S(2) * a.rate * a.rate / a.value),
          slope * a.gradient};
}

template <typename S>
Quantity<S> inner(const VectorQuantity<S>& a, const VectorQuantity<S>& b) {
  return {inner(a.value, b.value), inner(a.rate, b.value) + inner(a.value, b.rate),
          inner(a.bias, b.value) + S(2) * inner(a.rate, b.rate) + inner(a.value, b.bias),
          a.value.transpose() * b.gradient + b.value.transpose() * a.gradient};
}

template <typename S>
Quantity<S> square_root(const Quantity<S>& a) {
  using std::sqrt;
  const S root = sqrt(a.value), slope = S(0.5) / root;
  return {root, slope * a.rate, slope * (a.bias - S(0.5) * a.rate * a.rate / a.value),
          slope * a.gradient};
}

inline double arc_tangent(double y, double x) {
  return std::atan2(y, x);
}
// To first order in the imaginary parts, which is all a complex step keeps.
inline Complex arc_tangent(const Complex& y, const Complex& x) {
  const double square = x.real() * x.real() + y.real() * y.real();
  return {std::atan2(y.real(), x.real()), (x.real() * y.imag() - y.real() * x.imag()) / square};
}

// The angle of the point (x, y), in (-pi, pi].
template <typename S>
Quantity<S> angle_of(const Quantity<S>& y, const Quantity<S>& x) {
  const S square = x.value * x.value + y.value * y.value;
  const S rate = (x.value * y.rate - y.value * x.rate) / square;
  const S square_rate = S(2) * (x.value * x.rate + y.value * y.rate);
  return {arc_tangent(y.value, x.value), rate,
          (x.value * y.bias - y.value * x.bias - rate * square_rate) / square,
          (x.value * y.gradient - y.value * x.gradient) / square};
}

// The directions of a joint: axis, zero and their cross product, of the parent or the child.
template <typename S>
VectorQuantity<S> joint_direction(const Model<S>& model, const State<S>& state,
                                  const Joint<S>& joint, bool of_child, int column) {
  const Matrix3<S> axes =
      of_child ? frame(joint.child_axis, joint.child_zero) : frame(joint.axis, joint.zero);
  return direction_quantity<S>(model, state, of_child ? joint.child : joint.parent,
                               axes.col(column));
}

// The angle from the parent's zero direction to the child's, about the axis they share.
template <typename S>
Quantity<S> turn_quantity(const Model<S>& model, const State<S>& state, const Joint<S>& joint) {
  const VectorQuantity<S> pointer = joint_direction(model, state, joint, true, 1);
  return angle_of(inner(joint_direction(model, state, joint, false, 2), pointer),
                  inner(joint_direction(model, state, joint, false, 1), pointer));
}

// The displacement of the child's point along a direction of the parent.
template <typename S>
Quantity<S> shift_quantity(const Model<S>& model, const State<S>& state, const Joint<S>& joint,
                           int column) {
  return inner(joint_direction(model, state, joint, false, column),
               point_quantity(model, state, joint.child, joint.child_point) -
                   point_quantity(model, state, joint.parent, joint.parent_point));
}

// Of a universal joint. The child's axis turns about the parent's axis, away from the parent's zero
// direction; the parent's axis, seen from the child, turns backwards about the child's axis, away
// from the child's zero direction.
template <typename S>
Quantity<S> universal_quantity(const Model<S>& model, const State<S>& state, const Joint<S>& joint,
                               int coordinate) {
  if (coordinate == 0) {
    const VectorQuantity<S> pointer = joint_direction(model, state, joint, true, 0);
    return angle_of(inner(joint_direction(model, state, joint, false, 2), pointer),
                    inner(joint_direction(model, state, joint, false, 1), pointer));
  }
  const VectorQuantity<S> pointer = joint_direction(model, state, joint, false, 0);
  return S(-1) * angle_of(inner(joint_direction(model, state, joint, true, 2), pointer),
                          inner(joint_direction(model, state, joint, true, 1), pointer));
}

// One coordinate of a joint; angles in (-pi, pi]. Euler parameters are no such coordinates.
template <typename S>
Quantity<S> coordinate_quantity(const Model<S>& model, const State<S>& state, const Joint<S>& joint,
                                int coordinate = 0) {
  switch (joint.type) {
    case JointType::kRevolute:
      return turn_quantity(model, state, joint);
    case JointType::kPrismatic:
      return shift_quantity(model, state, joint, 0);
    case JointType::kCylindrical:
      return coordinate == 0 ? shift_quantity(model, state, joint, 0)
                             : turn_quantity(model, state, joint);
    case JointType::kUniversal:
      return universal_quantity(model, state, joint, coordinate);
    case JointType::kPlanar:
      return coordinate < 2 ? shift_quantity(model, state, joint, coordinate + 1)
                            : turn_quantity(model, state, joint);
    default:
      throw std::invalid_argument("a joint without coordinates of one degree");
  }
}

inline bool is_angle(JointType type, int coordinate) {
  return type == JointType::kRevolute || type == JointType::kUniversal ||
         (type == JointType::kCylindrical && coordinate == 1) ||
         (type == JointType::kPlanar && coordinate == 2);
}

// Takes as many whole turns from an angle as bring it nearest to a reference.
template <typename S>
S nearest_turn(const S& angle, const S& reference) {
  const double turn = 2.0 * std::acos(-1.0);
  return angle - S(turn * std::round((real_part(angle) - real_part(reference)) / turn));
}

}  // namespace oracle
