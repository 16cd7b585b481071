// Views of a plan.
#include "src/plan/plan.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace gradus {

void Plan::hold(const std::vector<HeldRow>& rows) {
  held.insert(held.end(), rows.begin(), rows.end());
  std::sort(held.begin(), held.end(), [](const HeldRow& a, const HeldRow& b) {
    return std::tie(a.coordinate, a.turn) < std::tie(b.coordinate, b.turn);
  });
  guess.resize(coordinates.size(), std::numeric_limits<double>::quiet_NaN());
  held_numbers.clear();
  for (const HeldRow& row : held)
    held_numbers.push_back(row.turn < 0 ? row.coordinate
                                        : coordinate_count() + 3 * row.coordinate + row.turn);
}

kernels::PlanView Plan::view() const {
  const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
  kernels::PlanView v{};
  v.body_count = count(bodies);
  v.coordinate_count = count(coordinates);
  v.independent_count = count(held);
  v.constraint_rows = constraint_rows;
  v.constraint_rank = coordinate_count() - v.independent_count;
  v.start_constraints = start_constraints;
  v.start_rows = start_rows;
  v.feature_count = count(features);
  v.spring_count = count(springs);
  v.constraint_count = count(constraints);
  v.sensor_count = count(sensors);
  v.signal_count = signal_count;
  v.objective_count = count(objectives);
  v.least_squares_count = least_squares_count;
  v.residual_count = count(residual_outputs);
  v.parameter_count = parameter_count();
  v.column_begin = 0;
  v.column_count = parameter_count();
  v.slot_count = slot_count;
  v.gravity_slot = gravity_slot;
  v.direction_count = count(directions);
  v.moment_at_origin = reference == Reference::rtdyn1 ? 1 : 0;
  v.uses_energy = uses_energy ? 1 : 0;
  v.uses_reactions = uses_reactions ? 1 : 0;
  v.torsional_count = count(torsionals);
  v.law_count = count(laws);
  v.action_count = count(actions);
  v.law_input_count = count(law_inputs);
  v.law_instruction_count = count(law_instructions);
  for (const kernels::LawEntry& law : laws) {
    v.longest_law = std::max(v.longest_law, law.instruction_end - law.instruction_begin);
    v.widest_law = std::max(v.widest_law, law.input_end - law.input_begin);
  }
  v.bodies = bodies.data();
  v.coordinates = coordinates.data();
  v.features = features.data();
  v.touches = touches.data();
  v.guess = guess.data();
  v.held = held_numbers.data();
  v.springs = springs.data();
  v.constraints = constraints.data();
  v.torsionals = torsionals.data();
  v.laws = laws.data();
  v.law_inputs = law_inputs.data();
  v.law_instructions = law_instructions.data();
  v.actions = actions.data();
  v.sensors = sensors.data();
  v.objectives = objectives.data();
  v.objective_sensors = objective_sensors.data();
  v.residual_outputs = residual_outputs.data();
  v.partials = partials.data();
  v.partial_begin = partial_begin.data();
  v.directions = directions.data();
  v.elements = elements.data();
  v.explicit_parameters = explicit_parameters.data();
  v.explicit_count = count(explicit_parameters);
  v.element_count = count(elements);
  for (const kernels::ElementEntry& element : elements) {
    v.element_size += element.count;
    if (element.touches_sensors != 0) v.sensors_touched = 1;
    const bool moves = kernels::is_locked_axis(element.kind);
    if (moves) v.moves_elements = 1;
    if (moves || element.kind == kernels::PartialKind::feature ||
        element.kind == kernels::PartialKind::law)
      v.loads_elements = 1;
  }
  v.direction_order = direction_order.data();
  v.slot_program = slot_program.view();
  v.objective_program = objective_program.view();
  return v;
}

}  // namespace gradus
