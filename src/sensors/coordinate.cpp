// The coordinates of a joint.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind coordinate{
    .key = "coordinate",
    .of = SensorOf::joint,
    .level = MotionLevel::position,
    .formula = [](const SensorFormula& f, int k) { return f.coordinate(k); },
    .write =
        [](SensorDraft& sensor) {
          if (sensor.is_of_cut_joint()) return sensor.show_formula();
          sensor.show(kernels::SignalKind::coordinate, sensor.first_coordinate());
        },
};

}  // namespace gradus::sensors
