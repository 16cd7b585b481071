// The rate of the distance between two points, positive while they part; undefined where they meet.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind distance_rate{
    .key = "distance_rate",
    .of = SensorOf::two_points,
    .level = MotionLevel::velocity,
    .size = 1,
    .unit = "m/s",
    .formula = [](const SensorFormula& f, int) { return f.length_rate(); },
};

}  // namespace gradus::sensors
