// What a joint or a loop does to its child: the force, in global axes.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {

extern const SensorKind reaction_force{
    .key = "reaction_force",
    .of = SensorOf::joint_or_loop,
    .level = MotionLevel::acceleration,
    .size = 3,
    .unit = "N",
    .write =
        [](SensorDraft& sensor) {
          sensor.show_reaction(kernels::SignalKind::joint_force, kernels::SignalKind::loop_force);
        },
};

}  // namespace gradus::sensors
