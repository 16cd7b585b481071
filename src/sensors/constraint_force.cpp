// The generalised force of a constraint, by its multipliers.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {
namespace {

// Whether the force is shown against the derivative of what is kept, as the one that pulls the ends
// of a distance together, or that acts on the second of two places; others work on what is kept.
bool is_against(ConstraintKind kind) {
  return kind == ConstraintKind::distance || kind == ConstraintKind::coincident;
}

std::string unit_of_force(const Draft& draft, const Constraint& constraint) {
  if (is_against(constraint.kind)) return "N";
  if (constraint.kind == ConstraintKind::dot) return "N m";
  if (constraint.kind == ConstraintKind::expression) return "J/unit";
  const std::string path = "/constraints/" + constraint.name + "/coordinate";
  const int c = draft.coordinate(constraint.first, path);
  const std::string& unit = draft.plan.coordinate_names[index(c)].unit;
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
          const int sign = is_against(constraint.kind) ? 1 : -1;
          sensor.show(kernels::SignalKind::constraint_force, sensor.constraint(), 0, sign);
        },
};

}  // namespace gradus::sensors
