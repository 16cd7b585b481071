// The angular velocity of a body, in global axes.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind angular_velocity{
    .key = "angular_velocity",
    .of = SensorOf::body,
    .level = MotionLevel::velocity,
    .size = 3,
    .unit = "rad/s",
    .formula = [](const SensorFormula& f, int k) { return f.angular_velocity(k); },
    .write =
        [](SensorDraft& sensor) {
          sensor.show(kernels::SignalKind::angular_velocity, sensor.body());
        },
};

}  // namespace gradus::sensors
