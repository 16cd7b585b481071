// What tests ask of a state beyond its points: energy, momentum, motion in joint coordinates,
// reactions.
#pragma once

#include "tests/oracle/dynamics.hpp"

namespace oracle {

template <typename S>
S kinetic_energy(const Model<S>& model, const State<S>& state) {
  return inner(state.velocity, mass_matrix(model, state) * state.velocity) * S(0.5);
}

template <typename S>
S elastic_energy(const Model<S>& model, const State<S>& state, const Bushing<S>& bushing) {
  const std::vector<Quantity<S>> quantities = bushing_quantities(model, state, bushing);
  S energy(0);
  for (int i = 0; i < 6; ++i) {
    const S stiffness = i < 3 ? bushing.stiffness(i) : bushing.torsional_stiffness(i - 3);
    const S value = quantities[static_cast<std::size_t>(i)].value;
    energy += stiffness * value * value * S(0.5);
  }
  return energy;
}

template <typename S>
S elastic_energy(const Model<S>& model, const State<S>& state, const JointForce<S>& force) {
  const Joint<S>& joint = model.joint(force.joint);
  S value = coordinate_quantity(model, state, joint, force.coordinate).value;
  if (is_angle(joint.type, force.coordinate)) value = nearest_turn(value, force.rest);
  return force.stiffness * (value - force.rest) * (value - force.rest) * S(0.5);
}

// Of gravity (zero at the global origin), springs, joint springs and bushings.
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
  for (const JointForce<S>& force : model.joint_forces)
    energy += elastic_energy(model, state, force);
  for (const Bushing<S>& bushing : model.bushings) energy += elastic_energy(model, state, bushing);
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

// A joint coordinate (angles in (-pi, pi]) and its two time derivatives.
struct JointMotion {
  double coordinate = 0.0, rate = 0.0, acceleration = 0.0;
};

JointMotion joint_motion(const Model<double>& model, const State<double>& state,
                         const Eigen::VectorXd& acceleration, const Joint<double>& joint,
                         int coordinate = 0);

// Multipliers of all constraints: load - mass * acceleration = jacobian^T * multipliers. If some
// constraints are redundant, the smallest that do it.
Eigen::VectorXd multipliers(const Model<double>& model, const State<double>& state,
                            const Eigen::VectorXd& acceleration, double time = 0.0);

// What a joint exerts on its child, in global axes, the moment about the child's joint point.
struct Wrench {
  Vector3<double> force = Vector3<double>::Zero(), moment = Vector3<double>::Zero();
};

// The wrench on the child of a joint, from loads that act between its two bodies (6 numbers per
// body). If the child is the ground, from the parent's part: the two are opposite.
Wrench wrench_on_child(const Model<double>& model, const State<double>& state,
                       const Joint<double>& joint, const Eigen::VectorXd& load);

// One entry per joint, tree first, then loops: the loads of its constraints on the bodies, 6
// numbers per body.
std::vector<Eigen::VectorXd> reaction_loads(const Model<double>& model, const State<double>& state,
                                            const Eigen::VectorXd& acceleration, double time = 0.0);

// Adds what acts along the joints' own coordinates: joint forces and drivers.
void add_actuator_loads(const Model<double>& model, const State<double>& state,
                        const Eigen::VectorXd& acceleration, double time,
                        std::vector<Eigen::VectorXd>& loads);

std::vector<Wrench> wrenches(const Model<double>& model, const State<double>& state,
                             const std::vector<Eigen::VectorXd>& loads);

// The reactions of all joints, tree first, then loops: of their constraints alone.
std::vector<Wrench> joint_reactions(const Model<double>& model, const State<double>& state,
                                    const Eigen::VectorXd& acceleration, double time = 0.0);

// The same with what drives, springs and motors on the joints' own coordinates exert.
std::vector<Wrench> joint_wrenches(const Model<double>& model, const State<double>& state,
                                   const Eigen::VectorXd& acceleration, double time = 0.0);

}  // namespace oracle
