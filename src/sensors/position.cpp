// Where a point is, in global axes.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind position{
    .key = "position",
    .of = SensorOf::point,
    .level = MotionLevel::position,
    .size = 3,
    .unit = "m",
    .formula = [](const SensorFormula& f, int k) { return f.position()[index(k)]; },
    .write =
        [](SensorDraft& sensor) { sensor.show(kernels::SignalKind::position, sensor.point()); },
};

}  // namespace gradus::sensors
