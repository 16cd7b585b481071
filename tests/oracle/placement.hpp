// From joint coordinates to the Cartesian state: the tree is walked from the ground outwards. Used
// only to start a motion; the motion itself knows no joint coordinates.
#pragma once

#include <stdexcept>
#include <string>

#include "tests/oracle/state.hpp"

namespace oracle {

inline int coordinate_count(JointType type) {
  switch (type) {
    case JointType::kFixed:
      return 0;
    case JointType::kRevolute:
      return 1;
    case JointType::kPrismatic:
      return 1;
    case JointType::kCylindrical:
      return 2;
    case JointType::kUniversal:
      return 2;
    case JointType::kSpherical:
      return 4;
    case JointType::kPlanar:
      return 3;
    case JointType::kFree:
      return 7;
  }
  throw std::logic_error("unknown joint type");
}

inline int rate_count(JointType type) {
  const bool has_parameters = type == JointType::kSpherical || type == JointType::kFree;
  return coordinate_count(type) - (has_parameters ? 1 : 0);
}

// Coordinates and rates of every tree joint, in the order of Model::joints.
template <typename S>
struct JointValues {
  std::vector<VectorX<S>> coordinates, rates;
};

template <typename S>
VectorX<S> zero_coordinates(JointType type) {
  VectorX<S> coordinates = VectorX<S>::Zero(coordinate_count(type));
  if (type == JointType::kSpherical) coordinates(0) = S(1);
  if (type == JointType::kFree) coordinates(3) = S(1);
  return coordinates;
}

// The start values written in the model, zeros where there are none.
template <typename S>
JointValues<S> start_values(const Model<S>& model) {
  JointValues<S> values;
  for (const Joint<S>& joint : model.joints) {
    const bool given = joint.coordinates.size() > 0;
    const bool moving = joint.rates.size() > 0;
    if ((given && joint.coordinates.size() != coordinate_count(joint.type)) ||
        (moving && joint.rates.size() != rate_count(joint.type))) {
      throw std::invalid_argument("a joint has the wrong number of start values");
    }
    values.coordinates.push_back(given ? joint.coordinates : zero_coordinates<S>(joint.type));
    values.rates.push_back(moving ? joint.rates
                                  : VectorX<S>(VectorX<S>::Zero(rate_count(joint.type))));
  }
  return values;
}

// Motion of the child relative to the parent, in parent axes: of the child's point from the
// parent's point.
template <typename S>
struct RelativeMotion {
  Matrix3<S> rotation;  // child axes to parent axes
  Vector3<S> angular_velocity = Vector3<S>::Zero();
  Vector3<S> displacement = Vector3<S>::Zero();
  Vector3<S> velocity = Vector3<S>::Zero();
};

template <typename S>
RelativeMotion<S> relative_motion(const Joint<S>& joint, const VectorX<S>& z,
                                  const VectorX<S>& rate) {
  const Matrix3<S> parent = frame(joint.axis, joint.zero);
  const Vector3<S> axis = parent.col(0);
  const Matrix3<S> child = frame(joint.child_axis, joint.child_zero);
  const Matrix3<S> aligned = parent * child.transpose();
  RelativeMotion<S> motion;
  motion.rotation = aligned;
  const auto turn = [&](const S& angle, const S& angle_rate) {
    motion.rotation = rotation_about(axis, angle) * aligned;
    motion.angular_velocity = axis * angle_rate;
  };
  switch (joint.type) {
    case JointType::kFixed:
      break;
    case JointType::kRevolute:
      turn(z(0), rate(0));
      break;
    case JointType::kPrismatic:
      motion.displacement = axis * z(0);
      motion.velocity = axis * rate(0);
      break;
    case JointType::kCylindrical:
      motion.displacement = axis * z(0);
      motion.velocity = axis * rate(0);
      turn(z(1), rate(1));
      break;
    case JointType::kUniversal: {
      const Vector3<S> zero = parent.col(1);
      const Vector3<S> child_axis = child.col(0);
      const Matrix3<S> crossed = frame(zero, axis) * child.transpose();
      const Matrix3<S> outer = rotation_about(axis, z(0)) * crossed;
      motion.rotation = outer * rotation_about(child_axis, z(1));
      motion.angular_velocity = axis * rate(0) + outer * child_axis * rate(1);
      break;
    }
    case JointType::kSpherical:
      motion.rotation = rotation_from_parameters<S>(z) * aligned;
      motion.angular_velocity = rate;
      break;
    case JointType::kPlanar:
      motion.displacement = parent.col(1) * z(0) + parent.col(2) * z(1);
      motion.velocity = parent.col(1) * rate(0) + parent.col(2) * rate(1);
      turn(z(2), rate(2));
      break;
    case JointType::kFree:
      motion.displacement = z.template head<3>();
      motion.velocity = rate.template head<3>();
      motion.rotation = rotation_from_parameters<S>(z.template tail<4>()) * aligned;
      motion.angular_velocity = rate.template tail<3>();
      break;
  }
  return motion;
}

// Adds a small change, one number per rate, to the coordinates.
template <typename S>
void change_coordinates(JointType type, const VectorX<S>& change, VectorX<S>& coordinates) {
  if (type != JointType::kSpherical && type != JointType::kFree) {
    coordinates += change;
    return;
  }
  if (type == JointType::kFree) coordinates.template head<3>() += change.template head<3>();
  const Vector4<S> parameters = coordinates.template tail<4>();
  coordinates.template tail<4>() = normalized_parameters<S>(
      parameters + euler_parameter_rate<S>(parameters, change.template tail<3>()));
}

template <typename S>
State<S> place_tree(const Model<S>& model, const JointValues<S>& values) {
  State<S> state(model.body_count());
  std::vector<bool> placed(model.bodies.size(), false);
  for (std::size_t index = 0; index < model.joints.size(); ++index) {
    const Joint<S>& joint = model.joints[index];
    if (joint.parent != kGround && !placed.at(static_cast<std::size_t>(joint.parent))) {
      throw std::invalid_argument("tree joint " + std::to_string(index) +
                                  " comes before its parent is placed");
    }
    if (placed.at(static_cast<std::size_t>(joint.child))) {
      throw std::invalid_argument("tree joint " + std::to_string(index) +
                                  " places a body a second time");
    }
    const BodyMotion<S> parent = body_motion(model, state, joint.parent);
    const PointMotion<S> from = point_motion(parent, joint.parent_point);
    const RelativeMotion<S> relative =
        relative_motion(joint, values.coordinates[index], values.rates[index]);

    const Matrix3<S> rotation = parent.rotation * relative.rotation;
    const Vector3<S> spin = parent.angular_velocity + parent.rotation * relative.angular_velocity;
    const Vector3<S> displacement = parent.rotation * relative.displacement;
    const Vector3<S> velocity = from.velocity + cross(parent.angular_velocity, displacement) +
                                parent.rotation * relative.velocity;
    const Vector3<S> arm =
        rotation * (model.bodies[static_cast<std::size_t>(joint.child)].com - joint.child_point);

    state.pose.template segment<3>(7 * joint.child) = from.position + displacement + arm;
    state.pose.template segment<4>(7 * joint.child + 3) = parameters_from_rotation(rotation);
    state.velocity.template segment<3>(6 * joint.child) = velocity + cross(spin, arm);
    state.velocity.template segment<3>(6 * joint.child + 3) = spin;
    placed[static_cast<std::size_t>(joint.child)] = true;
  }
  for (std::size_t body = 0; body < placed.size(); ++body) {
    if (!placed[body])
      throw std::invalid_argument("body " + std::to_string(body) + " hangs on no tree joint");
  }
  return state;
}

}  // namespace oracle
