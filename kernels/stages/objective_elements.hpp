// What an objective owes to the parameters at fixed coordinates: directly, and through what its
// sensors show of the elements that parameters change. docs/theory.md, section 15.
#pragma once

#include "kernels/stages/algebraic_adjoint.hpp"
#include "kernels/stages/objectives.hpp"

GRADUS_KERNELS_BEGIN

// Objective o, its signal adjoints being ready, counts `weight`.
template <class D>
GRADUS_ROUTINE void add_objective_elements(const D& d, int o, const RealOf<D>& weight) {
  const Layout& l = d.layout;
  const int parameters = d.plan.parameter_count;
  const auto adjoint = d.at(adjoints_of(d, o));
  for (int k = 0; k < d.plan.explicit_count; ++k) {
    const int p = d.plan.explicit_parameters[k];
    d.at(l.objective_gradient)[o * parameters + p] += weight * adjoint[p];
  }
  for (int k = 0; k < d.plan.objective_spline_count; ++k) {
    const SplineCallEntry& call = d.plan.objective_splines[k];
    const RealOf<D> worth = weight * d.at(spline_adjoints_of(d, o))[k];
    add_spline_worth(d, l.element.gradient + o * d.plan.element_size, call.spline,
                     RealOf<D>(place_of(d, call)),
                     [&](const RealOf<D>& power) { return worth * power; });
  }
  if (has_multiplier_rows(d)) add_multiplier_elements(d, o, weight);
  if (has_algebraic(d)) add_algebraic_elements(d, o, weight);
  if (d.plan.sensors_touched == 0) return;
  const ObjectiveEntry& objective = d.plan.objectives[o];
  const int gradient = l.element.gradient + o * d.plan.element_size;
  const FeatureLayout features = touch_features(d, o);
  for (int s = objective.sensor_begin; s < objective.sensor_end; ++s) {
    const SensorEntry& sensor = d.plan.sensors[d.plan.objective_sensors[s]];
    const auto worth = adjoint.from(parameters + 1 + sensor.signal);
    if (!add_sensor_features(d, features, sensor, weight, worth))
      add_sensor_elements(d, sensor, weight, worth, gradient);
  }
}

// What an instant is worth to objective o on the way back: the same in all lanes, or the weight of
// a sample, which is not.
template <class D, class Weight>
GRADUS_FUNCTION RealOf<D> worth_of(const D& d, int o, double time, const Weight& weight,
                                   Moment moment) {
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
template <class D, class Weight>
GRADUS_ROUTINE void add_objective_rows(const D& d, double time, const Weight& weight,
                                       Moment moment) {
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
    const RealOf<D> share = searched ? RealOf<D>(1) : worth;
    objective_row(d, o);
    for (int k = 0; k < objective_row_count(d); ++k)
      for (int c = 0; c < n; ++c)
        d.at(l.columns[objective_row_set(k)])[c * objectives + o] +=
            share * d.at(rows_of(d, o))[k * n + c];
    add_objective_elements(d, o, share);
  }
}

template <class D>
GRADUS_FUNCTION void add_objective_rows(const D& d, const LaunchArguments& arguments) {
  add_objective_rows(d, arguments.time, arguments.weight, moment_of(arguments.last));
}

GRADUS_KERNELS_END
