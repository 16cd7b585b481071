// The acceleration of a point, in global axes.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind acceleration{
    .key = "acceleration",
    .of = SensorOf::point,
    .level = MotionLevel::acceleration,
    .size = 3,
    .unit = "m/s^2",
    .write =
        [](SensorDraft& sensor) { sensor.show(kernels::SignalKind::acceleration, sensor.point()); },
};

}  // namespace gradus::sensors
