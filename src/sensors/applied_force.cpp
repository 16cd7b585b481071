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
          ExertedForce force(sensor.draft(), sensor.target());
          sensor.show(force.law(), force.force(), sensor.target());
        },
    .check = check_applied,
};

}  // namespace gradus::sensors
