// How fast the second of two points moves, seen from the first: in the axes of its body, which
// turn.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind relative_velocity{
    .key = "relative_velocity",
    .of = SensorOf::two_points,
    .level = MotionLevel::velocity,
    .size = 3,
    .unit = "m/s",
    .formula = [](const SensorFormula& f,
                  int k) { return dot(f.axis(k), f.line_rate()) + dot(f.axis_rate(k), f.line()); },
};

}  // namespace gradus::sensors
