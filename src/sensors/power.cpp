// The power that a force element delivers to the mechanism.
#include "src/plan/exerted_force.hpp"
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind power{
    .key = "power",
    .of = SensorOf::force,
    .level = MotionLevel::velocity,
    .size = 1,
    .unit = "W",
    .write = [](SensorDraft& sensor) { sensor.show_exerted(exerted_power); },
};

}  // namespace gradus::sensors
