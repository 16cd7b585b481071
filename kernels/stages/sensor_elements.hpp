// What sensors show of the elements that parameters change, and what the motions that undo a row of
// multipliers make of them. docs/theory.md, section 15.
#pragma once

#include "kernels/passes/element_adjoint.hpp"
#include "kernels/stages/sensor_rows.hpp"

GRADUS_KERNELS_BEGIN

// Adds to the features and angular velocities what a sensor makes of them, its components being
// worth `share` times `adjoint`. False if it shows more than these.
template <class D, class Adjoint>
GRADUS_ROUTINE bool add_sensor_features(const D& d, const FeatureLayout& e,
                                        const SensorEntry& sensor, const RealOf<D>& share,
                                        const Adjoint& adjoint) {
  switch (sensor.kind) {
    case SignalKind::position:
    case SignalKind::velocity:
    case SignalKind::acceleration:
      add3(d.at(e.feature[level_of(sensor.kind)]), sensor.index, share * load3(adjoint, 0));
      return true;
    case SignalKind::angular_velocity:
      if (sensor.index >= 0) add3(d.at(e.turn), sensor.index, share * load3(adjoint, 0));
      return true;
    case SignalKind::law:
      for (int k = 0; k < sensor.size; ++k)
        add_law_signal_features(d, e, sensor.index + k, share * adjoint[k]);
      return true;
    case SignalKind::constraint_power: {
      const ConstraintEntry& constraint = d.plan.constraints[sensor.index];
      const VectorOf<D> worth = -(share * adjoint[0]) * both_multipliers(d, constraint);
      add_moved_constraint_features(d, e, constraint, worth);
      return true;
    }
    default:
      return is_coordinate(sensor.kind) || sensor.kind == SignalKind::constraint_force;
  }
}

// Number by number of the elements that touch sensors: partial_of(entry, locked axis) times
// `share`.
template <class D, class Partial>
GRADUS_FUNCTION void add_touched_elements(const D& d, const RealOf<D>& share, int gradient,
                                          const Partial& partial_of) {
  const Layout& l = d.layout;
  const auto unit = d.at(l.element.unit);
  for (int k = 0; k < d.plan.element_count; ++k) {
    const ElementEntry& element = d.plan.elements[k];
    if (element.touches_sensors == 0) continue;
    PartialEntry entry{element.kind, element.index, l.element.unit - l.direction, k, 1};
    if (element.kind == PartialKind::spline) entry.count = element.count / 2;
    for (int i = 0; i < element.count; ++i) {
      for (int j = 0; j < element.count; ++j) unit[j] = RealOf<D>(i == j ? 1.0 : 0.0);
      const auto axis = is_locked_axis(entry.kind) ? locked_axis(d, entry).actual : AxisOf<D>{};
      d.at(gradient)[element.place + i] += share * partial_of(entry, axis);
    }
  }
}

// The same for a sensor of the whole mechanism.
template <class D, class Adjoint>
GRADUS_ROUTINE void add_sensor_elements(const D& d, const SensorEntry& sensor,
                                        const RealOf<D>& share, const Adjoint& adjoint,
                                        int gradient) {
  add_touched_elements(d, share, gradient, [&](const PartialEntry& entry, const AxisOf<D>& axis) {
    return sensor_partial(d, sensor, entry, axis, adjoint);
  });
}

// What the motions that undo the row of the multipliers make of the elements:
// add_multiplier_partials() by elements.
template <class D>
GRADUS_ROUTINE void add_multiplier_elements(const D& d, int o, const RealOf<D>& weight) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int m = d.plan.constraint_rows;
  const UndoingMotions undoing = undoing_motions(d);
  const double omega = d.settings.frequency;
  const double shares[3] = {omega * omega, 2.0 * d.settings.damping_ratio * omega, 1.0};
  for (int level = 0; level < 3; ++level) {
    const RealOf<D> share = undoing.by_penalty ? weight * RealOf<D>(shares[level]) : RealOf<D>(0);
    for (int i = 0; i < m; ++i)
      d.at(l.element.constraint_row[level])[i] =
          undoing.by_penalty ? share * d.at(l.penalty_motion)[n + i] : RealOf<D>(0);
  }
  for (int c = 0; c < n; ++c) d.at(l.element.row)[c] = weight * d.at(undoing.motion)[c];
  add_element_adjoint(d, 0, o);
  if (!undoing.projected) return;
  for (const int rows : l.element.constraint_row) set_zero(d.at(rows), m);
  for (int c = 0; c < n; ++c) d.at(l.element.row)[c] = weight * d.at(undoing.last)[c];
  add_element_adjoint(d, 2, o);
}

GRADUS_KERNELS_END
