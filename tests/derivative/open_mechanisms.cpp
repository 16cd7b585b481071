// Open chains and trees.
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"

namespace gradus::derivative {
namespace {

Analysis short_analysis(double duration, double step) {
  Analysis analysis;
  analysis.duration = duration;
  analysis.step = step;
  analysis.tolerance = 1e-12;
  return analysis;
}

}  // namespace

Model skew_chain() {
  Model m;
  m.name = "skew chain";
  m.gravity = {0.7, -9.6, 1.3};
  m.ground.points = {{"base", {0.1, 0.2, -0.1}}, {"wall", {1.4, 0.3, 0.8}}};
  m.bodies = {
      make_body("b1", 1.3, {0.21, -0.05, 0.08}, {0.031, 0.042, 0.037, 0.004, -0.003, 0.002, "com"},
                {{"root", {-0.1, 0.03, 0.02}}, {"tip", {0.42, 0.1, -0.06}}}),
      make_body("b2", 0.9, {0.15, 0.07, -0.04}, {0.051, 0.062, 0.057, -0.005, 0.004, 0.003, "root"},
                {{"root", {0.05, -0.02, 0.04}}, {"tip", {0.35, -0.08, 0.12}}}),
      make_body("b3", 0.7, {0.18, -0.03, 0.05}, {0.015, 0.022, 0.019, 0.002, 0.001, -0.003, "com"},
                {{"tip", {0.38, 0.05, 0.09}}, {"hook", {0.12, 0.2, -0.05}}}),
      make_body("b4", 0.5, {0.11, 0.04, 0.06}, {0.011, 0.013, 0.012, -0.001, 0.002, 0.001, "com"},
                {{"tip", {0.31, -0.07, 0.04}}}),
  };
  Joint j1 =
      make_joint("j1", JointType::revolute, "ground.base", "b1.root", {0.2, 0.3, 1.0}, 0.4, 1.1);
  j1.child_axis = Vector3{-0.3, 0.2, 0.9};
  j1.zero = Vector3{1.0, 0.2, 0.1};
  j1.child_zero = Vector3{0.9, -0.3, 0.4};
  Joint j2 =
      make_joint("j2", JointType::prismatic, "b1.tip", "b2.root", {0.8, -0.4, 0.3}, 0.15, -0.6);
  j2.child_axis = Vector3{0.6, 0.5, -0.2};
  j2.zero = Vector3{0.1, 1.0, 0.3};
  Joint j3 = make_joint("j3", JointType::revolute, "b2.tip", "b3", {-0.4, 0.9, 0.35}, -0.7, 1.9);
  j3.child_axis = Vector3{0.1, 0.8, -0.6};
  Joint j4 = make_joint("j4", JointType::revolute, "b3.tip", "b4", {0.7, 0.2, -0.5}, 0.5, -1.4);
  m.joints = {j1, j2, j3, j4};
  m.forces = {make_spring("s1", "ground.wall", "b3.tip", 31.0, 0.4, 0.6),
              make_spring("s2", "b1.tip", "b4.tip", 17.0, 0.3, 0.45),
              make_spring("s3", "b3.hook", "ground.base", 12.0, 0.2, 0.5)};
  add_objectives(m, "b4.tip", "j2");
  m.analysis = short_analysis(0.5, 1e-2);
  return m;
}

Model branched_tree() {
  Model m;
  m.name = "branched tree";
  m.gravity = {-0.4, -9.7, 0.9};
  m.ground.points = {{"base", {0.05, -0.1, 0.2}}, {"hook", {-0.6, 0.5, 0.4}}};
  m.bodies = {
      // Out of tree order on purpose: leaves come first.
      make_body("left tip", 0.4, {0.1, 0.03, -0.02},
                {0.006, 0.007, 0.008, 0.001, 0.0005, -0.0008, "com"},
                {{"tip", {0.28, 0.02, 0.05}}}),
      make_body("trunk", 2.1, {0.05, 0.3, -0.04}, {0.11, 0.09, 0.12, 0.01, -0.008, 0.006, "com"},
                {{"left", {-0.2, 0.5, 0.1}}, {"right", {0.25, 0.45, -0.15}}}),
      make_body("right", 0.8, {0.16, -0.04, 0.03}, {0.02, 0.03, 0.025, -0.002, 0.001, 0.003, "com"},
                {{"tip", {0.36, 0.03, 0.05}}}),
      make_body("left", 0.9, {-0.14, 0.05, 0.02},
                {0.021, 0.032, 0.027, 0.003, -0.002, 0.001, "com"},
                {{"fork", {-0.3, 0.08, -0.06}}, {"side", {-0.12, 0.15, 0.1}}}),
      make_body("left side", 0.5, {0.07, 0.09, 0.02},
                {0.008, 0.006, 0.009, 0.0006, 0.0004, 0.0007, "com"},
                {{"tip", {0.13, 0.21, 0.03}}}),
  };
  m.joints = {
      make_joint("fork", JointType::revolute, "left.fork", "left tip", {0.5, -0.3, 0.8}, 0.3, 1.3),
      make_joint("side", JointType::prismatic, "left.side", "left side", {0.2, 0.9, 0.3}, 0.1, 0.4),
      make_joint("right", JointType::revolute, "trunk.right", "right", {0.1, 0.4, 0.9}, -0.4, 0.8),
      make_joint("root", JointType::revolute, "ground.base", "trunk", {0.3, 0.2, 1.0}, 0.2, -0.5),
      make_joint("left", JointType::revolute, "trunk.left", "left", {-0.7, 0.3, 0.6}, 0.6, 0.9),
  };
  // Between the branches, within one branch, to the ground.
  m.forces = {make_spring("s1", "left tip.tip", "right.tip", 23.0, 0.5, 0.7),
              make_spring("s2", "left.fork", "left side.tip", 41.0, 0.3, 0.3),
              make_spring("s3", "ground.hook", "trunk.left", 19.0, 0.2, 0.4)};
  add_objectives(m, "left tip.tip", "right");
  m.analysis = short_analysis(0.4, 8e-3);
  return m;
}

Model long_armed_gantry() {
  Model m;
  m.name = "long-armed gantry";
  m.gravity = {0.3, -9.7, 0.5};
  m.ground.points = {{"anchor", {0.5, -0.4, 0.3}}};
  const Inertia small{0.02, 0.03, 0.025, 0.001, -0.002, 0.0015, "com"};
  m.bodies = {make_body("x", 0.3, {0.1, 0, 0.05}, small, {{"end", {0.2, 0.1, 0}}}),
              make_body("y", 0.2, {0, 0.1, 0.02}, small, {{"end", {0, 0.1, 0.1}}}),
              make_body("z", 0.25, {0.03, 0, 0.1}, small, {{"end", {0.1, 0, 0.1}}}),
              make_body("jib", 1.1, {7.0, 4.0, -3.0}, small, {{"end", {9.0, 6.0, -5.0}}}),
              make_body("load", 1.4, {-3.0, 5.0, 2.0}, small, {{"tip", {0.5, 2.0, -1.0}}})};
  m.joints = {
      make_joint("x", JointType::prismatic, "ground", "x", {1, 0.1, 0.2}, 0.1, 0.4),
      make_joint("y", JointType::prismatic, "x.end", "y", {0.1, 1, -0.2}, -0.2, 0.3),
      make_joint("z", JointType::prismatic, "y.end", "z", {-0.1, 0.2, 1}, 0.3, -0.5),
      make_joint("jib", JointType::revolute, "z.end", "jib", {0.3, 0.4, 1}, 0.2, 0.2),
      make_joint("load", JointType::revolute, "jib.end", "load", {0.9, -0.3, 0.4}, -0.5, 0.4)};
  m.forces = {make_spring("s1", "ground.anchor", "load.tip", 20.0, 0.6, 3.0),
              make_spring("s2", "ground.anchor", "z.end", 35.0, 0.9, 0.3)};
  add_objectives(m, "load.tip", "z");
  m.analysis = short_analysis(0.4, 8e-3);
  return m;
}

}  // namespace gradus::derivative
