// The mass matrix of a tree, by the Jacobians of its bodies.
#include <Eigen/Cholesky>
#include <cstddef>

#include "src/model/import/mjcf_scene.hpp"

namespace gradus::importing {
namespace {

using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic>;
constexpr Eigen::Index kMostDirections = 2000;

// Angular velocity, and velocity of what lies at the global origin.
Eigen::Matrix<double, 6, 1> turning(const Vector& axis, const Vector& about) {
  Eigen::Matrix<double, 6, 1> twist;
  twist << axis, about.cross(axis);
  return twist;
}
Eigen::Matrix<double, 6, 1> sliding(const Vector& direction) {
  Eigen::Matrix<double, 6, 1> twist;
  twist << Vector::Zero(), direction;
  return twist;
}

// The twists of a joint's directions, in those of its child.
Columns twists_of(const ImportedJoint& joint, const Pose& child) {
  const Vector place = child.place + child.rotation * joint.child_place;
  const Vector axis = child.rotation * joint.axis;
  if (joint.type == "revolute") return turning(axis, place);
  if (joint.type == "prismatic") return sliding(axis);
  const bool floats = joint.type == "floating";
  Columns twists(6, floats ? 6 : 3);
  for (Eigen::Index k = 0; k < 3; ++k) {
    twists.col(k) = turning(child.rotation.col(k), place);
    if (floats) twists.col(3 + k) = sliding(Vector::Unit(k));
  }
  return twists;
}

// About the global origin: what a body's twist makes of its momentum.
Eigen::Matrix<double, 6, 6> inertia_of(const ImportedBody& body, const Pose& pose) {
  const Vector com = pose.place + pose.rotation * body.com;
  Matrix moment;
  moment << 0, -com.z(), com.y(), com.z(), 0, -com.x(), -com.y(), com.x(), 0;
  Eigen::Matrix<double, 6, 6> inertia;
  inertia << pose.rotation * body.inertia * pose.rotation.transpose() +
                 point_inertia(body.mass, com),
      body.mass * moment, -body.mass * moment, body.mass * Matrix::Identity();
  return inertia;
}

}  // namespace

std::vector<double> inertia_at_joints(const MjcfScene& scene, const std::vector<double>& armature) {
  const std::vector<ImportedBody>& bodies = scene.m.bodies;
  std::vector<Eigen::Index> begin{0};
  std::vector<Columns> twists;
  std::vector<int> joint_of(bodies.size(), -1), parent_of(bodies.size(), kGround);
  for (const ImportedJoint& joint : scene.m.joints)
    parent_of[std::size_t(joint.child)] = joint.parent;
  for (const MjcfJoint& joint : scene.joints) {
    const ImportedJoint& imported = scene.m.joints[joint.index];
    joint_of[std::size_t(imported.child)] = static_cast<int>(twists.size());
    twists.push_back(twists_of(imported, scene.pose_of(imported.child)));
    begin.push_back(begin.back() + twists.back().cols());
  }
  const Eigen::Index n = begin.back();
  if (n > kMostDirections) return {};

  // Composite bodies, children before parents: bodies come behind what carries them.
  std::vector<Eigen::Matrix<double, 6, 6>> composite;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    composite.push_back(inertia_of(bodies[i], scene.poses[i]));
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t i = bodies.size(); i-- > 0;) {
    if (parent_of[i] != kGround) composite[std::size_t(parent_of[i])] += composite[i];
    if (joint_of[i] < 0) continue;
    const auto joint = std::size_t(joint_of[i]);
    const Columns momentum = composite[i] * twists[joint];
    for (int at = static_cast<int>(i); at != kGround; at = parent_of[std::size_t(at)]) {
      if (joint_of[std::size_t(at)] < 0) continue;
      const auto other = std::size_t(joint_of[std::size_t(at)]);
      const Eigen::MatrixXd entries = twists[other].transpose() * momentum;
      mass.block(begin[other], begin[joint], entries.rows(), entries.cols()) = entries;
      mass.block(begin[joint], begin[other], entries.cols(), entries.rows()) = entries.transpose();
    }
    mass.diagonal().segment(begin[joint], twists[joint].cols()).array() += armature[joint];
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(mass);
  if (factor.info() != Eigen::Success) return {};
  const Eigen::MatrixXd inverse = factor.solve(Eigen::MatrixXd::Identity(n, n));
  std::vector<double> inertia;
  for (std::size_t k = 0; k < twists.size(); ++k) {
    const Eigen::Index count = twists[k].cols();
    inertia.push_back(static_cast<double>(count) /
                      inverse.diagonal().segment(begin[k], count).sum());
  }
  return inertia;
}

}  // namespace gradus::importing
