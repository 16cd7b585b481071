// Sensitivities of every component of every sensor: its row over position, rate and acceleration
// meets the columns of these, and what the sensor answers to at fixed coordinates is added.
// docs/theory.md, section 12.
#pragma once

#include "kernels/stages/evaluate_motion.hpp"
#include "kernels/stages/objectives.hpp"

GRADUS_KERNELS_BEGIN

// Adjoint that picks component k of a sensor, where objectives have those of signals.
template <class D>
GRADUS_FUNCTION typename D::Array unit_adjoint(const D& d, const SensorEntry& sensor, int k) {
  const auto unit = d.at(d.layout.signal_adjoint + d.plan.parameter_count + 1);
  for (int i = 0; i < sensor.size; ++i) unit[i] = RealOf<D>(i == k ? 1.0 : 0.0);
  return unit;
}

// What one entry of a parameter does to all sensors at fixed coordinates.
template <class D>
GRADUS_FUNCTION void add_sensor_partials(const D& d, int column, const PartialEntry& entry) {
  const auto axis = is_locked_axis(entry.kind) ? locked_axis(d, entry).actual : AxisOf<D>{};
  for (int s = 0; s < d.plan.sensor_count; ++s) {
    const SensorEntry& sensor = d.plan.sensors[s];
    for (int k = 0; k < sensor.size; ++k)
      d.at(d.layout.signal_columns)[(sensor.signal + k) * d.plan.column_count + column] +=
          sensor_partial(d, sensor, entry, axis, unit_adjoint(d, sensor, k));
  }
}

// Component k of a sensor by the columns of the motion, to `out` [column]; for a reaction also by
// the motions that undo what it asks of the multipliers.
template <class D>
GRADUS_ROUTINE void add_component_columns(const D& d, const SensorEntry& sensor, int k, int out) {
  const Layout& l = d.layout;
  const bool reaction = is_reaction(sensor.kind);
  const bool by_multipliers = reaction && has_multipliers(d);
  const int rows = (reaction || has_algebraic(d)) && is_projected(d) ? 5 : 3;
  set_zero(d.at(l.objective_rows), rows * d.plan.coordinate_count);
  if (reaction) set_zero(d.at(l.reaction_multiplier), d.plan.constraint_rows);
  if (has_algebraic(d)) set_zero(d.at(l.algebraic.adjoint), d.plan.algebraic_count);
  add_sensor_rows(d, sensor, unit_adjoint(d, sensor, k), d.at(l.objective_rows));
  if (by_multipliers) add_multiplier_rows(d, l.objective_rows);
  if (has_algebraic(d)) add_algebraic_rows(d, l.objective_rows);
  add_rows_times_columns(d, l.objective_rows, rows, 1.0, out);
  if (by_multipliers) add_multiplier_partials(d, 1.0, out);
  if (has_algebraic(d)) add_algebraic_gradient(d, 1.0, out);
}

template <class D>
GRADUS_ROUTINE void sensor_columns(const D& d) {
  const Layout& l = d.layout;
  const int columns = d.plan.column_count;
  set_zero(d.at(l.signal_columns), d.plan.signal_count * columns);
  // Unlike those of objectives: whatever sensors there are.
  bool uses_energy = false;
  for (int s = 0; s < d.plan.sensor_count; ++s)
    uses_energy =
        uses_energy || is_energy(d.plan.sensors[s].kind) || is_momentum(d.plan.sensors[s].kind);
  if (uses_energy) energy_rows(d);
  if (has_reactions(d)) acceleration_projection_forces(d);
  for (int s = 0; s < d.plan.sensor_count; ++s) {
    const SensorEntry& sensor = d.plan.sensors[s];
    for (int k = 0; k < sensor.size; ++k)
      add_component_columns(d, sensor, k, l.signal_columns + (sensor.signal + k) * columns);
  }
  for_each_entry(
      d, [&](int column, const PartialEntry& entry) { add_sensor_partials(d, column, entry); });
}

// At the current motion and its columns, for recording.
template <class D>
GRADUS_FUNCTION void sensor_columns(const D& d, const LaunchArguments& arguments) {
  sensor_columns(d);
  d.fail(!all_finite(d, d.layout.signal_columns, d.plan.signal_count * d.plan.column_count),
         Status::sensor_not_finite, arguments.time);
}

GRADUS_KERNELS_END
