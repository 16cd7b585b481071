// The distance between two points.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind distance{
    .key = "distance",
    .of = SensorOf::two_points,
    .level = MotionLevel::position,
    .size = 1,
    .unit = "m",
    .formula = [](const SensorFormula& f, int) { return f.length(); },
};

}  // namespace gradus::sensors
