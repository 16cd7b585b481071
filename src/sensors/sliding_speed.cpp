// How fast the surfaces of a joint with friction slide on each other.
#include "src/sensors/of_friction.hpp"

namespace gradus::sensors {

extern const SensorKind sliding_speed{
    .key = "sliding_speed",
    .of = SensorOf::force,
    .level = MotionLevel::velocity,
    .unit = "m/s",
    .write = [](SensorDraft& sensor) { sensor.show_of_force(); },
    .check = check_of_friction,
};

}  // namespace gradus::sensors
