// The force that a force element applies: at its place, in global axes, or along a translation of a
// joint.
#include "src/sensors/applied.hpp"

namespace gradus::sensors {

extern const SensorKind applied_force{
    .key = "applied_force",
    .of = SensorOf::force,
    .level = MotionLevel::velocity,
    .unit = "N",
    .write = [](SensorDraft& sensor) { sensor.show_exerted(exerted_force); },
    .check = check_applied,
};

}  // namespace gradus::sensors
