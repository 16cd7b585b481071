// Constraints and sensors from JSON: of both, one key says the kind and holds what it is about.
#include "src/model/message.hpp"
#include "src/model/readers.hpp"

namespace gradus {
namespace {

// The place of the one key of `choices` that is there.
std::size_t chosen(const JsonElement& element, std::span<const keys::Key> choices) {
  const std::string kind = element.one_of(choices);
  std::size_t place = 0;
  while (choices[place].name != kind) ++place;
  return place;
}

void read_pair(const JsonElement& element, std::string& first, std::string& second) {
  const std::vector<JsonElement> pair = element.elements(2);
  first = pair[0].text();
  second = pair[1].text();
}

void read_constraint_value(const JsonElement& element, Constraint& constraint) {
  const ConstraintKind kind = constraint.kind;
  const auto value = element.find("value");
  if (kind == ConstraintKind::coincident || kind == ConstraintKind::expression) {
    if (!value) return;
    reject(element.where(), "found the key \"value\"",
           kind == ConstraintKind::coincident ? "points coincide or they do not"
                                              : "the expression itself is kept at 0",
           "remove it");
  }
  if (value) {
    constraint.value = value->number();
  } else if (kind != ConstraintKind::dot) {
    reject(element.where(), "the key \"value\" is missing",
           "it says what the " +
               std::string(kind == ConstraintKind::distance ? "distance" : "coordinate") +
               " is kept at",
           "add it");
  }
}

}  // namespace

Constraint read_constraint(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::constraint);
  const std::size_t place = chosen(element, std::span(keys::constraint).first(5));
  const JsonElement target = element.at(keys::constraint[place].name);
  Constraint constraint;
  constraint.name = name;
  constraint.kind = static_cast<ConstraintKind>(place);
  switch (constraint.kind) {
    case ConstraintKind::distance:
    case ConstraintKind::dot:
    case ConstraintKind::coincident:
      read_pair(target, constraint.first, constraint.second);
      break;
    case ConstraintKind::coordinate:
      constraint.first = target.text();
      break;
    case ConstraintKind::expression:
      constraint.value = target.number();
      break;
  }
  read_constraint_value(element, constraint);
  if (const auto at = element.find("at"))
    constraint.at_start = at->name_among(keys::instants) == "start";
  return constraint;
}

Sensor read_sensor(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::sensor);
  const std::size_t place = chosen(element, keys::sensor);
  const JsonElement target = element.at(keys::sensor[place].name);
  Sensor sensor;
  sensor.name = name;
  sensor.kind = static_cast<SensorKind>(place);
  if (sensor.kind == SensorKind::energy) {
    sensor.target = target.name_among(keys::energies);
  } else if (sensor.kind == SensorKind::momentum) {
    const bool is_angular = target.name_among(keys::momenta) == "angular";
    sensor.kind = is_angular ? SensorKind::angular_momentum : SensorKind::momentum;
  } else if (sensor.kind == SensorKind::distance) {
    read_pair(target, sensor.target, sensor.second);
  } else {
    sensor.target = target.text();
  }
  return sensor;
}

}  // namespace gradus
