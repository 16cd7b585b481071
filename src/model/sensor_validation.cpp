// What sensors of forces and constraints name exists, and exerts what they show.
#include <algorithm>
#include <vector>

#include "src/model/force_types.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

// Unit of the coordinate that a force or a constraint acts on.
std::string_view unit_of_coordinate(const Model& model, const References& references,
                                    const std::string& coordinate, const std::string& where) {
  const CoordinateReference found = references.coordinate(coordinate, where);
  const Joint& joint = model.joints[static_cast<std::size_t>(found.joint)];
  return coordinates_of(joint.type)[static_cast<std::size_t>(found.coordinate)].unit;
}

// Which of the keys of sensors shows what a force exerts: "" if it is both.
std::string key_of_force(const Model& model, const References& references, ForceType type,
                         const std::string& name, const std::string& where) {
  if (type == ForceType::bushing) return "";
  if (type == ForceType::torque) return "applied_torque";
  if (!acts_on_coordinate(type)) return "applied_force";
  const std::string coordinate = coordinate_of_force(model, name);
  return unit_of_coordinate(model, references, coordinate, where) == "m" ? "applied_force"
                                                                         : "applied_torque";
}

}  // namespace

void check_force_sensor(const Model& model, const Sensor& sensor, const References& references,
                        const std::string& where) {
  const std::optional<ForceType> type = force_type(model, sensor.target);
  if (!type)
    reject(where, "found " + in_quotes(sensor.target), "there is no force of that name",
           suggestion(sensor.target, force_names(model)));
  const std::string key(key_of(sensor.kind));
  const std::string found = "found " + in_quotes(sensor.target);
  const std::string kind(keys::force_types.at(static_cast<std::size_t>(*type)));
  if (sensor.kind == SensorKind::power) return;
  if (sensor.kind == SensorKind::tension) {
    if (*type == ForceType::spring_damper) return;
    reject(where + "/" + key, found, "it is of type " + in_quotes(kind) + " and has no tension",
           "name a force of type \"spring-damper\"");
  }
  const std::string right = key_of_force(model, references, *type, sensor.target, where);
  if (right.empty() || right == key) return;
  reject(where + "/" + key, found,
         "it is of type " + in_quotes(kind) +
             (acts_on_coordinate(*type)
                  ? std::string(" on ") +
                        (right == "applied_force" ? "a translation" : "an angle") + " of a joint"
                  : std::string()),
         "use " + in_quotes(right));
}

void check_constraint_sensor(const Model& model, const Sensor& sensor, const std::string& where) {
  std::vector<std::string> names;
  for (const Constraint& constraint : model.constraints) {
    names.push_back(constraint.name);
    if (constraint.name != sensor.target) continue;
    if (!constraint.at_start) return;
    reject(where, "found " + in_quotes(sensor.target),
           "the constraint holds at the start only and exerts no force", "name another one");
  }
  reject(where, "found " + in_quotes(sensor.target), "there is no constraint of that name",
         suggestion(sensor.target, names));
}

}  // namespace gradus
