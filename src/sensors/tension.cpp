// The tension of a force along a line, positive where it pulls.
#include "src/model/force_kind.hpp"
#include "src/model/message.hpp"
#include "src/plan/exerted_force.hpp"
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {
namespace {

void check_tension(const Model& model, const References&, const Sensor& sensor,
                   const std::string& where) {
  const Force& force = *find_force(model, sensor.target);
  if (kind_of(force).acts_on != ActsOn::line)
    reject(where + "/tension", "found " + in_quotes(sensor.target),
           "it is of type " + in_quotes(force.type) + " and has no tension",
           "name a force along a line, such as one of type \"spring-damper\"");
}

}  // namespace

extern const SensorKind tension{
    .key = "tension",
    .of = SensorOf::force,
    .level = MotionLevel::velocity,
    .size = 1,
    .unit = "N",
    .write = [](SensorDraft& sensor) { sensor.show_exerted(exerted_tension); },
    .check = check_tension,
};

}  // namespace gradus::sensors
