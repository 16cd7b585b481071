// A joint seen from its child says the same of the motion, with the same coordinates.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "src/model/nominal.hpp"
#include "src/model/spanning_tree.hpp"

namespace gradus {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector3d vector_of(const Vector3& vector, NominalValues& nominal) {
  const std::array<double, 3> v = nominal.value(vector, "test");
  return {v[0], v[1], v[2]};
}

// Columns axis, zero, axis x zero; without a zero direction the coordinate axis least aligned with
// the joint axis is taken, as docs/conventions.md says.
Matrix3d frame(const Vector3d& direction, const std::optional<Vector3d>& zero) {
  const Vector3d axis = direction.normalized();
  int least = 0;
  axis.cwiseAbs().minCoeff(&least);
  const Vector3d start = zero.value_or(Vector3d::Unit(least));
  Matrix3d frame;
  frame.col(0) = axis;
  frame.col(1) = (start - start.dot(axis) * axis).normalized();
  frame.col(2) = axis.cross(frame.col(1));
  return frame;
}

struct Frames {
  Matrix3d parent, child;
};

Frames frames_of(const Joint& joint, NominalValues& nominal) {
  const bool has_directions = joint.axis || joint.child_axis || joint.zero || joint.child_zero;
  if (joint.type == JointType::fixed && !has_directions)
    return {Matrix3d::Identity(), Matrix3d::Identity()};
  const auto optional = [&nominal](const std::optional<Vector3>& v) -> std::optional<Vector3d> {
    if (!v) return std::nullopt;
    return vector_of(*v, nominal);
  };
  const Vector3d axis = optional(joint.axis).value_or(Vector3d::UnitZ());
  const std::optional<Vector3d> zero = optional(joint.zero);
  const std::optional<Vector3d> child_zero = optional(joint.child_zero);
  return {frame(axis, zero),
          frame(optional(joint.child_axis).value_or(axis), child_zero ? child_zero : zero)};
}

// Pose of the child relative to the parent; the joint's points lie at these places in their bodies.
Isometry3d pose(const Joint& joint, const Vector3d& parent_point, const Vector3d& child_point,
                double angle, double displacement, NominalValues& nominal) {
  const Frames frames = frames_of(joint, nominal);
  const Matrix3d turn = Eigen::AngleAxisd(angle, Vector3d::UnitX()).toRotationMatrix();
  Isometry3d result = Isometry3d::Identity();
  result.linear() = frames.parent * turn * frames.child.transpose();
  result.translation() =
      parent_point + displacement * frames.parent.col(0) - result.linear() * child_point;
  return result;
}

void expect_the_same_motion(const Joint& joint) {
  Model model;
  model.parameters.push_back({"p", 0.7, "", {}, ""});
  NominalValues nominal(model, "test");
  const bool turns = joint.type == JointType::revolute || joint.type == JointType::cylindrical;
  const bool slides = joint.type == JointType::prismatic || joint.type == JointType::cylindrical;
  const double angle = turns ? 0.6 : 0.0;
  const double displacement = slides ? 1.3 : 0.0;
  const Vector3d a(0.1, -0.4, 0.3), b(-0.2, 0.5, 0.9);
  const Joint back = reversed(joint);
  EXPECT_EQ(back.parent, joint.child);
  EXPECT_EQ(back.child, joint.parent);
  const Isometry3d forth = pose(joint, a, b, angle, displacement, nominal);
  const Isometry3d inverse = pose(back, b, a, angle, displacement, nominal);
  EXPECT_LT((forth * inverse).matrix().cwiseAbs().maxCoeff() - 1.0, 1e-14);
  EXPECT_LT(((forth * inverse).matrix() - Eigen::Matrix4d::Identity()).norm(), 1e-14);
  // Twice reversed it is what it was.
  const Isometry3d again = pose(reversed(back), a, b, angle, displacement, nominal);
  EXPECT_LT((again.matrix() - forth.matrix()).norm(), 1e-14);
}

TEST(ReversedJoint, SaysTheSame) {
  for (const JointType type :
       {JointType::revolute, JointType::prismatic, JointType::cylindrical, JointType::fixed}) {
    Joint joint;
    joint.type = type;
    joint.parent = "one";
    joint.child = "other";
    expect_the_same_motion(joint);  // nothing given
    joint.axis = {1, "p", -0.2};
    expect_the_same_motion(joint);  // one axis, default zero
    joint.child_axis = {0.1, "p - 1", "p*2"};
    expect_the_same_motion(joint);  // two axes, default zeros of each side
    joint.zero = {0, 1, "p"};
    expect_the_same_motion(joint);  // one zero
    joint.child_zero = {1, 0.5, "-p"};
    expect_the_same_motion(joint);  // everything
    joint.child_axis.reset();
    expect_the_same_motion(joint);
    joint.axis.reset();
    expect_the_same_motion(joint);
    joint.child_zero.reset();
    expect_the_same_motion(joint);
  }
}

TEST(ReversedJoint, KeepsItsNameAndStart) {
  Joint joint;
  joint.name = "hinge";
  joint.parent = "one";
  joint.child = "other.point";
  joint.start = {{0.5, 2.0, false, false}};
  const Joint back = reversed(joint);
  EXPECT_EQ(back.name, "hinge");
  EXPECT_EQ(back.parent, "other.point");
  EXPECT_EQ(back.start[0].velocity.value(), 2.0);
  EXPECT_EQ((*back.axis)[2].value(), -1.0);
  EXPECT_FALSE(std::signbit((*back.axis)[0].value()));
}

TEST(ReversedJoint, WeldsWithoutDirectionsStayWithoutThem) {
  Joint joint;
  joint.type = JointType::fixed;
  EXPECT_FALSE(reversed(joint).axis.has_value());
}

}  // namespace
}  // namespace gradus
