// Random trees and loops, described once for gradus and once for the oracle. Bodies are numbered in
// both; body i has the points "p0" (its joint point) and "p1".
#pragma once

#include <random>
#include <string>

#include "gradus/model.hpp"
#include "tests/oracle/oracle.hpp"

namespace gradus::test {

struct MechanismPair {
  Model model;
  oracle::Model<double> reference;
};

// Numbers that stay the same on every machine.
class Draw {
 public:
  explicit Draw(unsigned seed) : generator_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(generator_()) / 4294967296.0;
  }
  int below(int count) { return static_cast<int>(generator_() % static_cast<unsigned>(count)); }
  Eigen::Vector3d vector(double size) {
    return {between(-size, size), between(-size, size), between(-size, size)};
  }
  Eigen::Vector3d direction() {
    Eigen::Vector3d v = vector(1.0);
    while (v.norm() < 0.3) v = vector(1.0);
    return v.normalized();
  }

 private:
  std::mt19937 generator_;
};

inline Vector3 numbers(const Eigen::Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}

// A positive definite inertia that a real body could have.
inline Eigen::Matrix3d random_inertia(Draw& draw) {
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (int k = 0; k < 4; ++k) {
    const Eigen::Vector3d s = draw.vector(0.3);
    inertia += s.squaredNorm() * Eigen::Matrix3d::Identity() - s * s.transpose();
  }
  return inertia;
}

inline void add_body(MechanismPair& pair, Draw& draw) {
  Body body;
  body.name = "b" + std::to_string(pair.model.bodies.size());
  const double mass = draw.between(0.5, 2.0);
  const Eigen::Vector3d com = draw.vector(0.3);
  const Eigen::Matrix3d inertia = random_inertia(draw);
  body.mass = mass;
  body.com = numbers(com);
  body.inertia = {inertia(0, 0), inertia(1, 1), inertia(2, 2), inertia(0, 1),
                  inertia(0, 2), inertia(1, 2), "com"};
  body.points["p1"] = numbers(draw.vector(0.5));
  pair.model.bodies.push_back(body);
  pair.reference.bodies.push_back({mass, com, inertia});
}

inline std::string body_name(int body) {
  return body < 0 ? "ground" : "b" + std::to_string(body);
}

// Adds named points for a connection and returns "body.point".
inline std::string add_point(Model& model, int body, const std::string& name,
                             const Eigen::Vector3d& place) {
  Features& features = body < 0
                           ? model.ground
                           : static_cast<Features&>(model.bodies[static_cast<std::size_t>(body)]);
  features.points[name] = numbers(place);
  return body_name(body) + "." + name;
}

// A connection of both descriptions; the caller decides whether it is a joint or a loop.
inline Joint describe_connection(MechanismPair& pair, const std::string& name,
                                 const oracle::Joint<double>& joint) {
  Joint j;
  j.name = name;
  j.type = joint.type == oracle::JointType::kRevolute ? JointType::revolute : JointType::prismatic;
  j.parent = add_point(pair.model, joint.parent, name + "_parent", joint.parent_point);
  j.child = add_point(pair.model, joint.child, name + "_child", joint.child_point);
  j.axis = numbers(joint.axis);
  j.zero = numbers(joint.zero);
  j.child_axis = numbers(joint.child_axis);
  j.child_zero = numbers(joint.child_zero);
  return j;
}

inline oracle::Joint<double> random_joint(Draw& draw, int parent, int child, bool prismatic) {
  const Eigen::Vector3d axis = draw.direction();
  const Eigen::Vector3d child_axis = draw.direction();
  return oracle::make_joint<double>(
      prismatic ? oracle::JointType::kPrismatic : oracle::JointType::kRevolute, parent,
      draw.vector(0.5), child, draw.vector(0.5), axis, draw.direction().cross(axis).normalized(),
      child_axis, draw.direction().cross(child_axis).normalized());
}

inline void add_joint(MechanismPair& pair, Draw& draw, int parent, bool prismatic, bool guess) {
  const int child = static_cast<int>(pair.reference.joints.size());
  oracle::Joint<double> joint = random_joint(draw, parent, child, prismatic);
  const double position = draw.between(-1.0, 1.0);
  const double velocity = guess ? 0.0 : draw.between(-1.0, 1.0);
  joint = oracle::starting_at<double>(joint, position, velocity);
  joint.dependent = guess;
  Joint j = describe_connection(pair, "j" + std::to_string(child), joint);
  CoordinateStart start;
  start.position = position;
  start.velocity = velocity;
  start.position_is_guess = guess;
  start.velocity_is_guess = guess;
  j.start = {start};
  pair.model.joints.push_back(j);
  pair.reference.joints.push_back(joint);
}

inline void add_spring(MechanismPair& pair, Draw& draw, int from, int to) {
  oracle::SpringDamper<double> spring;
  spring.from = from;
  spring.to = to;
  spring.from_point = draw.vector(0.6);
  spring.to_point = draw.vector(0.6);
  spring.stiffness = draw.between(5.0, 30.0);
  spring.damping = draw.between(0.1, 1.0);
  spring.natural_length = draw.between(0.3, 0.8);
  pair.reference.springs.push_back(spring);
  SpringDamper s;
  s.name = "s" + std::to_string(pair.model.springs.size());
  s.from = add_point(pair.model, from, s.name + "_from", spring.from_point);
  s.to = add_point(pair.model, to, s.name + "_to", spring.to_point);
  s.stiffness = spring.stiffness;
  s.damping = spring.damping;
  s.length = spring.natural_length;
  pair.model.springs.push_back(s);
}

inline void add_sensors(Model& model) {
  for (const Body& body : model.bodies) {
    model.sensors.push_back({body.name + "_r", SensorKind::position, body.name + ".p1"});
    model.sensors.push_back({body.name + "_v", SensorKind::velocity, body.name + ".p1"});
    model.sensors.push_back({body.name + "_a", SensorKind::acceleration, body.name + ".p1"});
  }
  model.sensors.push_back({"energy", SensorKind::energy, "total"});
}

// A random tree. Joints are prismatic with the given share.
inline MechanismPair random_tree(unsigned seed, int bodies, double prismatic_share) {
  Draw draw(seed);
  MechanismPair pair;
  pair.model.name = "tree";
  const Eigen::Vector3d gravity = draw.vector(10.0);
  pair.model.gravity = numbers(gravity);
  pair.reference.gravity = gravity;
  for (int i = 0; i < bodies; ++i) {
    add_body(pair, draw);
    const int parent = draw.below(i + 1) - 1;
    add_joint(pair, draw, parent, draw.between(0, 1) < prismatic_share, false);
  }
  for (int k = 0; k < bodies / 2; ++k)
    add_spring(pair, draw, draw.below(bodies + 1) - 1, draw.below(bodies));
  add_sensors(pair.model);
  return pair;
}

// A chain that closes on the ground with a cut revolute or prismatic joint, made to fit where the
// chain happens to be. A closed chain of n + 1 joints has n - 5 degrees of freedom.
inline MechanismPair random_loop(unsigned seed, int bodies, bool prismatic_cut) {
  Draw draw(seed);
  MechanismPair pair;
  pair.model.name = "loop";
  const Eigen::Vector3d gravity = draw.vector(5.0);
  pair.model.gravity = numbers(gravity);
  pair.reference.gravity = gravity;
  for (int i = 0; i < bodies; ++i) {
    add_body(pair, draw);
    add_joint(pair, draw, i - 1, i % 3 == 2, i >= bodies - 5);
  }
  oracle::JointValues<double> values = oracle::start_values(pair.reference);
  const oracle::State<double> state = oracle::place_tree(pair.reference, values);
  const int last = bodies - 1;
  const Eigen::Matrix3d rotation = oracle::body_motion(pair.reference, state, last).rotation;
  oracle::Joint<double> loop = random_joint(draw, oracle::kGround, last, prismatic_cut);
  loop.parent_point = oracle::point_position<double>(pair.reference, state, last, loop.child_point);
  loop.child_axis = rotation.transpose() * loop.axis;
  loop.child_zero = rotation.transpose() * loop.zero;
  pair.model.loops.push_back(describe_connection(pair, "cut", loop));
  pair.reference.loops.push_back(loop);
  add_spring(pair, draw, oracle::kGround, bodies / 2);
  add_sensors(pair.model);
  return pair;
}

}  // namespace gradus::test
