// What a model refers to exists, and two ends are two.
#include <algorithm>
#include <vector>

#include "src/model/joint_types.hpp"
#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/states.hpp"
#include "src/model/suggestion.hpp"
#include "src/model/validation.hpp"

namespace gradus {

void require_two_points(const PointReference& first, const PointReference& second,
                        const std::string& text, const std::string& why, const std::string& where) {
  if (first.body != second.body || first.place != second.place) return;
  reject(where, "both ends are at " + in_quotes(text), why, "name two different points");
}

void require_two_bodies(int first, int second, const std::string& why, const std::string& where) {
  if (first != second) return;
  reject(where, "both ends are on the same body", why, "name two bodies, or a body and the ground");
}

namespace {

void check_ends(const Joint& joint, const References& references, const std::string& where) {
  const PointReference parent = references.point(joint.parent, where + "/parent");
  const PointReference child = references.point(joint.child, where + "/child");
  if (parent.body == child.body)
    reject(where,
           "both \"parent\" " + in_quotes(joint.parent) + " and \"child\" " +
               in_quotes(joint.child) + " are on the same body",
           "a joint connects two bodies", "name two bodies, or a body and the ground");
}

void check_loop(const Joint& loop, const References& references, const std::string& where) {
  check_ends(loop, references, where);
  if (loop.type == JointType::floating)
    reject(where + "/type", "found \"floating\"", "it leaves everything free: nothing to close",
           "remove the loop, or put it under \"joints\"");
  if (!loop.start.empty())
    reject(where + "/initial", "found start values", "loops have no coordinates of their own",
           "give them to the joints");
  if (loop.cut.has_value())
    reject(where + "/cut", "found a choice to cut", "loops are always cut",
           "remove it, or put the joint under \"joints\"");
}

void check_sensor(const Model& model, const Sensor& sensor, const References& references,
                  const std::string& where) {
  switch (type_of(sensor.kind).target) {
    case SensorTarget::point:
      references.point(sensor.target, where);
      return;
    case SensorTarget::vector:
      references.vector(sensor.target, where);
      return;
    case SensorTarget::body:
      if (references.body(sensor.target, where) != ground_body) return;
      reject(where, "found \"ground\"", "the ground does not turn", "name a body");
    case SensorTarget::two_points: {
      const PointReference first = references.point(sensor.target, where + "/distance/0");
      const PointReference second = references.point(sensor.second, where + "/distance/1");
      require_two_points(first, second, sensor.second, "their distance is always 0", where);
      return;
    }
    case SensorTarget::joint_or_loop:
      references.joint_or_loop(sensor.target, where);
      return;
    case SensorTarget::system:
      return;
    case SensorTarget::force:
      return check_force_sensor(model, sensor, references, where);
    case SensorTarget::state: {
      const std::vector<std::string> names = states_of(model);
      if (std::find(names.begin(), names.end(), sensor.target) != names.end()) return;
      reject(where + "/state", "found " + in_quotes(sensor.target),
             "there is no state of that name", suggestion(sensor.target, names));
    }
    case SensorTarget::constraint:
      return check_constraint_sensor(model, sensor, where);
    case SensorTarget::energy: {
      const std::vector<std::string> energies(keys::energies.begin(), keys::energies.end());
      if (std::find(energies.begin(), energies.end(), sensor.target) != energies.end()) return;
      reject(where + "/energy", "found " + in_quotes(sensor.target), "there is no such energy",
             suggestion(sensor.target, energies));
    }
    case SensorTarget::joint:
      break;
  }
  references.joint(sensor.target, where);
}

// Sensors of a joint that has no coordinates would have no components.
void check_coordinate_sensor(const Model& model, const Sensor& sensor, const std::string& where) {
  if (sensor_size(model, sensor) > 0) return;
  reject(where, "found " + in_quotes(sensor.target), "a fixed joint has no coordinates",
         "name another joint");
}

void check_constraint(const Constraint& constraint, const References& references,
                      const std::string& where) {
  const std::string never = "nothing can change what the constraint is about";
  switch (constraint.kind) {
    case ConstraintKind::distance:
    case ConstraintKind::coincident: {
      const std::string key =
          constraint.kind == ConstraintKind::distance ? "/distance" : "/coincident";
      const PointReference first = references.point(constraint.first, where + key + "/0");
      const PointReference second = references.point(constraint.second, where + key + "/1");
      require_two_points(first, second, constraint.second, never, where + key);
      require_two_bodies(first.body, second.body, never, where + key);
      return;
    }
    case ConstraintKind::dot: {
      const VectorReference first = references.vector(constraint.first, where + "/dot/0");
      const VectorReference second = references.vector(constraint.second, where + "/dot/1");
      require_two_bodies(first.body, second.body, never, where + "/dot");
      return;
    }
    case ConstraintKind::coordinate:
      references.coordinate(constraint.first, where + "/coordinate");
      return;
    case ConstraintKind::expression:
      return;
  }
}

}  // namespace

void check_references(const Model& model, const References& references, const std::string& origin) {
  for (const Joint& joint : model.joints)
    check_ends(joint, references, origin + ": /joints/" + joint.name);
  for (const Joint& loop : model.loops)
    check_loop(loop, references, origin + ": /loops/" + loop.name);
  for (const Force& force : model.forces)
    check_force_places(model, force, references, origin + ": /forces/" + force.name);
  for (const Constraint& constraint : model.constraints)
    check_constraint(constraint, references, origin + ": /constraints/" + constraint.name);
  for (const Sensor& sensor : model.sensors) {
    const std::string where = origin + ": /sensors/" + sensor.name;
    check_sensor(model, sensor, references, where);
    check_coordinate_sensor(model, sensor, where);
  }
}

}  // namespace gradus
