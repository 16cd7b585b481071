// The table of kinds of sensors.
#include "src/model/sensor_types.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "src/model/force_kind.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/keys.hpp"
#include "src/model/message.hpp"

namespace gradus {
namespace {

using Target = SensorTarget;
using Use = SensorUse;

// In the order of SensorKind.
constexpr std::array types{
    SensorType{Target::point, 3, "m", Use::forces_and_constraints},
    SensorType{Target::point, 3, "m/s", Use::forces},
    SensorType{Target::point, 3, "m/s^2", Use::forces, true},
    SensorType{Target::joint, 0, "", Use::forces_and_constraints},
    SensorType{Target::joint, 0, "/s", Use::forces},
    SensorType{Target::joint, 0, "/s^2", Use::forces, true},
    SensorType{Target::energy, 1, "J"},
    SensorType{Target::vector, 3, "1", Use::forces_and_constraints},
    SensorType{Target::body, 3, "rad/s", Use::forces},
    SensorType{Target::two_points, 1, "m", Use::forces_and_constraints},
    SensorType{Target::joint_or_loop, 3, "N", Use::forces, true},
    SensorType{Target::joint_or_loop, 3, "N m", Use::forces, true},
    SensorType{Target::force, 0, "N"},
    SensorType{Target::force, 0, "N m"},
    SensorType{Target::force, 1, "N"},
    SensorType{Target::force, 1, "W"},
    SensorType{Target::constraint, 0, "N", Use::forces, true},
    SensorType{Target::constraint, 1, "W", Use::none, true},
    SensorType{Target::state, 1, "", Use::forces},
    SensorType{Target::system, 3, "kg m/s"},
    SensorType{Target::system, 3, "kg m^2/s"},
};
// One key makes both momenta.
static_assert(types.size() == keys::sensor.size() + 1);

}  // namespace

const SensorType& type_of(SensorKind kind) {
  return types.at(static_cast<std::size_t>(kind));
}

std::string_view key_of(SensorKind kind) {
  return keys::sensor[std::min(static_cast<std::size_t>(kind), keys::sensor.size() - 1)].name;
}

int sensor_size(const Model& model, const Sensor& sensor) {
  const SensorType& type = type_of(sensor.kind);
  if (type.size > 0) return type.size;
  if (type.target == SensorTarget::force) {
    const Force* const force = find_force(model, sensor.target);
    return force == nullptr ? 0 : kind_of(*force).acts_on == ActsOn::coordinate ? 1 : 3;
  }
  if (type.target == SensorTarget::constraint) {
    for (const Constraint& constraint : model.constraints)
      if (constraint.name == sensor.target)
        return constraint.kind == ConstraintKind::coincident ? 3 : 1;
    return 0;
  }
  for (const Joint& joint : model.joints)
    if (joint.name == sensor.target) return coordinate_count(joint.type);
  return 0;
}

bool is_usable_in(LawPlace place, SensorKind kind) {
  return static_cast<int>(place) < static_cast<int>(type_of(kind).use);
}

std::string hint_of_sensors(LawPlace place) {
  std::vector<std::string> usable;
  for (std::size_t k = 0; k < types.size(); ++k)
    if (const auto kind = static_cast<SensorKind>(k); is_usable_in(place, kind))
      usable.push_back(in_quotes(key_of(kind)));
  std::string text = "use sensors of kind " + usable.front();
  for (std::size_t k = 1; k < usable.size(); ++k)
    text += (k + 1 < usable.size() ? ", " : " or ") + usable[k];
  return text;
}

}  // namespace gradus
