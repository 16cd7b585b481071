// Joints as constraints between two bodies in Cartesian coordinates. Three kinds of equation build
// them all:
//   coincidence     the two joint points meet (3 equations)
//   perpendicular   a direction of one body stays normal to a direction of the other (1)
//   in plane        the child's point stays in the plane of the parent with a given normal (1)
// Each gives its value phi, its row of the Jacobian J, and the right-hand sides of J * velocity and
// J * acceleration that make d(phi)/dt and d2(phi)/dt2 zero. Drivers add equations of the form
// quantity = f(t).
#pragma once

#include <stdexcept>

#include "tests/oracle/quantity.hpp"

namespace oracle {

template <typename S>
struct Constraints {
  VectorX<S> value;
  MatrixX<S> jacobian;
  VectorX<S> velocity;  // the right-hand sides
  VectorX<S> acceleration;
};

template <typename S>
Constraints<S> no_constraints(int count, int body_count) {
  return {VectorX<S>::Zero(count), MatrixX<S>::Zero(count, 6 * body_count), VectorX<S>::Zero(count),
          VectorX<S>::Zero(count)};
}

inline int constraint_count(JointType type) {
  switch (type) {
    case JointType::kFixed:
      return 6;
    case JointType::kRevolute:
      return 5;
    case JointType::kPrismatic:
      return 5;
    case JointType::kCylindrical:
      return 4;
    case JointType::kUniversal:
      return 4;
    case JointType::kSpherical:
      return 3;
    case JointType::kPlanar:
      return 3;
    case JointType::kFree:
      return 0;
  }
  throw std::logic_error("unknown joint type");
}

// Writes the equations of one joint, row after row.
template <typename S>
class JointEquations {
 public:
  JointEquations(const Model<S>& model, const State<S>& state, const Joint<S>& joint,
                 Constraints<S>& out, int row)
      : joint_(joint), out_(out), row_(row) {
    parent_ = body_motion(model, state, joint.parent);
    child_ = body_motion(model, state, joint.child);
    parent_point_ = point_motion(parent_, joint.parent_point);
    child_point_ = point_motion(child_, joint.child_point);
  }

  void write() {
    const Matrix3<S> p = parent_.rotation * frame(joint_.axis, joint_.zero);
    const Matrix3<S> c = child_.rotation * frame(joint_.child_axis, joint_.child_zero);
    const JointType type = joint_.type;
    if (type == JointType::kFixed || type == JointType::kRevolute ||
        type == JointType::kSpherical || type == JointType::kUniversal) {
      coincidence();
    }
    if (type == JointType::kPrismatic || type == JointType::kCylindrical) {
      in_plane(p.col(1));
      in_plane(p.col(2));
    }
    if (type == JointType::kPlanar) in_plane(p.col(0));
    if (type == JointType::kUniversal) perpendicular(p.col(0), c.col(0));
    const bool axes_parallel = type == JointType::kFixed || type == JointType::kRevolute ||
                               type == JointType::kPrismatic || type == JointType::kCylindrical ||
                               type == JointType::kPlanar;
    if (axes_parallel) {
      perpendicular(p.col(1), c.col(0));
      perpendicular(p.col(2), c.col(0));
    }
    if (type == JointType::kFixed || type == JointType::kPrismatic)
      perpendicular(p.col(1), c.col(2));
  }

 private:
  void coincidence() {
    const Vector3<S> gap = child_point_.position - parent_point_.position;
    const Vector3<S> bias = child_point_.bias - parent_point_.bias;
    for (int i = 0; i < 3; ++i) {
      const Vector3<S> e = Vector3<S>::Unit(i);
      add(gap(i), -e, -cross(parent_point_.arm, e), e, cross(child_point_.arm, e), bias(i));
    }
  }

  // a . b = 0, a fixed in the parent, b in the child, both in global axes.
  void perpendicular(const Vector3<S>& a, const Vector3<S>& b) {
    const Vector3<S> none = Vector3<S>::Zero();
    const Vector3<S> normal = cross(a, b);
    const Vector3<S> a_rate = cross(parent_.angular_velocity, a);
    const Vector3<S> b_rate = cross(child_.angular_velocity, b);
    const Vector3<S> normal_rate = cross(a_rate, b) + cross(a, b_rate);
    const Vector3<S> relative = parent_.angular_velocity - child_.angular_velocity;
    add(inner(a, b), none, normal, none, -normal, inner(relative, normal_rate));
  }

  // a . d = 0, a fixed in the parent, d from the parent's point to the child's.
  void in_plane(const Vector3<S>& a) {
    const Vector3<S> d = child_point_.position - parent_point_.position;
    const Vector3<S> d_rate = child_point_.velocity - parent_point_.velocity;
    const Vector3<S> d_bias = child_point_.bias - parent_point_.bias;
    const Vector3<S> a_rate = cross(parent_.angular_velocity, a);
    const Vector3<S> a_bias = cross(parent_.angular_velocity, a_rate);
    const S bias = inner(a_bias, d) + S(2) * inner(a_rate, d_rate) + inner(a, d_bias);
    add(inner(a, d), -a, cross(a, d) - cross(parent_point_.arm, a), a, cross(child_point_.arm, a),
        bias);
  }

  // One equation: its value, the factors of the parent's and the child's velocity and angular
  // velocity, and its second time derivative when all accelerations are zero.
  void add(const S& value, const Vector3<S>& parent_linear, const Vector3<S>& parent_angular,
           const Vector3<S>& child_linear, const Vector3<S>& child_angular, const S& bias) {
    out_.value(row_) = value;
    if (joint_.parent != kGround) {
      out_.jacobian.row(row_).template segment<3>(6 * joint_.parent) = parent_linear.transpose();
      out_.jacobian.row(row_).template segment<3>(6 * joint_.parent + 3) =
          parent_angular.transpose();
    }
    if (joint_.child != kGround) {
      out_.jacobian.row(row_).template segment<3>(6 * joint_.child) = child_linear.transpose();
      out_.jacobian.row(row_).template segment<3>(6 * joint_.child + 3) = child_angular.transpose();
    }
    out_.acceleration(row_) = -bias;
    ++row_;
  }

  const Joint<S>& joint_;
  Constraints<S>& out_;
  int row_;
  BodyMotion<S> parent_, child_;
  PointMotion<S> parent_point_, child_point_;
};

// Of some joints, without the drivers.
template <typename S>
Constraints<S> evaluate_constraints(const Model<S>& model, const State<S>& state,
                                    const std::vector<Joint<S>>& joints) {
  int count = 0;
  for (const Joint<S>& joint : joints) count += constraint_count(joint.type);
  Constraints<S> constraints = no_constraints<S>(count, model.body_count());
  int row = 0;
  for (const Joint<S>& joint : joints) {
    JointEquations<S>(model, state, joint, constraints, row).write();
    row += constraint_count(joint.type);
  }
  return constraints;
}

// What a driver holds at f(t): one quantity, or the three components of a gap.
template <typename S>
std::vector<Quantity<S>> driven_quantities(const Model<S>& model, const State<S>& state,
                                           const Driver<S>& driver) {
  if (driver.kind == DriverKind::kCoordinate)
    return {coordinate_quantity(model, state, model.joint(driver.joint), driver.coordinate)};
  if (driver.kind == DriverKind::kDot) {
    return {inner(direction_quantity(model, state, driver.first_body, driver.first),
                  direction_quantity(model, state, driver.second_body, driver.second))};
  }
  const VectorQuantity<S> gap = point_quantity(model, state, driver.second_body, driver.second) -
                                point_quantity(model, state, driver.first_body, driver.first);
  if (driver.kind == DriverKind::kDistance) return {square_root(inner(gap, gap))};
  std::vector<Quantity<S>> components;
  for (int i = 0; i < 3; ++i)
    components.push_back({gap.value(i), gap.rate(i), gap.bias(i), gap.gradient.row(i)});
  return components;
}

inline int driver_count(DriverKind kind) {
  return kind == DriverKind::kCoincident ? 3 : 1;
}

template <typename S>
void write_driver(const Model<S>& model, const State<S>& state, const Driver<S>& driver,
                  double time, Constraints<S>& out, int row) {
  const Signal<S> target = driver.function ? driver.function(time) : Signal<S>{};
  const bool angle = driver.kind == DriverKind::kCoordinate &&
                     is_angle(model.joint(driver.joint).type, driver.coordinate);
  for (const Quantity<S>& q : driven_quantities(model, state, driver)) {
    out.value(row) = (angle ? nearest_turn(q.value, target.value) : q.value) - target.value;
    out.jacobian.row(row) = q.gradient;
    out.velocity(row) = target.rate;
    out.acceleration(row) = target.acceleration - q.bias;
    ++row;
  }
}

template <typename S>
Constraints<S> evaluate_drivers(const Model<S>& model, const State<S>& state, double time) {
  int count = 0;
  for (const Driver<S>& driver : model.drivers) count += driver_count(driver.kind);
  Constraints<S> constraints = no_constraints<S>(count, model.body_count());
  int row = 0;
  for (const Driver<S>& driver : model.drivers) {
    write_driver(model, state, driver, time, constraints, row);
    row += driver_count(driver.kind);
  }
  return constraints;
}

template <typename S>
Constraints<S> stacked(const Constraints<S>& a, const Constraints<S>& b) {
  const Eigen::Index first = a.value.size(), second = b.value.size();
  Constraints<S> both{VectorX<S>(first + second), MatrixX<S>(first + second, a.jacobian.cols()),
                      VectorX<S>(first + second), VectorX<S>(first + second)};
  both.value << a.value, b.value;
  both.jacobian << a.jacobian, b.jacobian;
  both.velocity << a.velocity, b.velocity;
  both.acceleration << a.acceleration, b.acceleration;
  return both;
}

// Tree joints first, then loops: in Cartesian coordinates there is no difference between them.
// Drivers come last.
template <typename S>
Constraints<S> evaluate_constraints(const Model<S>& model, const State<S>& state,
                                    double time = 0.0) {
  std::vector<Joint<S>> all = model.joints;
  all.insert(all.end(), model.loops.begin(), model.loops.end());
  return stacked(evaluate_constraints(model, state, all), evaluate_drivers(model, state, time));
}

// What tree coordinates do not satisfy by themselves: loops and drivers.
template <typename S>
Constraints<S> evaluate_closures(const Model<S>& model, const State<S>& state, double time = 0.0) {
  return stacked(evaluate_constraints(model, state, model.loops),
                 evaluate_drivers(model, state, time));
}

}  // namespace oracle
