// Directions and start values of joints are usable numbers.
#include <cmath>

#include "src/model/joint_types.hpp"
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

// Squares of others underflow or overflow.
bool can_be_normalised(double length) {
  constexpr double shortest = 1e-100, longest = 1e100;
  return length >= shortest && length <= longest;
}

Direction direction(const Vector3& vector, NominalValues& nominal, const std::string& where) {
  const Direction values = nominal.value(vector, where);
  const double length = norm(values);
  if (!can_be_normalised(length))
    reject(where, "found a vector of length " + to_text(length),
           length > 1.0 ? "its square overflows" : "it must have a direction",
           "expected a vector such as [0, 0, 1]");
  return {values[0] / length, values[1] / length, values[2] / length};
}

std::optional<Direction> direction(const std::optional<Vector3>& vector, NominalValues& nominal,
                                   const std::string& where) {
  if (!vector) return std::nullopt;
  return direction(*vector, nominal, where);
}

void require_angle(const Direction& axis, const Direction& zero, const std::string& where,
                   const std::string& problem, const std::string& why) {
  constexpr double smallest_sine = 1e-9;
  if (cross_norm(axis, zero) > smallest_sine) return;
  reject(where, problem, why, "choose a direction across the axis");
}

void require_across(const Direction& axis, const Direction& zero, const std::string& where) {
  require_angle(axis, zero, where, "the direction is parallel to the axis",
                "no angle can be counted from it");
}

void check_no_directions(const Joint& joint, const std::string& where) {
  const auto check = [&](const std::optional<Vector3>& vector, const std::string& key) {
    if (!vector) return;
    reject(where + "/" + key, "found " + in_quotes(key),
           "a " + std::string(name_of(joint.type)) +
               " joint compares whole orientations, those of the body axes",
           "remove it");
  };
  check(joint.axis, "axis");
  check(joint.child_axis, "child_axis");
  check(joint.zero, "zero");
  check(joint.child_zero, "child_zero");
}

// The axes of a cardan joint: the first is `axis` in the parent and lies along `child_zero` in the
// child at zero angles, the second is `child_axis` in the child and lies along `zero` in the
// parent.
void check_cross(const Joint& joint, NominalValues& nominal, const std::string& where) {
  const std::string problem = "both axes are parallel";
  const std::string why = "the axes of a cardan joint are perpendicular to each other";
  const Direction axis = direction(joint.axis.value_or(Vector3{0, 0, 1}), nominal, where + "/axis");
  const auto zero = direction(joint.zero, nominal, where + "/zero");
  const auto child_axis = direction(joint.child_axis, nominal, where + "/child_axis");
  const auto child_zero = direction(joint.child_zero, nominal, where + "/child_zero");
  if (zero) require_angle(axis, *zero, where + "/zero", problem, why);
  const std::optional<Direction>& second = child_axis ? child_axis : zero;
  if (child_zero && !second)
    reject(where, "\"child_zero\" without \"child_axis\"",
           "nothing says where the second axis lies in the child", "add \"child_axis\"");
  if (second)
    require_angle(*second, child_zero.value_or(axis),
                  where + (child_zero ? "/child_zero" : "/child_axis"), problem, why);
}

void check_axis(const Joint& joint, NominalValues& nominal, const std::string& where) {
  const Direction axis = direction(joint.axis.value_or(Vector3{0, 0, 1}), nominal, where + "/axis");
  const Direction child_axis =
      direction(joint.child_axis, nominal, where + "/child_axis").value_or(axis);
  if (joint.zero) {
    const Direction zero = direction(*joint.zero, nominal, where + "/zero");
    require_across(axis, zero, where + "/zero");
    if (!joint.child_zero) require_across(child_axis, zero, where + "/zero");
  }
  if (joint.child_zero) {
    if (!joint.zero)
      reject(where, "\"child_zero\" without \"zero\"", "the angle is counted between the two",
             "add \"zero\", a direction in the parent");
    const Direction zero = direction(*joint.child_zero, nominal, where + "/child_zero");
    require_across(child_axis, zero, where + "/child_zero");
  }
}

void check_directions(const Joint& joint, NominalValues& nominal, const std::string& where) {
  if (joint.type == JointType::spherical || joint.type == JointType::floating) {
    check_no_directions(joint, where);
  } else if (joint.type == JointType::cardan) {
    check_cross(joint, nominal, where);
  } else {
    check_axis(joint, nominal, where);
  }
}

void check_euler_parameters(const Joint& joint, NominalValues& nominal, const std::string& where) {
  const int first = first_euler_parameter(joint.type);
  if (first < 0) return;
  const auto parameters = std::span(joint.start).subspan(static_cast<std::size_t>(first), 4);
  double length = 0.0;
  for (const CoordinateStart& parameter : parameters) {
    length = std::hypot(length, nominal.value(parameter.position, where));
    if (parameter.position_is_guess == parameters[0].position_is_guess) continue;
    reject(where, "some Euler parameters are values and some are guesses",
           "they make one orientation", "write four values or four guesses");
  }
  if (can_be_normalised(length)) return;
  reject(where, "found Euler parameters of length " + to_text(length),
         "they are normalised to the length 1 and need a direction",
         "expected four numbers such as [1, 0, 0, 0], no rotation");
}

void check_start(const Joint& joint, NominalValues& nominal, const std::string& where) {
  if (joint.start.empty()) return;
  const auto count = static_cast<std::size_t>(coordinate_count(joint.type));
  if (joint.start.size() != count)
    reject(where, "found " + std::to_string(joint.start.size()) + " start values",
           "the joint has " + std::to_string(count) + " coordinate" + (count == 1 ? "" : "s"),
           "give one for each, or none");
  for (const CoordinateStart& start : joint.start) {
    nominal.value(start.position, where + "/position");
    nominal.value(start.velocity, where + "/velocity");
  }
  check_euler_parameters(joint, nominal, where + "/position");
}

}  // namespace

void check_joints(const Model& model, NominalValues& nominal, const std::string& origin) {
  for (const Joint& joint : model.joints) {
    const std::string where = origin + ": /joints/" + joint.name;
    check_directions(joint, nominal, where);
    check_start(joint, nominal, where + "/initial");
  }
  for (const Joint& loop : model.loops)
    check_directions(loop, nominal, origin + ": /loops/" + loop.name);
}

}  // namespace gradus
