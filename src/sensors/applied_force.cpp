// The force that a force element applies: at its place, in global axes, or along a translation of a
// joint.
#include "src/sensors/applied.hpp"

namespace gradus::sensors {

extern const SensorKind applied_force{
    .key = "applied_force",
    .of = SensorOf::force,
    .level = MotionLevel::velocity,
    .unit = "N",
    .write =
        [](SensorDraft& sensor) {
          LawWriter law(sensor.draft());
          sensor.show(law, exerted_force(sensor.draft(), law, sensor.target()), sensor.target());
        },
    .check = check_applied,
};

}  // namespace gradus::sensors
