// The second derivatives of the coordinates of a joint.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind coordinate_acceleration{
    .key = "coordinate_acceleration",
    .of = SensorOf::joint,
    .level = MotionLevel::acceleration,
    .unit = "/s^2",
    .write =
        [](SensorDraft& sensor) {
          sensor.show(kernels::SignalKind::coordinate_acceleration, sensor.first_coordinate());
        },
};

}  // namespace gradus::sensors
