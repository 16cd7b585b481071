// What sensors of friction and contact share: that the force they name is one.
#pragma once

#include "src/model/force_kind.hpp"
#include "src/model/message.hpp"
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

inline void check_of_friction(const Model& model, const References&, const Sensor& sensor,
                              const std::string& where) {
  const Force& force = *find_force(model, sensor.target);
  const bool is_on_joint = kind_of(force).on_joint != nullptr;
  if (kind_of(force).acts_on == ActsOn::surface) return;
  if (is_on_joint && sensor_size(model, sensor) > 0) return;
  reject(where + "/" + sensor.type, "found " + in_quotes(sensor.target),
         is_on_joint ? "its law does not depend on the load"
                     : "it is of type " + in_quotes(force.type),
         is_on_joint ? "name a force of type \"joint-friction\" with another law"
                     : "name a force of type \"joint-friction\", \"contact\" or \"tyre\"");
}

inline void check_of_surface(const Model& model, const References&, const Sensor& sensor,
                             const std::string& where) {
  const Force& force = *find_force(model, sensor.target);
  if (kind_of(force).acts_on == ActsOn::surface) return;
  reject(where + "/" + sensor.type, "found " + in_quotes(sensor.target),
         "it is of type " + in_quotes(force.type), "name a force of type \"contact\" or \"tyre\"");
}

}  // namespace gradus::sensors
