// What applied_force and applied_torque share: which of them shows what a force exerts.
#pragma once

#include "src/model/force_kind.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/message.hpp"
#include "src/plan/exerted_force.hpp"
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

// "" if it is both.
inline std::string key_of_load(const Model& model, const References& references, const Force& force,
                               const std::string& where) {
  const ActsOn acts_on = kind_of(force).acts_on;
  if (acts_on == ActsOn::bodies || acts_on == ActsOn::surface) return "";
  if (acts_on == ActsOn::body) return "applied_torque";
  if (acts_on == ActsOn::joint) {
    const JointType type = joint_of(model, force)->type;
    if (slide_count(type) > 0 && turn_count(type) > 0) return "";
    return slide_count(type) > 0 ? "applied_force" : "applied_torque";
  }
  if (acts_on != ActsOn::coordinate) return "applied_force";
  const CoordinateReference on = references.coordinate(place_of(force), where);
  const JointType type = model.joints[index(on.joint)].type;
  return coordinates_of(type)[index(on.coordinate)].unit == "m" ? "applied_force"
                                                                : "applied_torque";
}

inline void check_applied(const Model& model, const References& references, const Sensor& sensor,
                          const std::string& where) {
  const Force& force = *find_force(model, sensor.target);
  const std::string right = key_of_load(model, references, force, where);
  if (right.empty() || right == sensor.type) return;
  std::string why = "it is of type " + in_quotes(force.type);
  const ActsOn acts_on = kind_of(force).acts_on;
  if (acts_on == ActsOn::joint)
    why += right == "applied_force" ? " and its joint only slides" : " and its joint only turns";
  if (acts_on == ActsOn::coordinate)
    why += right == "applied_force" ? " on a translation of a joint" : " on an angle of a joint";
  reject(where + "/" + sensor.type, "found " + in_quotes(sensor.target), why,
         "use " + in_quotes(right));
}

}  // namespace gradus::sensors
