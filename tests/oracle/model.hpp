// A mechanism as plain data. Bodies are numbered from 0; -1 is the ground, whose axes are the
// global ones. Points are given in the axes of their body, measured from the origin of these axes,
// which may be anywhere on the body.
#pragma once

#include <functional>
#include <vector>

#include "tests/oracle/rotation.hpp"

namespace oracle {

constexpr int kGround = -1;

template <typename S>
struct Body {
  S mass = S(0);
  Vector3<S> com = Vector3<S>::Zero();      // centre of mass, body axes
  Matrix3<S> inertia = Matrix3<S>::Zero();  // about the centre of mass, body axes
};

// What a joint leaves free, and its coordinates. At zero coordinates the child's frame (axis, zero)
// lies on the parent's, except for the universal joint, where the child's axis lies on the parent's
// zero direction and the child's zero direction on the parent's axis. Rates are the derivatives of
// the coordinates unless said otherwise.
enum class JointType {
  kFixed,        // nothing
  kRevolute,     // angle about the axis
  kPrismatic,    // displacement of the child's point along the axis
  kCylindrical,  // displacement along the axis, angle about it
  kUniversal,    // angle about the parent's axis, angle about the child's axis; the two stay
                 // perpendicular
  kSpherical,    // 4 Euler parameters; rates: 3 angular velocities relative to the parent, in its
                 // axes
  kPlanar,       // displacements along zero and axis x zero, angle about the axis
  kFree,  // 3 displacements in parent axes, 4 Euler parameters; rates: 3 and 3 in parent axes
};

// Joins `parent_point` of the parent to `child_point` of the child. In a tree joint the start
// values say where the child begins; a loop closure ignores them.
template <typename S>
struct Joint {
  JointType type = JointType::kRevolute;
  int parent = kGround;
  int child = kGround;
  Vector3<S> parent_point = Vector3<S>::Zero();
  Vector3<S> child_point = Vector3<S>::Zero();
  Vector3<S> axis = Vector3<S>::UnitZ(), zero = Vector3<S>::UnitX();              // parent axes
  Vector3<S> child_axis = Vector3<S>::UnitZ(), child_zero = Vector3<S>::UnitX();  // child axes
  VectorX<S> coordinates, rates;  // at the start; empty means zero
  bool dependent = false;         // start values are guesses that the loop closures correct
};

// Force stiffness * (length - natural_length) + damping * d(length)/dt, pulling the two points
// together.
template <typename S>
struct SpringDamper {
  int from = kGround;
  int to = kGround;
  Vector3<S> from_point = Vector3<S>::Zero();
  Vector3<S> to_point = Vector3<S>::Zero();
  S stiffness = S(0), damping = S(0), natural_length = S(0);
};

// A given function of time: its value and its first two derivatives.
template <typename S>
struct Signal {
  S value = S(0), rate = S(0), acceleration = S(0);
};

template <typename S>
using TimeFunction = std::function<Signal<S>(double time)>;

// offset + slope t + amplitude sin(frequency t).
template <typename S>
TimeFunction<S> harmonic(const S& offset, const S& slope = S(0), const S& amplitude = S(0),
                         double frequency = 0.0) {
  return [=](double time) {
    const double sine = std::sin(frequency * time), cosine = std::cos(frequency * time);
    return Signal<S>{offset + slope * time + amplitude * sine,
                     slope + amplitude * (frequency * cosine),
                     amplitude * (-frequency * frequency * sine)};
  };
}

// What a driver prescribes.
enum class DriverKind {
  kDistance,    // |second - first| = f(t), of two points
  kDot,         // first . second = f(t), of two directions
  kCoincident,  // two points at one place; no function of time
  kCoordinate,  // a coordinate of a joint = f(t)
};

// A constraint beyond the joints. `first` and `second` are points or directions of two bodies; a
// joint is named by its number, the loops counted on after the tree.
template <typename S>
struct Driver {
  DriverKind kind = DriverKind::kDistance;
  int first_body = kGround, second_body = kGround;
  Vector3<S> first = Vector3<S>::Zero(), second = Vector3<S>::Zero();
  std::size_t joint = 0;
  int coordinate = 0;
  TimeFunction<S> function;
};

// A force at a point or a torque: constant + amplitude sin(frequency t), in global axes or in those
// of its body.
template <typename S>
struct Load {
  bool is_torque = false;
  int body = kGround;
  Vector3<S> point = Vector3<S>::Zero();
  bool in_body_axes = false;
  Vector3<S> constant = Vector3<S>::Zero(), amplitude = Vector3<S>::Zero();
  double frequency = 0.0;
};

// Force on a coordinate of a joint: value(t) - stiffness (z - rest) - damping dz/dt. Angles are
// taken within half a turn of `rest`.
template <typename S>
struct JointForce {
  std::size_t joint = 0;
  int coordinate = 0;
  S stiffness = S(0), damping = S(0), rest = S(0);
  TimeFunction<S> value;  // none if empty
};

// Elastic connection in the axes x, y, z of the body `from`. Forces -(stiffness d + damping dd/dt)
// by d = (x . g, y . g, z . g), g the gap from the first to the second point; torques
// -(torsional_stiffness s + torsional_damping ds/dt) by s_x = (y'.z - z'.y) / 2 and so on, x', y',
// z' the axes of the body `to`. Each acts in the virtual work of its d or s.
template <typename S>
struct Bushing {
  int from = kGround, to = kGround;
  Vector3<S> from_point = Vector3<S>::Zero(), to_point = Vector3<S>::Zero();
  Vector3<S> stiffness = Vector3<S>::Zero(), damping = Vector3<S>::Zero();
  Vector3<S> torsional_stiffness = Vector3<S>::Zero(), torsional_damping = Vector3<S>::Zero();
};

template <typename S>
struct State;

template <typename S>
struct Model {
  std::vector<Body<S>> bodies;
  std::vector<Joint<S>> joints;  // the tree: one per body, parents before their children
  std::vector<Joint<S>> loops;   // closures
  std::vector<SpringDamper<S>> springs;
  Vector3<S> gravity = Vector3<S>::Zero();
  std::vector<Driver<S>> drivers;
  std::vector<Load<S>> loads;
  std::vector<JointForce<S>> joint_forces;
  std::vector<Bushing<S>> bushings;
  // Further loads, if any: adds to the force at the centre of mass and the torque, in global axes,
  // 6 numbers per body.
  std::function<void(const Model&, const State<S>&, double time, VectorX<S>& load)> extra_load;

  int body_count() const { return static_cast<int>(bodies.size()); }
  std::size_t joint_count() const { return joints.size() + loops.size(); }
  // A joint of the tree, or a loop, counted on after the tree.
  const Joint<S>& joint(std::size_t number) const {
    return number < joints.size() ? joints[number] : loops.at(number - joints.size());
  }
};

// A joint whose two sides agree: at zero coordinates the child's axes are parallel to the parent's.
template <typename S>
Joint<S> make_joint(JointType type, int parent, const Vector3<S>& parent_point, int child,
                    const Vector3<S>& child_point, const Vector3<S>& axis = Vector3<S>::UnitZ()) {
  Joint<S> joint;
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.parent_point = parent_point;
  joint.child_point = child_point;
  joint.axis = axis;
  joint.zero = any_normal(axis);
  const bool crossed = type == JointType::kUniversal;
  joint.child_axis = crossed ? joint.zero : joint.axis;
  joint.child_zero = crossed ? joint.axis : joint.zero;
  return joint;
}

// A joint with every direction given. Zero directions count only by their part normal to the axis.
template <typename S>
Joint<S> make_joint(JointType type, int parent, const Vector3<S>& parent_point, int child,
                    const Vector3<S>& child_point, const Vector3<S>& axis, const Vector3<S>& zero,
                    const Vector3<S>& child_axis, const Vector3<S>& child_zero) {
  Joint<S> joint = make_joint(type, parent, parent_point, child, child_point, axis);
  joint.zero = zero;
  joint.child_axis = child_axis;
  joint.child_zero = child_zero;
  return joint;
}

// A joint of one coordinate with its start value.
template <typename S>
Joint<S> starting_at(Joint<S> joint, const S& coordinate, const S& rate = S(0)) {
  joint.coordinates = VectorX<S>::Constant(1, coordinate);
  joint.rates = VectorX<S>::Constant(1, rate);
  return joint;
}

// The same as a guess that the loop closures correct.
template <typename S>
Joint<S> guessed_at(Joint<S> joint, const S& coordinate) {
  joint = starting_at(joint, coordinate);
  joint.dependent = true;
  return joint;
}

}  // namespace oracle
