// What sensors of friction share: that the force they name is one.
#pragma once

#include "src/model/force_kind.hpp"
#include "src/model/message.hpp"
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

inline void check_of_friction(const Model& model, const References&, const Sensor& sensor,
                              const std::string& where) {
  const Force& force = *find_force(model, sensor.target);
  const bool is_on_joint = kind_of(force).on_joint != nullptr;
  if (is_on_joint && sensor_size(model, sensor) > 0) return;
  reject(where + "/" + sensor.type, "found " + in_quotes(sensor.target),
         is_on_joint ? "its law does not depend on the load"
                     : "it is of type " + in_quotes(force.type),
         "name a force of type \"joint-friction\"" +
             std::string(is_on_joint ? " with another law" : ""));
}

}  // namespace gradus::sensors
