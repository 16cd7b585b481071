// Where the second of two points is, seen from the first: in the axes of its body.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind relative_position{
    .key = "relative_position",
    .of = SensorOf::two_points,
    .level = MotionLevel::position,
    .size = 3,
    .unit = "m",
    .formula = [](const SensorFormula& f, int k) { return dot(f.axis(k), f.line()); },
};

}  // namespace gradus::sensors
