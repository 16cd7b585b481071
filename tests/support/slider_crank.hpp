// The spatial slider-crank with any of its four joints cut.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "gradus/gradus.hpp"
#include "tests/support/source_path.hpp"

namespace gradus::test {

// models/slider-crank/<name>.json
inline Model slider_crank(const std::string& name) {
  return read_model(source_path("models/slider-crank/") + name + ".json");
}

inline Joint& joint_named(Model& model, const std::string& name) {
  return *std::find_if(model.joints.begin(), model.joints.end(),
                       [&](const Joint& joint) { return joint.name == name; });
}

// Parent and child exchanged. Guesses of a spherical joint turn the other way; of a cardan joint
// the first axis becomes the second.
inline void turn_round(Joint& joint) {
  std::swap(joint.parent, joint.child);
  if (joint.type == JointType::cardan) {
    std::swap(joint.axis, joint.child_axis);
    std::swap(joint.zero, joint.child_zero);
  }
  if (joint.type == JointType::spherical)
    for (std::size_t k = 1; k < 4; ++k) joint.start[k].position = -joint.start[k].position.value();
}

// Sensors of the coordinate of a joint that has none.
inline void drop_sensors_of(Model& model, const std::string& joint) {
  std::erase_if(model.sensors, [&](const Sensor& sensor) { return sensor.target == joint; });
}

// At the start the rod's x axis lies along (-2, 1, 2)/3, its y axis along (0, -2, 1)/sqrt(5), and
// the crank's axes are those of the ground: Euler parameters of the rod in the crank.
inline std::vector<CoordinateStart> rod_in_crank() {
  constexpr double e[4] = {0.09379624, 0.39732724, 0.20973476, 0.88845071};
  std::vector<CoordinateStart> start;
  for (const double value : e) start.push_back({value, 0.0, true, true});
  return start;
}

// The same mechanism with that joint cut, joints that the tree would meet from the wrong side
// turned round. Without the joint at A the slider keeps its start velocity instead of the crank.
inline Model slider_crank_cut_at(const std::string& name, const std::string& cut) {
  Model model = slider_crank(name);
  for (Joint& joint : model.joints) joint.cut = joint.name == cut;
  joint_named(model, "B").start = rod_in_crank();
  if (cut == "A") {
    turn_round(joint_named(model, "B"));
    joint_named(model, "slide").start = {{0.2, 0.24, false, false}};
  }
  if (cut == "slide") turn_round(joint_named(model, "C"));
  joint_named(model, cut).start.clear();
  drop_sensors_of(model, cut);
  return model;
}

}  // namespace gradus::test
