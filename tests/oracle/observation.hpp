// What tests ask of a state beyond its points: energy, momentum, motion in joints of one
// coordinate.
#pragma once

#include "tests/oracle/dynamics.hpp"

namespace oracle {

template <typename S>
S kinetic_energy(const Model<S>& model, const State<S>& state) {
  return inner(state.velocity, mass_matrix(model, state) * state.velocity) * S(0.5);
}

// Of gravity (zero at the global origin) and of the springs.
template <typename S>
S potential_energy(const Model<S>& model, const State<S>& state) {
  S energy(0);
  for (int body = 0; body < model.body_count(); ++body) {
    const Vector3<S> position = body_motion(model, state, body).position;
    energy -= model.bodies[static_cast<std::size_t>(body)].mass * inner(model.gravity, position);
  }
  for (const SpringDamper<S>& spring : model.springs) {
    const Vector3<S> d = point_position(model, state, spring.to, spring.to_point) -
                         point_position(model, state, spring.from, spring.from_point);
    const S extension = length(d) - spring.natural_length;
    energy += spring.stiffness * extension * extension * S(0.5);
  }
  return energy;
}

template <typename S>
S total_energy(const Model<S>& model, const State<S>& state) {
  return kinetic_energy(model, state) + potential_energy(model, state);
}

template <typename S>
Vector3<S> linear_momentum(const Model<S>& model, const State<S>& state) {
  Vector3<S> momentum = Vector3<S>::Zero();
  for (int body = 0; body < model.body_count(); ++body) {
    momentum += body_motion(model, state, body).velocity *
                model.bodies[static_cast<std::size_t>(body)].mass;
  }
  return momentum;
}

// About the global origin.
template <typename S>
Vector3<S> angular_momentum(const Model<S>& model, const State<S>& state) {
  Vector3<S> momentum = Vector3<S>::Zero();
  for (int body = 0; body < model.body_count(); ++body) {
    const BodyMotion<S> motion = body_motion(model, state, body);
    const Vector3<S> linear = motion.velocity * model.bodies[static_cast<std::size_t>(body)].mass;
    momentum += cross(motion.position, linear);
    momentum += inertia_in_global_axes(model, state, body) * motion.angular_velocity;
  }
  return momentum;
}

// Coordinate of a revolute (in (-pi, pi]) or prismatic joint and its two time derivatives.
struct JointMotion {
  double coordinate = 0.0, rate = 0.0, acceleration = 0.0;
};

inline JointMotion joint_motion(const Model<double>& model, const State<double>& state,
                                const Eigen::VectorXd& acceleration, const Joint<double>& joint) {
  const BodyMotion<double> parent = body_motion(model, state, joint.parent);
  const BodyMotion<double> child = body_motion(model, state, joint.child);
  const Matrix3<double> p = parent.rotation * frame(joint.axis, joint.zero);
  const Matrix3<double> c = child.rotation * frame(joint.child_axis, joint.child_zero);
  const auto angular = [&](int body) -> Vector3<double> {
    return body == kGround ? Vector3<double>::Zero()
                           : Vector3<double>(acceleration.segment<3>(6 * body + 3));
  };
  const Vector3<double> axis = p.col(0);
  JointMotion motion;
  if (joint.type == JointType::kRevolute) {
    // The relative angular velocity lies along the axis, so the turning of the axis adds nothing to
    // the acceleration.
    motion.coordinate = std::atan2(inner(p.col(2), c.col(1)), inner(p.col(1), c.col(1)));
    motion.rate = inner(axis, child.angular_velocity - parent.angular_velocity);
    motion.acceleration = inner(axis, angular(joint.child) - angular(joint.parent));
    return motion;
  }
  if (joint.type != JointType::kPrismatic)
    throw std::invalid_argument("joint_motion: revolute or prismatic only");
  const Vector3<double> axis_rate = cross(parent.angular_velocity, axis);
  const Vector3<double> axis_acceleration =
      cross<double>(angular(joint.parent), axis) + cross(parent.angular_velocity, axis_rate);
  const PointMotion<double> from = point_motion(parent, joint.parent_point);
  const PointMotion<double> to = point_motion(child, joint.child_point);
  const Vector3<double> d = to.position - from.position;
  const Vector3<double> d_rate = to.velocity - from.velocity;
  const Vector3<double> d_acceleration =
      point_acceleration(model, state, acceleration, joint.child, joint.child_point) -
      point_acceleration(model, state, acceleration, joint.parent, joint.parent_point);
  motion.coordinate = inner(axis, d);
  motion.rate = inner(axis_rate, d) + inner(axis, d_rate);
  motion.acceleration =
      inner(axis_acceleration, d) + 2.0 * inner(axis_rate, d_rate) + inner(axis, d_acceleration);
  return motion;
}

}  // namespace oracle
