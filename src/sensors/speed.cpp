// The speed of a point, which has no derivative at rest.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind speed{
    .key = "speed",
    .of = SensorOf::point,
    .level = MotionLevel::velocity,
    .size = 1,
    .unit = "m/s",
    .formula = [](const SensorFormula& f, int) { return length(f.velocity()); },
};

}  // namespace gradus::sensors
