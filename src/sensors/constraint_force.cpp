// The generalised force of a constraint, by its multipliers.
#include "src/model/constraint_kind.hpp"
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {
namespace {

std::string unit_of_force(const Draft& draft, const Constraint& constraint) {
  if (const std::string_view unit = kind_of(constraint).unit_of_force; !unit.empty())
    return std::string(unit);
  const std::string unit = unit_of_coordinate(draft, constraint.first,
                                              "/constraints/" + constraint.name + "/coordinate");
  return unit == "m" ? "N" : unit == "rad" ? "N m" : "J";
}

}  // namespace

extern const SensorKind constraint_force{
    .key = "constraint_force",
    .of = SensorOf::constraint,
    .level = MotionLevel::acceleration,
    .write =
        [](SensorDraft& sensor) {
          const Constraint& constraint = sensor.stated_constraint();
          sensor.measure_in(unit_of_force(sensor.draft(), constraint));
          if (kind_of(constraint).of == ConstraintOf::rates) return sensor.show_of_force();
          const int sign = kind_of(constraint).is_shown_against ? 1 : -1;
          sensor.show(kernels::SignalKind::constraint_force, sensor.constraint(), 0, sign);
        },
};

}  // namespace gradus::sensors
