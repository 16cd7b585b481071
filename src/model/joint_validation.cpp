// Axes and start values of joints, springs and gravity are usable numbers.
#include <cmath>

#include "src/model/message.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

using Direction = std::array<double, 3>;

double norm(const Direction& a) {
  return std::hypot(a[0], a[1], a[2]);
}

double cross_norm(const Direction& a, const Direction& b) {
  return std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                    a[0] * b[1] - a[1] * b[0]);
}

Direction direction(const Vector3& vector, NominalValues& nominal, const std::string& where) {
  const Direction values = nominal.value(vector, where);
  const double length = norm(values);
  // Shorter ones would underflow when normalised.
  constexpr double shortest = 1e-100;
  if (!(length >= shortest) || !std::isfinite(length)) {
    reject(where, "found a vector of length " + to_text(length), "it must have a direction",
           "expected a vector such as [0, 0, 1]");
  }
  return {values[0] / length, values[1] / length, values[2] / length};
}

void require_angle(const Direction& axis, const Direction& zero, const std::string& where) {
  constexpr double smallest_sine = 1e-9;
  if (cross_norm(axis, zero) > smallest_sine) return;
  reject(where, "the direction is parallel to the axis", "no angle can be counted from it",
         "choose a direction across the axis");
}

void check_joint(const Joint& joint, NominalValues& nominal, const std::string& where) {
  const Direction axis = direction(joint.axis, nominal, where + "/axis");
  const Direction child_axis =
      joint.child_axis ? direction(*joint.child_axis, nominal, where + "/child_axis") : axis;
  if (joint.zero) {
    const Direction zero = direction(*joint.zero, nominal, where + "/zero");
    require_angle(axis, zero, where + "/zero");
    if (!joint.child_zero) require_angle(child_axis, zero, where + "/zero");
  }
  if (joint.child_zero) {
    if (!joint.zero) {
      reject(where, "\"child_zero\" without \"zero\"", "the angle is counted between the two",
             "add \"zero\", a direction in the parent");
    }
    const Direction zero = direction(*joint.child_zero, nominal, where + "/child_zero");
    require_angle(child_axis, zero, where + "/child_zero");
  }
  const auto count = static_cast<std::size_t>(coordinate_count(joint.type));
  if (joint.start.size() > count) {
    reject(where + "/initial", "found " + std::to_string(joint.start.size()) + " start values",
           "the joint has " + std::to_string(count) + " coordinate", "remove some");
  }
  for (const CoordinateStart& start : joint.start) {
    nominal.value(start.position, where + "/initial/position");
    nominal.value(start.velocity, where + "/initial/velocity");
  }
}

}  // namespace

void check_joints(const Model& model, NominalValues& nominal, const std::string& origin) {
  for (const Joint& joint : model.joints)
    check_joint(joint, nominal, origin + ": /joints/" + joint.name);
  for (const Joint& loop : model.loops)
    check_joint(loop, nominal, origin + ": /loops/" + loop.name);
}

void check_forces(const Model& model, NominalValues& nominal, const std::string& origin) {
  nominal.value(model.gravity, origin + ": /gravity");
  for (const SpringDamper& spring : model.springs) {
    const std::string where = origin + ": /forces/" + spring.name;
    nominal.value(spring.stiffness, where + "/stiffness");
    nominal.value(spring.damping, where + "/damping");
    nominal.value(spring.length, where + "/length");
  }
}

}  // namespace gradus
