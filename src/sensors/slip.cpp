// How the wheel of a tyre slips: along it, as a share of its speed, and the slip angle.
#include "src/sensors/of_friction.hpp"

namespace gradus::sensors {
namespace {

void check_of_tyre(const Model& model, const References&, const Sensor& sensor,
                   const std::string& where) {
  if (find_force(model, sensor.target)->type != "tyre")
    refuse_type(model, sensor, "name a force of type \"tyre\"", where);
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
