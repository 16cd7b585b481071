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

inline JointMotion joint_motion(const Model<double>& model, const State<double>& state,
                                const Eigen::VectorXd& acceleration, const Joint<double>& joint,
                                int coordinate = 0) {
  const Quantity<double> z = coordinate_quantity(model, state, joint, coordinate);
  return {z.value, z.rate, z.gradient.dot(acceleration) + z.bias};
}

// Multipliers of all constraints: load - mass * acceleration = jacobian^T * multipliers. If some
// constraints are redundant, the smallest that do it.
inline Eigen::VectorXd multipliers(const Model<double>& model, const State<double>& state,
                                   const Eigen::VectorXd& acceleration, double time = 0.0) {
  const Eigen::MatrixXd jacobian = evaluate_constraints(model, state, time).jacobian;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
  factors.setThreshold(kRankThreshold);
  factors.compute(jacobian.transpose());
  return factors.solve(load_vector(model, state, time) - mass_matrix(model, state) * acceleration);
}

// What a joint exerts on its child, in global axes, the moment about the child's joint point.
struct Wrench {
  Vector3<double> force = Vector3<double>::Zero(), moment = Vector3<double>::Zero();
};

// The wrench on the child of a joint, from loads that act between its two bodies (6 numbers per
// body). If the child is the ground, from the parent's part: the two are opposite.
inline Wrench wrench_on_child(const Model<double>& model, const State<double>& state,
                              const Joint<double>& joint, const Eigen::VectorXd& load) {
  const bool grounded = joint.child == kGround;
  const int body = grounded ? joint.parent : joint.child;
  const double sign = grounded ? -1.0 : 1.0;
  const Vector3<double> force = sign * load.segment<3>(6 * body);
  const Vector3<double> moment = sign * load.segment<3>(6 * body + 3);
  const Vector3<double> arm = point_position(model, state, joint.child, joint.child_point) -
                              body_motion(model, state, body).position;
  return {force, moment - cross(arm, force)};
}

// One entry per joint, tree first, then loops: the loads of its constraints on the bodies, 6
// numbers per body.
inline std::vector<Eigen::VectorXd> reaction_loads(const Model<double>& model,
                                                   const State<double>& state,
                                                   const Eigen::VectorXd& acceleration,
                                                   double time = 0.0) {
  const Eigen::MatrixXd jacobian = evaluate_constraints(model, state, time).jacobian;
  const Eigen::VectorXd forces = multipliers(model, state, acceleration, time);
  std::vector<Eigen::VectorXd> loads;
  Eigen::Index row = 0;
  for (std::size_t j = 0; j < model.joint_count(); ++j) {
    const Eigen::Index count = constraint_count(model.joint(j).type);
    loads.push_back(-jacobian.middleRows(row, count).transpose() * forces.segment(row, count));
    row += count;
  }
  return loads;
}

// Adds what acts along the joints' own coordinates: joint forces and drivers.
inline void add_actuator_loads(const Model<double>& model, const State<double>& state,
                               const Eigen::VectorXd& acceleration, double time,
                               std::vector<Eigen::VectorXd>& loads) {
  for (const JointForce<double>& force : model.joint_forces)
    add_joint_force(model, state, force, time, loads[force.joint]);
  const Eigen::VectorXd forces = multipliers(model, state, acceleration, time);
  const Constraints<double> drivers = evaluate_drivers(model, state, time);
  const Eigen::Index first = forces.size() - drivers.value.size();
  Eigen::Index row = 0;
  for (const Driver<double>& driver : model.drivers) {
    if (driver.kind == DriverKind::kCoordinate)
      loads[driver.joint] -= drivers.jacobian.row(row).transpose() * forces(first + row);
    row += driver_count(driver.kind);
  }
}

inline std::vector<Wrench> wrenches(const Model<double>& model, const State<double>& state,
                                    const std::vector<Eigen::VectorXd>& loads) {
  std::vector<Wrench> result;
  for (std::size_t j = 0; j < loads.size(); ++j)
    result.push_back(wrench_on_child(model, state, model.joint(j), loads[j]));
  return result;
}

// The reactions of all joints, tree first, then loops: of their constraints alone.
inline std::vector<Wrench> joint_reactions(const Model<double>& model, const State<double>& state,
                                           const Eigen::VectorXd& acceleration, double time = 0.0) {
  return wrenches(model, state, reaction_loads(model, state, acceleration, time));
}

// The same with what drives, springs and motors on the joints' own coordinates exert.
inline std::vector<Wrench> joint_wrenches(const Model<double>& model, const State<double>& state,
                                          const Eigen::VectorXd& acceleration, double time = 0.0) {
  std::vector<Eigen::VectorXd> loads = reaction_loads(model, state, acceleration, time);
  add_actuator_loads(model, state, acceleration, time, loads);
  return wrenches(model, state, loads);
}

}  // namespace oracle
