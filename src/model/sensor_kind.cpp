// Looks sensors up, and kinds of sensors and constraints.
#include "src/model/sensor_kind.hpp"
#include "src/model/constraint_kind.hpp"

#include <stdexcept>
#include <vector>

#include "src/model/force_kind.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/message.hpp"

namespace gradus {

const ConstraintKind& kind_of(const Constraint& constraint) {
  for (const ConstraintKind* const kind : constraint_kinds())
    if (kind->key == constraint.type) return *kind;
  throw std::logic_error("a constraint of no kind");
}

const SensorKind& kind_of(const Sensor& sensor) {
  for (const SensorKind* const kind : sensor_kinds())
    if (kind->key == sensor.type) return *kind;
  throw std::logic_error("a sensor of no kind");
}

int sensor_size(const Model& model, const Sensor& sensor) {
  const SensorKind& kind = kind_of(sensor);
  if (kind.size > 0) return kind.size;
  if (kind.of == SensorOf::force) {
    const Force* const force = find_force(model, sensor.target);
    if (force == nullptr) return 0;
    const ActsOn acts_on = kind_of(*force).acts_on;
    if (acts_on == ActsOn::surface && !kind.key.starts_with("applied")) return 1;
    if (acts_on != ActsOn::joint) return acts_on == ActsOn::coordinate ? 1 : 3;
    const Joint* const joint = joint_of(model, *force);
    if (joint == nullptr) return 0;
    if (kind.key == "sliding_speed" || kind.key == "normal_force")
      return kind_of(*force).on_joint->shown(*force, joint->type, kind.key);
    return kind.key == "applied_force" ? slide_count(joint->type) : turn_count(joint->type);
  }
  if (kind.of == SensorOf::constraint) {
    for (const Constraint& constraint : model.constraints)
      if (constraint.name == sensor.target) return row_count(kind_of(constraint));
    return 0;
  }
  for (const auto* const joints : {&model.joints, &model.loops})
    for (const Joint& joint : *joints)
      if (joint.name == sensor.target) return coordinate_count(joint.type);
  return 0;
}

bool is_usable_in(LawPlace place, const SensorKind& kind) {
  if (place == LawPlace::constraint_value) return false;
  // Forces are found together with accelerations and reactions.
  if (kind.level == MotionLevel::acceleration) return place == LawPlace::force;
  if (kind.of == SensorOf::state)
    return place != LawPlace::rate_constraint;  // of those of the model that are not sampled
  if (place == LawPlace::rate_constraint && kind.key == "speed") return false;  // a norm
  const MotionLevel highest =
      reads_positions(place) ? MotionLevel::position : MotionLevel::velocity;
  return kind.formula != nullptr && kind.level <= highest;
}

std::string hint_of_sensors(LawPlace place) {
  std::vector<std::string> usable;
  for (const SensorKind* const kind : sensor_kinds())
    if (is_usable_in(place, *kind)) usable.push_back(in_quotes(kind->key));
  std::string text = "use sensors of kind " + usable.front();
  for (std::size_t k = 1; k < usable.size(); ++k)
    text += (k + 1 < usable.size() ? ", " : " or ") + usable[k];
  return text;
}

}  // namespace gradus
