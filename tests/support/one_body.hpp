// The smallest mechanisms: a body that a joint connects with the ground.
#pragma once

#include <string>

#include "gradus/model.hpp"

namespace gradus::test {

// A body called `body` on a joint of one coordinate called `joint`; the coordinate starts at
// `position` with `velocity`, and is shown by the sensor `sensor`. No gravity, no inertia but the
// mass.
inline Model one_body(const std::string& body, const Number& mass, const std::string& joint,
                      JointType type, const Vector3& axis, const Number& position,
                      const Number& velocity, const std::string& sensor) {
  Model model;
  model.name = body;
  Body only;
  only.name = body;
  only.mass = mass;
  only.com = {0, 0, 0};
  model.bodies = {only};
  Joint carrier;
  carrier.name = joint;
  carrier.type = type;
  carrier.parent = "ground";
  carrier.child = body;
  carrier.axis = axis;
  carrier.start = {{position, velocity, false, false}};
  model.joints = {carrier};
  model.sensors = {{sensor, "coordinate", joint}};
  return model;
}

}  // namespace gradus::test
