// Views of a plan.
#include "src/plan/plan.hpp"

namespace gradus {

kernels::PlanView Plan::view() const {
  const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
  kernels::PlanView v{};
  v.body_count = count(bodies);
  v.coordinate_count = count(coordinates);
  v.independent_count = independent_count;
  v.constraint_rows = constraint_rows;
  v.constraint_rank = constraint_rank();
  v.feature_count = count(features);
  v.spring_count = count(springs);
  v.constraint_count = count(constraints);
  v.sensor_count = count(sensors);
  v.signal_count = signal_count;
  v.objective_count = count(objectives);
  v.parameter_count = parameter_count();
  v.slot_count = slot_count;
  v.gravity_slot = gravity_slot;
  v.direction_count = count(directions);
  v.moment_at_origin = reference == Reference::rtdyn1 ? 1 : 0;
  v.uses_energy = uses_energy ? 1 : 0;
  v.bodies = bodies.data();
  v.coordinates = coordinates.data();
  v.features = features.data();
  v.touches = touches.data();
  v.springs = springs.data();
  v.constraints = constraints.data();
  v.sensors = sensors.data();
  v.objectives = objectives.data();
  v.objective_sensors = objective_sensors.data();
  v.partials = partials.data();
  v.partial_begin = partial_begin.data();
  v.directions = directions.data();
  v.slot_program = slot_program.view();
  v.objective_program = objective_program.view();
  return v;
}

}  // namespace gradus
