// What presses the surfaces of a joint with friction together.
#include "src/sensors/of_friction.hpp"

namespace gradus::sensors {

extern const SensorKind normal_force{
    .key = "normal_force",
    .of = SensorOf::force,
    .level = MotionLevel::velocity,
    .unit = "N",
    .write = [](SensorDraft& sensor) { sensor.show_of_force(); },
    .check = check_of_friction,
};

}  // namespace gradus::sensors
