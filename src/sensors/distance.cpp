// The distance between two points.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind distance{
    .key = "distance",
    .of = SensorOf::two_points,
    .level = MotionLevel::position,
    .size = 1,
    .unit = "m",
    .formula = [](const SensorFormula& f, int) { return length(f.line()); },
    .write =
        [](SensorDraft& sensor) {
          sensor.show(kernels::SignalKind::distance, sensor.point(Named::first),
                      sensor.point(Named::second));
        },
};

}  // namespace gradus::sensors
