// What sensors of forces and constraints name exists, and exerts what they show.
#include <algorithm>
#include <vector>

#include "src/model/force_kind.hpp"
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
std::string key_of_force(const Model& model, const References& references, const Force& force,
                         const std::string& where) {
  const ActsOn acts_on = kind_of(force).acts_on;
  if (acts_on == ActsOn::bodies) return "";
  if (acts_on == ActsOn::body) return "applied_torque";
  if (acts_on != ActsOn::coordinate) return "applied_force";
  return unit_of_coordinate(model, references, place_of(force), where) == "m" ? "applied_force"
                                                                              : "applied_torque";
}

}  // namespace

void check_force_sensor(const Model& model, const Sensor& sensor, const References& references,
                        const std::string& where) {
  const Force* const force = find_force(model, sensor.target);
  if (force == nullptr) {
    std::vector<std::string> names;
    for (const Force& known : model.forces) names.push_back(known.name);
    reject(where, "found " + in_quotes(sensor.target), "there is no force of that name",
           suggestion(sensor.target, names));
  }
  const std::string key(key_of(sensor.kind));
  const std::string found = "found " + in_quotes(sensor.target);
  const ActsOn acts_on = kind_of(*force).acts_on;
  if (sensor.kind == SensorKind::power) return;
  if (sensor.kind == SensorKind::tension) {
    if (acts_on == ActsOn::line) return;
    reject(where + "/" + key, found,
           "it is of type " + in_quotes(force->type) + " and has no tension",
           "name a force along a line, such as one of type \"spring-damper\"");
  }
  const std::string right = key_of_force(model, references, *force, where);
  if (right.empty() || right == key) return;
  reject(where + "/" + key, found,
         "it is of type " + in_quotes(force->type) +
             (acts_on == ActsOn::coordinate
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
