// The power that a constraint delivers to the mechanism.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind constraint_power{
    .key = "constraint_power",
    .of = SensorOf::constraint,
    .level = MotionLevel::acceleration,
    .size = 1,
    .unit = "W",
    .write =
        [](SensorDraft& sensor) {
          sensor.show(kernels::SignalKind::constraint_power, sensor.constraint());
        },
};

}  // namespace gradus::sensors
