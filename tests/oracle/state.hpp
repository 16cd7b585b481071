// The state of all bodies, and the motion of one body or point read from it.
#pragma once

#include "tests/oracle/model.hpp"

namespace oracle {

// Per body: 7 numbers of pose (centre of mass, Euler parameters) and 6 of velocity (of the centre
// of mass, angular; both in global axes).
template <typename S>
struct State {
  VectorX<S> pose;
  VectorX<S> velocity;

  State() = default;
  explicit State(int body_count)
      : pose(VectorX<S>::Zero(7 * body_count)), velocity(VectorX<S>::Zero(6 * body_count)) {
    for (int body = 0; body < body_count; ++body) pose(7 * body + 3) = S(1);
  }
};

template <typename S>
struct BodyMotion {
  Vector3<S> com = Vector3<S>::Zero();       // in body axes
  Vector3<S> position = Vector3<S>::Zero();  // of the centre of mass, as all linear quantities here
  Matrix3<S> rotation = Matrix3<S>::Identity();  // body axes to global axes
  Vector3<S> velocity = Vector3<S>::Zero();
  Vector3<S> angular_velocity = Vector3<S>::Zero();
};

template <typename S>
BodyMotion<S> body_motion(const Model<S>& model, const State<S>& state, int body) {
  BodyMotion<S> motion;
  if (body == kGround) return motion;
  motion.com = model.bodies[static_cast<std::size_t>(body)].com;
  motion.position = state.pose.template segment<3>(7 * body);
  motion.rotation = rotation_from_parameters<S>(state.pose.template segment<4>(7 * body + 3));
  motion.velocity = state.velocity.template segment<3>(6 * body);
  motion.angular_velocity = state.velocity.template segment<3>(6 * body + 3);
  return motion;
}

// A point of a body in global axes. `bias` is the acceleration it has when the body's accelerations
// are zero.
template <typename S>
struct PointMotion {
  Vector3<S> arm;  // from the centre of mass
  Vector3<S> position;
  Vector3<S> velocity;
  Vector3<S> bias;
};

template <typename S>
PointMotion<S> point_motion(const BodyMotion<S>& body, const Vector3<S>& point) {
  PointMotion<S> motion;
  motion.arm = body.rotation * (point - body.com);
  const Vector3<S> spin = cross(body.angular_velocity, motion.arm);
  motion.position = body.position + motion.arm;
  motion.velocity = body.velocity + spin;
  motion.bias = cross(body.angular_velocity, spin);
  return motion;
}

template <typename S>
Vector3<S> point_position(const Model<S>& model, const State<S>& state, int body,
                          const Vector3<S>& point) {
  return point_motion(body_motion(model, state, body), point).position;
}

template <typename S>
Vector3<S> point_velocity(const Model<S>& model, const State<S>& state, int body,
                          const Vector3<S>& point) {
  return point_motion(body_motion(model, state, body), point).velocity;
}

// `acceleration` holds 6 numbers per body, as the velocity of the state.
template <typename S>
Vector3<S> point_acceleration(const Model<S>& model, const State<S>& state,
                              const VectorX<S>& acceleration, int body, const Vector3<S>& point) {
  if (body == kGround) return Vector3<S>::Zero();
  const PointMotion<S> motion = point_motion(body_motion(model, state, body), point);
  const Vector3<S> linear = acceleration.template segment<3>(6 * body);
  const Vector3<S> angular = acceleration.template segment<3>(6 * body + 3);
  return linear + cross(angular, motion.arm) + motion.bias;
}

// Time derivative of the pose.
template <typename S>
VectorX<S> pose_rate(const State<S>& state) {
  VectorX<S> rate(state.pose.size());
  for (Eigen::Index body = 0; body < state.pose.size() / 7; ++body) {
    rate.template segment<3>(7 * body) = state.velocity.template segment<3>(6 * body);
    rate.template segment<4>(7 * body + 3) =
        euler_parameter_rate<S>(state.pose.template segment<4>(7 * body + 3),
                                state.velocity.template segment<3>(6 * body + 3));
  }
  return rate;
}

// Moves every body by a small displacement and rotation (6 numbers per body, global axes).
template <typename S>
void displace(State<S>& state, const VectorX<S>& displacement) {
  for (Eigen::Index body = 0; body < state.pose.size() / 7; ++body) {
    state.pose.template segment<3>(7 * body) += displacement.template segment<3>(6 * body);
    const Vector4<S> parameters = state.pose.template segment<4>(7 * body + 3);
    state.pose.template segment<4>(7 * body + 3) = normalized_parameters<S>(
        parameters +
        euler_parameter_rate<S>(parameters, displacement.template segment<3>(6 * body + 3)));
  }
}

}  // namespace oracle
