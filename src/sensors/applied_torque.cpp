// The torque that a force element applies: on its body, in global axes, or about an angle of a
// joint.
#include "src/sensors/applied.hpp"

namespace gradus::sensors {

extern const SensorKind applied_torque{
    .key = "applied_torque",
    .of = SensorOf::force,
    .level = MotionLevel::velocity,
    .unit = "N m",
    .write =
        [](SensorDraft& sensor) {
          LawWriter law(sensor.draft());
          sensor.show(law, exerted_torque(sensor.draft(), law, sensor.target()), sensor.target());
        },
    .check = check_applied,
};

}  // namespace gradus::sensors
