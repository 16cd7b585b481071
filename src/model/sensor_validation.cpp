// Sensors: their types are known, and what they name exists.
#include <algorithm>
#include <vector>

#include "src/model/force_kind.hpp"
#include "src/model/message.hpp"
#include "src/model/sensor_kind.hpp"
#include "src/model/states.hpp"
#include "src/model/suggestion.hpp"
#include "src/model/validation.hpp"

namespace gradus {

void require_among(const std::vector<std::string>& names, const std::string& name,
                   const std::string& where, const std::string& why) {
  if (std::find(names.begin(), names.end(), name) == names.end())
    reject(where, "found " + in_quotes(name), why, suggestion(name, names));
}

namespace {

template <class Element>
std::vector<std::string> names_of(const std::vector<Element>& elements) {
  std::vector<std::string> names;
  for (const Element& element : elements) names.push_back(element.name);
  return names;
}

// Two points or vectors, `where` being that of the key.
void check_two(const Sensor& sensor, const References& references, const std::string& where) {
  if (kind_of(sensor).of == SensorOf::two_points) {
    const PointReference first = references.point(sensor.target, where + "/0");
    const PointReference second = references.point(sensor.second, where + "/1");
    require_two_points(first, second, sensor.second, "there is nothing between them", where);
    return;
  }
  const VectorReference first = references.vector(sensor.target, where + "/0");
  const VectorReference second = references.vector(sensor.second, where + "/1");
  if (first.components == second.components)
    reject(where, "found " + in_quotes(sensor.second) + " twice", "there is nothing between them",
           "name two different vectors");
}

void check_constraint(const Model& model, const Sensor& sensor, const std::string& where) {
  require_among(names_of(model.constraints), sensor.target, where,
                "there is no constraint of that name");
  for (const Constraint& constraint : model.constraints)
    if (constraint.name == sensor.target && constraint.at_start)
      reject(where, "found " + in_quotes(sensor.target),
             "the constraint holds at the start only and exerts no force", "name another one");
}

// What a sensor names, by what it is of.
void check_target(const Model& model, const Sensor& sensor, const References& references,
                  const std::string& where) {
  const SensorKind& kind = kind_of(sensor);
  const std::string at_key = where + "/" + sensor.type;
  switch (kind.of) {
    case SensorOf::point:
      references.point(sensor.target, where);
      return;
    case SensorOf::vector:
      references.vector(sensor.target, where);
      return;
    case SensorOf::two_points:
    case SensorOf::two_vectors:
      return check_two(sensor, references, at_key);
    case SensorOf::body:
      if (references.body(sensor.target, where) != ground_body) return;
      reject(where, "found \"ground\"", "the ground does not turn", "name a body");
    case SensorOf::joint:
      references.joint(sensor.target, where);
      return;
    case SensorOf::joint_or_loop:
      references.joint_or_loop(sensor.target, where);
      return;
    case SensorOf::force:
      return require_among(names_of(model.forces), sensor.target, where,
                           "there is no force of that name");
    case SensorOf::constraint:
      return check_constraint(model, sensor, where);
    case SensorOf::state:
      return require_among(states_of(model), sensor.target, at_key,
                           "there is no state of that name");
    case SensorOf::system:
      return require_among({kind.choices.begin(), kind.choices.end()}, sensor.target, at_key,
                           "there is no such " + sensor.type);
  }
}

}  // namespace

void check_sensor_type(const Sensor& sensor, const std::string& where) {
  std::vector<std::string> types;
  for (const SensorKind* const kind : sensor_kinds()) types.emplace_back(kind->key);
  require_among(types, sensor.type, where, "there is no such type of sensor");
}

void check_sensor(const Model& model, const Sensor& sensor, const References& references,
                  const std::string& where) {
  const SensorKind& kind = kind_of(sensor);
  check_target(model, sensor, references, where);
  if (kind.check != nullptr) kind.check(model, references, sensor, where);
  // Sensors of a joint that has no coordinates would have no components.
  if (sensor_size(model, sensor) == 0)
    reject(where, "found " + in_quotes(sensor.target), "a fixed joint has no coordinates",
           "name another joint");
}

}  // namespace gradus
