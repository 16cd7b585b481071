// The power that a constraint delivers to the mechanism.
#include "src/model/constraint_kind.hpp"
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
          if (kind_of(sensor.stated_constraint()).of == ConstraintOf::rates)
            return sensor.show_of_force();
          sensor.show(kernels::SignalKind::constraint_power, sensor.constraint());
        },
};

}  // namespace gradus::sensors
