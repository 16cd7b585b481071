// The rates of the coordinates of a joint.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind rate{
    .key = "rate",
    .of = SensorOf::joint,
    .level = MotionLevel::velocity,
    .unit = "/s",
    .formula = [](const SensorFormula& f, int k) { return f.rate(k); },
    .write =
        [](SensorDraft& sensor) {
          if (sensor.is_of_cut_joint()) return sensor.show_formula();
          sensor.show(kernels::SignalKind::rate, sensor.first_coordinate());
        },
};

}  // namespace gradus::sensors
