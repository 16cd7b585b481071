// The torque that a force element applies: on its body, in global axes, or about an angle of a
// joint.
#include "src/sensors/applied.hpp"

namespace gradus::sensors {

extern const SensorKind applied_torque{
    .key = "applied_torque",
    .of = SensorOf::force,
    .level = MotionLevel::velocity,
    .unit = "N m",
    .write = [](SensorDraft& sensor) { sensor.show_exerted(exerted_torque); },
    .check = check_applied,
};

}  // namespace gradus::sensors
