// How far a body is from the surface that it may touch; below 0 it is pressed into it.
#include "src/sensors/of_friction.hpp"

namespace gradus::sensors {

extern const SensorKind gap{
    .key = "gap",
    .of = SensorOf::force,
    .level = MotionLevel::velocity,
    .size = 1,
    .unit = "m",
    .write = [](SensorDraft& sensor) { sensor.show_of_force(); },
    .check = check_of_surface,
};

}  // namespace gradus::sensors
