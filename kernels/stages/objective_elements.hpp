// What an objective owes to the parameters at fixed coordinates: directly, and through what its
// sensors show of the elements that parameters change. docs/theory.md, section 15.
#pragma once

#include "kernels/passes/element_adjoint.hpp"
#include "kernels/stages/objectives.hpp"

GRADUS_KERNELS_BEGIN

// Adds to the features and angular velocities what a sensor makes of them, its components being
// worth `factor` times `adjoint`. False if it shows more than these.
template <class D, class Adjoint>
GRADUS_ROUTINE bool add_sensor_features(const D& d, const FeatureLayout& e,
                                        const SensorEntry& sensor, double factor,
                                        const Adjoint& adjoint) {
  const RealOf<D> share(factor);
  switch (sensor.kind) {
    case SignalKind::position:
    case SignalKind::velocity:
    case SignalKind::acceleration:
      add3(d.at(e.feature[level_of(sensor.kind)]), sensor.index, share * load3(adjoint, 0));
      return true;
    case SignalKind::distance: {
      const VectorOf<D> pull = (share * adjoint[0]) * direction_of(d, sensor);
      add3(d.at(e.feature[0]), sensor.second, pull);
      add3(d.at(e.feature[0]), sensor.index, -pull);
      return true;
    }
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

// The same for a sensor of the whole mechanism, number by number of the elements.
template <class D, class Adjoint>
GRADUS_ROUTINE void add_sensor_elements(const D& d, const SensorEntry& sensor, double factor,
                                        const Adjoint& adjoint, int gradient) {
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
      d.at(gradient)[element.place + i] +=
          RealOf<D>(factor) * sensor_partial(d, sensor, entry, axis, adjoint);
    }
  }
}

// What the motions that undo the row of the multipliers make of the elements:
// add_multiplier_partials() by elements.
template <class D>
GRADUS_ROUTINE void add_multiplier_elements(const D& d, int o, double weight) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int m = d.plan.constraint_rows;
  const UndoingMotions undoing = undoing_motions(d);
  const double omega = d.settings.frequency;
  const double shares[3] = {omega * omega, 2.0 * d.settings.damping_ratio * omega, 1.0};
  for (int level = 0; level < 3; ++level) {
    const RealOf<D> share(undoing.by_penalty ? weight * shares[level] : 0.0);
    for (int i = 0; i < m; ++i)
      d.at(l.element.constraint_row[level])[i] =
          undoing.by_penalty ? share * d.at(l.penalty_motion)[n + i] : RealOf<D>(0);
  }
  for (int c = 0; c < n; ++c) d.at(l.element.row)[c] = RealOf<D>(weight) * d.at(undoing.motion)[c];
  add_element_adjoint(d, 0, o);
  if (!undoing.projected) return;
  for (const int rows : l.element.constraint_row) set_zero(d.at(rows), m);
  for (int c = 0; c < n; ++c) d.at(l.element.row)[c] = RealOf<D>(weight) * d.at(undoing.last)[c];
  add_element_adjoint(d, 2, o);
}

// Objective o, its signal adjoints being ready, counts `weight`.
template <class D>
GRADUS_ROUTINE void add_objective_elements(const D& d, int o, double weight) {
  const Layout& l = d.layout;
  const int parameters = d.plan.parameter_count;
  const auto adjoint = d.at(adjoints_of(d, o));
  for (int k = 0; k < d.plan.explicit_count; ++k) {
    const int p = d.plan.explicit_parameters[k];
    d.at(l.objective_gradient)[o * parameters + p] += RealOf<D>(weight) * adjoint[p];
  }
  for (int k = 0; k < d.plan.objective_spline_count; ++k) {
    const SplineCallEntry& call = d.plan.objective_splines[k];
    const RealOf<D> worth = RealOf<D>(weight) * d.at(spline_adjoints_of(d, o))[k];
    add_spline_worth(d, l.element.gradient + o * d.plan.element_size, call.spline,
                     RealOf<D>(place_of(d, call)),
                     [&](const RealOf<D>& power) { return worth * power; });
  }
  if (has_multiplier_rows(d)) add_multiplier_elements(d, o, weight);
  if (d.plan.sensors_touched == 0) return;
  const ObjectiveEntry& objective = d.plan.objectives[o];
  const int gradient = l.element.gradient + o * d.plan.element_size;
  const FeatureLayout features = features_of(d, o);
  for (int s = objective.sensor_begin; s < objective.sensor_end; ++s) {
    const SensorEntry& sensor = d.plan.sensors[d.plan.objective_sensors[s]];
    const auto worth = adjoint.from(parameters + 1 + sensor.signal);
    if (!add_sensor_features(d, features, sensor, weight, worth))
      add_sensor_elements(d, sensor, weight, worth, gradient);
  }
}

// What an instant is worth to objective o on the way back: the same in all lanes, or the weight of
// a sample, which is not.
template <class D>
GRADUS_FUNCTION RealOf<D> worth_of(const D& d, int o, double time, double weight, Moment moment) {
  const ObjectiveEntry& objective = d.plan.objectives[o];
  if (!is_searched(objective.kind)) return RealOf<D>(share_of(objective, time, weight, moment));
  return moment == Moment::stage ? RealOf<D>(0) : weight_of_sample(d, o, time);
}

// The adjoints of objective o, times `factor`.
template <class D>
GRADUS_FUNCTION void scale_adjoints(const D& d, int o, const RealOf<D>& factor) {
  const auto adjoint = d.at(adjoints_of(d, o));
  const auto scale = [&](int i) { adjoint[i] = scaled_slope(factor, adjoint[i]); };
  for (int k = 0; k < d.plan.explicit_count; ++k) scale(d.plan.explicit_parameters[k]);
  const int others = d.plan.signal_count + d.plan.objective_spline_count;
  for (int i = 0; i < others; ++i) scale(d.plan.parameter_count + 1 + i);
}

// Adds one instant for the adjoint: what it is worth goes to the rows of position, rate and
// acceleration, and to the elements.
template <class D>
GRADUS_ROUTINE void add_objective_rows(const D& d, double time, double weight, Moment moment) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int objectives = d.plan.objective_count;
  bool is_evaluated = false;
  for (int o = 0; o < objectives; ++o) {
    const RealOf<D> worth = worth_of(d, o, time, weight, moment);
    if (!any(!is_zero(worth))) continue;
    if (!is_evaluated) {
      signals(d, d.plan.uses_energy != 0 || moment == Moment::end);
      if (d.plan.uses_energy != 0) energy_rows(d);
      evaluate_objectives(d, time);
      is_evaluated = true;
    }
    signal_adjoints(d, d.plan.objectives[o].output, o);
    const bool searched = is_searched(d.plan.objectives[o].kind);
    if (searched) scale_adjoints(d, o, worth);
    const double share = searched ? 1.0 : common(worth);
    objective_row(d, o);
    for (int k = 0; k < objective_row_count(d); ++k)
      for (int c = 0; c < n; ++c)
        d.at(l.columns[objective_row_set(k)])[c * objectives + o] +=
            RealOf<D>(share) * d.at(rows_of(d, o))[k * n + c];
    add_objective_elements(d, o, share);
  }
}

template <class D>
GRADUS_FUNCTION void add_objective_rows(const D& d, const LaunchArguments& arguments) {
  add_objective_rows(d, arguments.time, arguments.weight, moment_of(arguments.last));
}

GRADUS_KERNELS_END
