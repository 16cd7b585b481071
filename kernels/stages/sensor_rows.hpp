// What objectives ask of sensors: rows over (position, rate, acceleration), and derivatives by the
// parameters at fixed coordinates. docs/theory.md, section 12.
#pragma once

#include "kernels/passes/reaction_partials.hpp"
#include "kernels/passes/reaction_rows.hpp"
#include "kernels/passes/signals.hpp"
#include "kernels/stages/multiplier_rows.hpp"

GRADUS_KERNELS_BEGIN

// Rows of a momentum.
template <class D, class Row, class Adjoint>
GRADUS_ROUTINE void add_momentum_rows(const D& d, const SensorEntry& sensor, const Adjoint& adjoint,
                                      const Row& row) {
  const int n = d.plan.coordinate_count;
  const auto y = load3(adjoint, 0);
  const bool linear = sensor.kind == SignalKind::momentum;
  for (int c = 0; c < n; ++c) {
    const int i = d.plan.coordinates[c].body;
    const auto s = axis_motion(d, d.layout.motion, c);
    const auto by_position = momentum_by_position(d, i, s);
    const auto by_rate = momentum_by_rate(d, i, s);
    row[c] += dot(y, linear ? by_position.f : by_position.n);
    row[n + c] += dot(y, linear ? by_rate.f : by_rate.n);
  }
}

// Rows of an angular velocity.
template <class D, class Row, class Adjoint>
GRADUS_FUNCTION void add_angular_velocity_rows(const D& d, int body, const Adjoint& adjoint,
                                               const Row& row) {
  if (body < 0) return;
  const int n = d.plan.coordinate_count;
  const auto y = load3(adjoint, 0);
  for (int c = d.plan.bodies[body].tip_coordinate; c >= 0; c = d.plan.coordinates[c].upstream) {
    const auto s = axis_motion(d, d.layout.motion, c);
    row[c] += dot(y, angular_velocity_column(d, d.layout.motion, body, s));
    row[n + c] += dot(y, s.axis.w);
  }
}
template <class D, class Row>
GRADUS_ROUTINE void add_reaction_rows(const D& d, const SensorEntry& sensor,
                                      const VirtualAxis<RealOf<D>>& v, const Row& row) {
  if (is_loop_reaction(sensor.kind))
    add_loop_reaction_rows(d, sensor, v, row);
  else
    add_joint_reaction_rows(d, v, row);
}

// Rows of the force or power of a constraint.
template <class D, class Row, class Adjoint>
GRADUS_FUNCTION void add_constraint_reaction_rows(const D& d, const SensorEntry& sensor,
                                                  const Adjoint& adjoint, const Row& row) {
  const ConstraintEntry& e = d.plan.constraints[sensor.index];
  const auto by_multiplier = d.at(d.layout.reaction_multiplier);
  if (sensor.kind == SignalKind::constraint_force) {
    const RealOf<D> sign(static_cast<double>(sensor.factor));
    for (int k = 0; k < sensor.size; ++k) by_multiplier[e.row + k] += sign * adjoint[k];
    return;
  }
  const RealOf<D> y = -adjoint[0];
  add_to_rows(by_multiplier, e, y * moved_constraint(d, e));
  add_moved_constraint_rows(d, e, y * both_multipliers(d, e), row);
}

// Rows of one sensor: adds adjoint * (d sensor / d position, rate, acceleration) to rows [3 n], of
// reactions [5 n] and to the row of the multipliers.
template <class D, class Row, class Adjoint>
GRADUS_ROUTINE void add_sensor_rows(const D& d, const SensorEntry& sensor, const Adjoint& adjoint,
                                    const Row& row) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  if (is_energy(sensor.kind)) {
    const auto energy = d.at(l.energy_rows);
    const bool kinetic = sensor.kind != SignalKind::potential_energy;
    const bool potential = sensor.kind != SignalKind::kinetic_energy;
    for (int c = 0; c < n; ++c) {
      if (kinetic) row[c] += adjoint[0] * energy[c];
      if (kinetic) row[n + c] += adjoint[0] * energy[n + c];
      if (potential) row[c] += adjoint[0] * energy[2 * n + c];
    }
    return;
  }
  if (is_coordinate(sensor.kind)) {
    const auto to = row.from(level_of(sensor.kind) * n + sensor.index);
    for (int k = 0; k < sensor.size; ++k) to[k] += adjoint[k];
    return;
  }
  if (is_momentum(sensor.kind)) return add_momentum_rows(d, sensor, adjoint, row);
  if (sensor.kind == SignalKind::angular_velocity)
    return add_angular_velocity_rows(d, sensor.index, adjoint, row);
  if (sensor.kind == SignalKind::law) {
    for (int k = 0; k < sensor.size; ++k)
      add_law_signal_rows(d, sensor.index + k, RealOf<D>(adjoint[k]), row);
    return;
  }
  if (is_constraint_reaction(sensor.kind))
    return add_constraint_reaction_rows(d, sensor, adjoint, row);
  if (is_reaction(sensor.kind))
    return add_reaction_rows(d, sensor, virtual_axis(d, sensor, adjoint), row);
  const int body = d.plan.features[sensor.index].body;
  if (body < 0) return;
  const VectorOf<D> y = load3(adjoint, 0);
  for (int c = d.plan.bodies[body].tip_coordinate; c >= 0; c = d.plan.coordinates[c].upstream) {
    const auto s = axis_motion(d, l.motion, c);
    const RealOf<D> q = dot(y, position_column(d, sensor.index, s));
    if (sensor.kind == SignalKind::position) {
      row[c] += q;
      continue;
    }
    const RealOf<D> q_rate = dot(y, velocity_column(d, l.motion, sensor.index, s));
    if (sensor.kind == SignalKind::velocity) {
      row[c] += q_rate;
      row[n + c] += q;
      continue;
    }
    row[c] += dot(y, acceleration_column(d, l.motion, sensor.index, s));
    row[n + c] += RealOf<D>(2) * q_rate;
    row[2 * n + c] += q;
  }
}

// Derivative of one sensor, weighted by its adjoint, by one entry of a parameter at fixed
// coordinates.
template <class D, class Adjoint>
GRADUS_ROUTINE RealOf<D> sensor_partial(const D& d, const SensorEntry& sensor,
                                        const PartialEntry& entry, const AxisOf<D>& axis,
                                        const Adjoint& adjoint) {
  using Real = typename D::Real;
  if (is_energy(sensor.kind)) {
    const Energies<Real> partial = energy_partial(d, entry);
    const Real sum = (sensor.kind != SignalKind::potential_energy ? partial.kinetic : Real(0)) +
                     (sensor.kind != SignalKind::kinetic_energy ? partial.potential : Real(0));
    return adjoint[0] * sum;
  }
  if (is_coordinate(sensor.kind)) return Real(0);
  if (sensor.kind == SignalKind::law) {
    Real sum(0);
    for (int k = 0; k < sensor.size; ++k)
      sum += adjoint[k] * law_signal_partial(d, sensor.index + k, entry, axis);
    return sum;
  }
  if (sensor.kind == SignalKind::constraint_force) return Real(0);
  if (sensor.kind == SignalKind::constraint_power) {
    const ConstraintEntry& e = d.plan.constraints[sensor.index];
    return moved_constraint_partial(d, e, entry, axis, -adjoint[0] * both_multipliers(d, e));
  }
  if (is_reaction(sensor.kind))
    return reaction_partial(d, sensor, entry, virtual_axis(d, sensor, adjoint));
  const MotionLayout& m = d.layout.motion;
  if (is_momentum(sensor.kind)) {
    const auto partial = momentum_partial(d, entry, axis);
    return dot(load3(adjoint, 0), sensor.kind == SignalKind::momentum ? partial.f : partial.n);
  }
  if (sensor.kind == SignalKind::angular_velocity) {
    if (!is_locked_axis(entry.kind) || !is_in_sub_tree(d, sensor.index, entry.index))
      return RealOf<D>(0);
    return dot(load3(adjoint, 0), angular_velocity_column(d, m, sensor.index, axis));
  }
  FeatureColumn<Real> column;
  if (!feature_partial(d, m, entry, axis, sensor.index, column)) return Real(0);
  const Vector3<Real> y = load3(adjoint, 0);
  return dot(y, sensor.kind == SignalKind::position   ? column.q
                : sensor.kind == SignalKind::velocity ? column.q_rate
                                                      : column.q_acceleration);
}

GRADUS_KERNELS_END
