// A first-order state, of the model or of a force: see docs/theory.md, section 18.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind state{
    .key = "state",
    .of = SensorOf::state,
    .level = MotionLevel::velocity,
    .size = 1,
    .formula = [](const SensorFormula& f, int) { return f.state(); },
    .write =
        [](SensorDraft& sensor) {
          sensor.measure_in(sensor.draft().unit_of_state(sensor.target()));
          sensor.show(sensor.is_of_followed_state() ? kernels::SignalKind::coordinate
                                                    : kernels::SignalKind::rate,
                      sensor.coordinate_of_state());
        },
};

}  // namespace gradus::sensors
