// The momentum of the whole system, or its angular momentum about the global origin.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {
namespace {

constexpr std::array<std::string_view, 2> momenta{"linear", "angular"};

}  // namespace

extern const SensorKind momentum{
    .key = "momentum",
    .of = SensorOf::system,
    .level = MotionLevel::velocity,
    .size = 3,
    .write =
        [](SensorDraft& sensor) {
          using kernels::SignalKind;
          const bool is_angular = sensor.target() == "angular";
          sensor.measure_in(is_angular ? "kg m^2/s" : "kg m/s");
          sensor.show(is_angular ? SignalKind::angular_momentum : SignalKind::momentum);
        },
    .choices = momenta,
};

}  // namespace gradus::sensors
