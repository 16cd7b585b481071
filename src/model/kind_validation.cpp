// Types and kinds of a model built in memory, where any number can be made one.
#include "src/model/message.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

template <class Kind>
void check_kind(Kind kind, Kind last, const char* name, const std::string& where) {
  const int number = static_cast<int>(kind);
  if (number < 0 || number > static_cast<int>(last))
    reject(where, "found the number " + std::to_string(number),
           std::string(name) + " is 0 to " + std::to_string(static_cast<int>(last)),
           "use one of its names");
}

}  // namespace

void check_kinds(const Model& model, const std::string& origin) {
  const auto where = [&](const char* list, const std::string& name, const char* member) {
    return origin + ": /" + list + "/" + name + member;
  };
  for (const Joint& joint : model.joints)
    check_kind(joint.type, JointType::fixed, "a JointType", where("joints", joint.name, "/type"));
  for (const Joint& loop : model.loops)
    check_kind(loop.type, JointType::fixed, "a JointType", where("loops", loop.name, "/type"));
  for (const Constraint& constraint : model.constraints)
    check_constraint_type(constraint, where("constraints", constraint.name, ""));
  for (const Force& force : model.forces) check_force_keys(force, where("forces", force.name, ""));
  for (const Sensor& sensor : model.sensors)
    check_sensor_type(sensor, where("sensors", sensor.name, ""));
  for (const Objective& objective : model.objectives)
    check_kind(objective.kind, ObjectiveKind::time_when, "an ObjectiveKind",
               where("objectives", objective.name, ""));
  for (const Objective& objective : model.objectives)
    check_kind(objective.direction, Passages::falling, "one of Passages",
               where("objectives", objective.name, "/direction"));
}

}  // namespace gradus
