// Random trees and loops, described once for gradus and once for the oracle. Bodies are numbered in
// both; body i has the points "p0" (its joint point) and "p1".
#pragma once

#include <random>
#include <string>
#include <vector>

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

Vector3 numbers(const Eigen::Vector3d& v);

void add_body(MechanismPair& pair, Draw& draw);

std::string body_name(int body);

// Adds named points for a connection and returns "body.point".
std::string add_point(Model& model, int body, const std::string& name,
                      const Eigen::Vector3d& place);

JointType joint_type(oracle::JointType type);

bool has_euler_parameters(oracle::JointType type);

oracle::Joint<double> random_joint(Draw& draw, int parent, int child, oracle::JointType type);

// A tree joint that carries the next body.
void add_joint(MechanismPair& pair, Draw& draw, int parent, oracle::JointType type, bool guess);

void add_sensors(Model& model);

MechanismPair empty_mechanism(const std::string& name, const Eigen::Vector3d& gravity);

// Where and how the child of a cut joint stands on its parent, both as they are: the joint is made
// to fit. Slides begin a little away from zero.
void fit_cut(const MechanismPair& pair, Draw& draw, oracle::Joint<double>& cut);

// A random tree. Joints are prismatic with the given share.
MechanismPair random_tree(unsigned seed, int bodies, double prismatic_share);

// A chain that closes on the ground with a cut revolute or prismatic joint, made to fit where the
// chain happens to be. A closed chain of n + 1 joints has n - 5 degrees of freedom.
MechanismPair random_loop(unsigned seed, int bodies, bool prismatic_cut);

const std::vector<oracle::JointType>& all_joint_types();

// All types in a random order, again and again.
std::vector<oracle::JointType> shuffled_types(Draw& draw, int count);

// A random tree of all joints, more of a chain than of a bush, with springs. Every fourth begins
// with a floating joint, every fourth with a spherical one in second place.
MechanismPair random_tree_of_all_joints(unsigned seed, int bodies);

// Whether no equation of a loop is nearly redundant and something is free to move.
bool is_well_posed(const MechanismPair& pair);

// A loop of all joints closed by a cut joint of the given type.
MechanismPair random_loop_of_all_joints(unsigned seed, int bodies, oracle::JointType cut_type);

}  // namespace gradus::test
