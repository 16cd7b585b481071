// How the wheel of a tyre slips: along it, as a share of its speed, and the slip angle.
#include "src/sensors/of_friction.hpp"

namespace gradus::sensors {
namespace {

void check_of_tyre(const Model& model, const References&, const Sensor& sensor,
                   const std::string& where) {
  const Force& force = *find_force(model, sensor.target);
  if (force.type != "tyre")
    reject(where + "/" + sensor.type, "found " + in_quotes(sensor.target),
           "it is of type " + in_quotes(force.type), "name a force of type \"tyre\"");
}

}  // namespace

extern const SensorKind slip{
    .key = "slip",
    .of = SensorOf::force,
    .level = MotionLevel::velocity,
    .size = 2,
    .unit = "",
    .write = [](SensorDraft& sensor) { sensor.show_of_force(); },
    .check = check_of_tyre,
};

}  // namespace gradus::sensors
