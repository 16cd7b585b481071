// Joints, loops, constraints and sensors from JSON. Of constraints and sensors one key says the
// kind and holds what it is about.
#include "src/model/constraint_kind.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/message.hpp"
#include "src/model/readers.hpp"
#include "src/model/sensor_kind.hpp"

namespace gradus {
namespace {

struct StartNumber {
  Number value;
  bool is_guess = false;
};

// A value, or {"guess": value}.
StartNumber read_start_number(const JsonElement& element) {
  if (!element.is_object()) return {element.number(), false};
  element.require_keys(keys::guess);
  return {element.at("guess").number(), true};
}

// `count` of them in an array; a single one may stand without brackets.
std::vector<StartNumber> read_start_numbers(const JsonElement& element, int count) {
  if (element.is_array()) {
    std::vector<StartNumber> numbers;
    for (const JsonElement& entry : element.elements(static_cast<std::size_t>(count)))
      numbers.push_back(read_start_number(entry));
    return numbers;
  }
  if (count == 0) element.reject_value("nothing: the joint has no coordinates");
  if (count != 1) element.reject_value("an array of " + std::to_string(count));
  return {read_start_number(element)};
}

std::vector<CoordinateStart> read_start(const JsonElement& initial, JointType type) {
  initial.require_keys(keys::initial);
  std::vector<CoordinateStart> start = guessed_start(type);
  if (const auto element = initial.find("position")) {
    const auto positions = read_start_numbers(*element, coordinate_count(type));
    for (std::size_t i = 0; i < start.size(); ++i) {
      start[i].position = positions[i].value;
      start[i].position_is_guess = positions[i].is_guess;
      start[i].velocity_is_guess = positions[i].is_guess;
    }
  }
  if (const auto element = initial.find("velocity")) {
    const int count = velocity_count(type);
    const auto velocities = read_start_numbers(*element, count);
    for (int i = 0; i < count; ++i) {
      const StartNumber& velocity = velocities[static_cast<std::size_t>(i)];
      CoordinateStart& entry = start[static_cast<std::size_t>(coordinate_of_velocity(type, i))];
      entry.velocity = velocity.value;
      entry.velocity_is_guess = velocity.is_guess || entry.position_is_guess;
    }
  }
  return start;
}

// What joints and loops have in common.
Joint read_connection(const std::string& name, const JsonElement& element) {
  Joint joint;
  joint.name = name;
  joint.type = static_cast<JointType>(element.at("type").place_among(keys::joint_types));
  element.read("parent", joint.parent);
  element.read("child", joint.child);
  element.read("axis", joint.axis);
  element.read("child_axis", joint.child_axis);
  element.read("zero", joint.zero);
  element.read("child_zero", joint.child_zero);
  return joint;
}

void read_pair(const JsonElement& element, std::string& first, std::string& second) {
  const std::vector<JsonElement> pair = element.elements(2);
  first = pair[0].text();
  second = pair[1].text();
}

void read_constraint_value(const JsonElement& element, const ConstraintKind& kind,
                           Constraint& constraint) {
  if (!has_value(kind)) {
    if (element.find("value").has_value())
      reject(element.where(), "found the key \"value\"", std::string(kind.why_no_value),
             "remove it");
    return;
  }
  if (!element.read("value", constraint.value) && !kind.value_says.empty())
    reject(element.where(), "the key \"value\" is missing",
           "it says " + std::string(kind.value_says), "add it");
}

}  // namespace

Joint read_joint(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::joint);
  Joint joint = read_connection(name, element);
  element.read("cut", joint.cut);
  if (const auto initial = element.find("initial")) joint.start = read_start(*initial, joint.type);
  return joint;
}

void read_drawn_joint(const JsonElement& element, Joint& joint) {
  if (const auto initial = element.find("initial")) joint.start = read_start(*initial, joint.type);
}

Joint read_loop(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::loop);
  return read_connection(name, element);
}

std::vector<keys::Key> keys_of_constraints() {
  std::vector<keys::Key> keys;
  for (const ConstraintKind* const kind : constraint_kinds()) keys.push_back({kind->key});
  keys.insert(keys.end(), keys::constraint.begin(), keys::constraint.end());
  return keys;
}

Constraint read_constraint(const std::string& name, const JsonElement& element) {
  const std::vector<keys::Key> keys = keys_of_constraints();
  element.require_keys(keys);
  Constraint constraint;
  constraint.name = name;
  constraint.type = element.one_of(std::span(keys).first(constraint_kinds().size()));
  const ConstraintKind& kind = kind_of(constraint);
  const JsonElement target = element.at(kind.key);
  if (kind.of == ConstraintOf::coordinate)
    constraint.first = target.text();
  else if (is_expression(kind.of))
    constraint.value = target.number();
  else
    read_pair(target, constraint.first, constraint.second);
  read_constraint_value(element, kind, constraint);
  if (const auto at = element.find("at"))
    constraint.at_start = at->name_among(keys::instants) == "start";
  return constraint;
}

std::vector<keys::Key> keys_of_sensors() {
  std::vector<keys::Key> keys;
  for (const SensorKind* const kind : sensor_kinds()) keys.push_back({kind->key});
  return keys;
}

Sensor read_sensor(const std::string& name, const JsonElement& element) {
  const std::vector<keys::Key> keys = keys_of_sensors();
  element.require_keys(keys);
  Sensor sensor{name, element.one_of(keys), ""};
  const SensorKind& kind = kind_of(sensor);
  const JsonElement target = element.at(kind.key);
  if (kind.of == SensorOf::two_points || kind.of == SensorOf::two_vectors)
    read_pair(target, sensor.target, sensor.second);
  else
    sensor.target = kind.choices.empty() ? target.text() : target.name_among(kind.choices);
  return sensor;
}

}  // namespace gradus
