// An energy of the whole system.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {
namespace {

constexpr std::array<std::string_view, 3> energies{"kinetic", "potential", "total"};

}  // namespace

extern const SensorKind energy{
    .key = "energy",
    .of = SensorOf::system,
    .level = MotionLevel::velocity,
    .size = 1,
    .unit = "J",
    .write =
        [](SensorDraft& sensor) {
          using kernels::SignalKind;
          sensor.show(sensor.target() == "kinetic"     ? SignalKind::kinetic_energy
                      : sensor.target() == "potential" ? SignalKind::potential_energy
                                                       : SignalKind::total_energy);
        },
    .choices = energies,
};

}  // namespace gradus::sensors
