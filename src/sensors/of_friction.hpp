// What sensors of friction and contact share: that the force they name is one.
#pragma once

#include "src/model/force_kind.hpp"
#include "src/model/message.hpp"
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

[[noreturn]] inline void refuse_force(const Sensor& sensor, const std::string& why,
                                      const std::string& hint, const std::string& where) {
  reject(where + "/" + sensor.type, "found " + in_quotes(sensor.target), why, hint);
}

[[noreturn]] inline void refuse_type(const Model& model, const Sensor& sensor,
                                     const std::string& hint, const std::string& where) {
  refuse_force(sensor, "it is of type " + in_quotes(find_force(model, sensor.target)->type), hint,
               where);
}

inline bool is_of_surface(const Model& model, const Sensor& sensor) {
  return kind_of(*find_force(model, sensor.target)).acts_on == ActsOn::surface;
}

inline void check_of_friction(const Model& model, const References&, const Sensor& sensor,
                              const std::string& where) {
  const bool acts = find_force(model, sensor.target)->type != "impact";  // for more than an instant
  if (is_of_surface(model, sensor) && acts) return;
  if (kind_of(*find_force(model, sensor.target)).on_joint == nullptr)
    refuse_type(model, sensor,
                "name a force of type \"joint-friction\", \"contact\", \"tyre\" or \"rolling\"",
                where);
  if (sensor_size(model, sensor) == 0)
    refuse_force(sensor, "its law does not depend on the load",
                 "name a force of type \"joint-friction\" with another law", where);
}

inline void check_of_surface(const Model& model, const References&, const Sensor& sensor,
                             const std::string& where) {
  if (!is_of_surface(model, sensor))
    refuse_type(model, sensor,
                "name a force of type \"contact\", \"tyre\", \"rolling\" or \"impact\"", where);
}

}  // namespace gradus::sensors
