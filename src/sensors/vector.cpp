// A vector fixed in a body, in global axes: a direction answers as a point does.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind vector{
    .key = "vector",
    .of = SensorOf::vector,
    .level = MotionLevel::position,
    .size = 3,
    .unit = "1",
    .formula = [](const SensorFormula& f, int k) { return f.vector()[index(k)]; },
    .write =
        [](SensorDraft& sensor) { sensor.show(kernels::SignalKind::position, sensor.vector()); },
};

}  // namespace gradus::sensors
