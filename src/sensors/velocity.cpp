// The velocity of a point, in global axes.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind velocity{
    .key = "velocity",
    .of = SensorOf::point,
    .level = MotionLevel::velocity,
    .size = 3,
    .unit = "m/s",
    .formula = [](const SensorFormula& f, int k) { return f.velocity()[index(k)]; },
    .write =
        [](SensorDraft& sensor) { sensor.show(kernels::SignalKind::velocity, sensor.point()); },
};

}  // namespace gradus::sensors
