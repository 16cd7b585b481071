// What a model refers to exists, and two ends are two.
#include "src/model/constraint_kind.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/message.hpp"
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

void check_constraint(const Constraint& constraint, const References& references,
                      const std::string& where) {
  const std::string never = "nothing can change what the constraint is about";
  const ConstraintOf of = kind_of(constraint).of;
  const std::string at = where + "/" + constraint.type;
  if (of == ConstraintOf::two_points) {
    const PointReference first = references.point(constraint.first, at + "/0");
    const PointReference second = references.point(constraint.second, at + "/1");
    require_two_points(first, second, constraint.second, never, at);
    require_two_bodies(first.body, second.body, never, at);
  } else if (of == ConstraintOf::two_vectors) {
    const VectorReference first = references.vector(constraint.first, at + "/0");
    const VectorReference second = references.vector(constraint.second, at + "/1");
    require_two_bodies(first.body, second.body, never, at);
  } else if (of == ConstraintOf::coordinate) {
    references.coordinate(constraint.first, at);
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
  for (const Sensor& sensor : model.sensors)
    check_sensor(model, sensor, references, origin + ": /sensors/" + sensor.name);
}

}  // namespace gradus
