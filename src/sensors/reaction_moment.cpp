// What a joint or a loop does to its child: the moment about its joint point there, in global axes.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind reaction_moment{
    .key = "reaction_moment",
    .of = SensorOf::joint_or_loop,
    .level = MotionLevel::acceleration,
    .size = 3,
    .unit = "N m",
    .write =
        [](SensorDraft& sensor) {
          sensor.show_reaction(kernels::SignalKind::joint_moment, kernels::SignalKind::loop_moment);
        },
};

}  // namespace gradus::sensors
