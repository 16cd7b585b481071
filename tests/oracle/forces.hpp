// Applied forces. Each adds to the force at the centre of mass and the torque of every body, in
// global axes, 6 numbers per body.
#pragma once

#include "tests/oracle/quantity.hpp"

namespace oracle {

template <typename S>
void add_force(const Model<S>& model, const State<S>& state, int body, const Vector3<S>& point,
               const Vector3<S>& force, VectorX<S>& load) {
  if (body == kGround) return;
  const Vector3<S> arm = point_motion(body_motion(model, state, body), point).arm;
  load.template segment<3>(6 * body) += force;
  load.template segment<3>(6 * body + 3) += cross(arm, force);
}

template <typename S>
void add_spring(const Model<S>& model, const State<S>& state, const SpringDamper<S>& spring,
                VectorX<S>& load) {
  const Vector3<S> d = point_position(model, state, spring.to, spring.to_point) -
                       point_position(model, state, spring.from, spring.from_point);
  const Vector3<S> d_rate = point_velocity(model, state, spring.to, spring.to_point) -
                            point_velocity(model, state, spring.from, spring.from_point);
  const S extent = length(d);
  const S extent_rate = inner(d, d_rate) / extent;
  const S tension =
      spring.stiffness * (extent - spring.natural_length) + spring.damping * extent_rate;
  const Vector3<S> pull = d * (tension / extent);
  add_force<S>(model, state, spring.from, spring.from_point, pull, load);
  add_force<S>(model, state, spring.to, spring.to_point, -pull, load);
}

template <typename S>
void add_load(const Model<S>& model, const State<S>& state, const Load<S>& applied, double time,
              VectorX<S>& load) {
  if (applied.body == kGround) return;
  Vector3<S> components =
      applied.constant + applied.amplitude * S(std::sin(applied.frequency * time));
  if (applied.in_body_axes)
    components = body_motion(model, state, applied.body).rotation * components;
  if (applied.is_torque)
    load.template segment<3>(6 * applied.body + 3) += components;
  else
    add_force<S>(model, state, applied.body, applied.point, components, load);
}

// The force on the coordinate itself.
template <typename S>
S coordinate_force(const JointForce<S>& force, JointType type, const Quantity<S>& z, double time) {
  const S value = is_angle(type, force.coordinate) ? nearest_turn(z.value, force.rest) : z.value;
  const S given = force.value ? force.value(time).value : S(0);
  return given - force.stiffness * (value - force.rest) - force.damping * z.rate;
}

template <typename S>
void add_joint_force(const Model<S>& model, const State<S>& state, const JointForce<S>& force,
                     double time, VectorX<S>& load) {
  const Joint<S>& joint = model.joint(force.joint);
  const Quantity<S> z = coordinate_quantity(model, state, joint, force.coordinate);
  load += z.gradient.transpose() * coordinate_force(force, joint.type, z, time);
}

// The displacements of a bushing, d_x, d_y, d_z, and its rotation vector: the angle times the axis,
// where it turns at all.
template <typename S>
std::vector<Quantity<S>> bushing_quantities(const Model<S>& model, const State<S>& state,
                                            const Bushing<S>& bushing) {
  const VectorQuantity<S> gap = point_quantity(model, state, bushing.to, bushing.to_point) -
                                point_quantity(model, state, bushing.from, bushing.from_point);
  const auto axis = [&](int body, int i) {
    return direction_quantity<S>(model, state, body, Vector3<S>::Unit(i % 3));
  };
  std::vector<Quantity<S>> quantities;
  for (int i = 0; i < 3; ++i) quantities.push_back(inner(axis(bushing.from, i), gap));
  std::vector<Quantity<S>> sine;
  for (int i = 0; i < 3; ++i)
    sine.push_back(S(0.5) * (inner(axis(bushing.to, i + 1), axis(bushing.from, i + 2)) -
                             inner(axis(bushing.to, i + 2), axis(bushing.from, i + 1))));
  Quantity<S> cosine = inner(axis(bushing.to, 0), axis(bushing.from, 0)) +
                       inner(axis(bushing.to, 1), axis(bushing.from, 1)) +
                       inner(axis(bushing.to, 2), axis(bushing.from, 2));
  cosine.value -= S(1);
  cosine = S(0.5) * cosine;
  const Quantity<S> length = square_root(sine[0] * sine[0] + sine[1] * sine[1] + sine[2] * sine[2]);
  const Quantity<S> ratio = angle_of(length, cosine) * reciprocal(length);
  for (const Quantity<S>& component : sine) quantities.push_back(ratio * component);
  return quantities;
}

// What the dampers of a bushing resist: the rates of the displacements, and the relative angular
// velocity about the axes of the first body, which is the rate of nothing.
template <typename S>
std::vector<Quantity<S>> bushing_motions(const Model<S>& model, const State<S>& state,
                                         const Bushing<S>& bushing) {
  std::vector<Quantity<S>> motions = bushing_quantities(model, state, bushing);
  const Vector3<S> spin = body_motion(model, state, bushing.to).angular_velocity -
                          body_motion(model, state, bushing.from).angular_velocity;
  for (int i = 0; i < 3; ++i) {
    const Vector3<S> axis =
        direction_quantity<S>(model, state, bushing.from, Vector3<S>::Unit(i)).value;
    Quantity<S> q{S(0), inner(axis, spin), S(0), RowX<S>::Zero(6 * model.body_count())};
    for (int k = 0; k < 3; ++k) {
      if (bushing.to != kGround) q.gradient(6 * bushing.to + 3 + k) += axis(k);
      if (bushing.from != kGround) q.gradient(6 * bushing.from + 3 + k) -= axis(k);
    }
    motions[static_cast<std::size_t>(3 + i)] = q;
  }
  return motions;
}

template <typename S>
void add_bushing(const Model<S>& model, const State<S>& state, const Bushing<S>& bushing,
                 VectorX<S>& load) {
  const std::vector<Quantity<S>> quantities = bushing_quantities(model, state, bushing);
  const std::vector<Quantity<S>> motions = bushing_motions(model, state, bushing);
  for (int i = 0; i < 6; ++i) {
    const S stiffness = i < 3 ? bushing.stiffness(i) : bushing.torsional_stiffness(i - 3);
    const S damping = i < 3 ? bushing.damping(i) : bushing.torsional_damping(i - 3);
    const Quantity<S>& q = quantities[static_cast<std::size_t>(i)];
    const Quantity<S>& m = motions[static_cast<std::size_t>(i)];
    load -= q.gradient.transpose() * (stiffness * q.value);
    load -= m.gradient.transpose() * (damping * m.rate);
  }
}

template <typename S>
void add_forces(const Model<S>& model, const State<S>& state, double time, VectorX<S>& load) {
  for (const SpringDamper<S>& spring : model.springs) add_spring(model, state, spring, load);
  for (const Load<S>& applied : model.loads) add_load(model, state, applied, time, load);
  for (const JointForce<S>& force : model.joint_forces)
    add_joint_force(model, state, force, time, load);
  for (const Bushing<S>& bushing : model.bushings) add_bushing(model, state, bushing, load);
}

}  // namespace oracle
