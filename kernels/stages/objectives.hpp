// Objectives: integrands and values from the sensors, and their gradients from the columns. The
// program is run backwards once per objective; the adjoints of the sensors become rows over
// (position, rate, acceleration), which meet the columns. docs/theory.md, section 12.
#pragma once

#include "kernels/expressions/evaluate.hpp"
#include "kernels/laws/spline_reader.hpp"
#include "kernels/stages/algebraic_rows.hpp"
#include "kernels/stages/evaluate_motion.hpp"
#include "kernels/stages/instant_samples.hpp"
#include "kernels/stages/watch_splines.hpp"

GRADUS_KERNELS_BEGIN

// Inputs of the objective program: parameters, time, signals.
template <class D, class Time>
struct ObjectiveInput {
  const D& d;
  Time time;
  GRADUS_FUNCTION RealOf<D> operator[](int i) const {
    const int parameters = d.plan.parameter_count;
    if (i < parameters) return d.at(d.layout.parameter)[i];
    if (i == parameters) return RealOf<D>(time);
    return d.at(d.layout.signal)[i - parameters - 1];
  }
};

// How many rows [n] an objective has, and of which columns.
template <class D>
GRADUS_FUNCTION int objective_row_count(const D& d) {
  return d.plan.uses_reactions != 0 && is_projected(d) ? 5 : 3;
}
GRADUS_FUNCTION ColumnSet objective_row_set(int k) {
  const ColumnSet sets[5] = {kPosition, kVelocity, kAcceleration, kFreeVelocity, kFreeAcceleration};
  return sets[k];
}

// Where the rows of objective o lie, and its adjoints of parameters, time, signals and splines.
template <class D>
GRADUS_INLINE int rows_of(const D& d, int o) {
  return d.layout.objective_rows + o * objective_row_count(d) * d.plan.coordinate_count;
}
template <class D>
GRADUS_INLINE int adjoints_of(const D& d, int o) {
  return d.layout.signal_adjoint +
         o * (d.plan.parameter_count + 1 + d.plan.signal_count + d.plan.objective_spline_count);
}
template <class D>
GRADUS_INLINE int spline_adjoints_of(const D& d, int o) {
  return adjoints_of(d, o) + d.plan.parameter_count + 1 + d.plan.signal_count;
}

// Where a spline of the objectives is evaluated.
template <class D>
GRADUS_INLINE RealOf<D> place_of(const D& d, const SplineCallEntry& call) {
  return d.at(d.layout.program_value)[d.plan.objective_program.instructions[call.instruction].a];
}

// How objective o changes by those of its splines that an entry changes.
template <class D>
GRADUS_ROUTINE RealOf<D> objective_spline_change(const D& d, int o, const PartialEntry& entry) {
  RealOf<D> sum(0);
  for (int k = 0; k < d.plan.objective_spline_count; ++k) {
    const SplineCallEntry& call = d.plan.objective_splines[k];
    if (call.spline == entry.index)
      sum +=
          d.at(spline_adjoints_of(d, o))[k] * SplineReader<D>{d}.change(entry, place_of(d, call));
  }
  return sum;
}

// Rows of objective o, its signal adjoints being ready.
template <class D>
GRADUS_ROUTINE void objective_row(const D& d, int o) {
  const Layout& l = d.layout;
  const int parameters = d.plan.parameter_count;
  const auto adjoint = d.at(adjoints_of(d, o));  // [parameter, time, signal]
  const auto row = d.at(rows_of(d, o));
  const ObjectiveEntry& objective = d.plan.objectives[o];
  set_zero(row, objective_row_count(d) * d.plan.coordinate_count);
  if (has_multiplier_rows(d)) set_zero(d.at(l.reaction_multiplier), d.plan.constraint_rows);
  if (has_algebraic(d)) set_zero(d.at(l.algebraic.adjoint), d.plan.algebraic_count);
  for (int k = objective.sensor_begin; k < objective.sensor_end; ++k) {
    const SensorEntry& sensor = d.plan.sensors[d.plan.objective_sensors[k]];
    add_sensor_rows(d, sensor, adjoint.from(parameters + 1 + sensor.signal), row);
  }
  if (has_multiplier_rows(d)) add_multiplier_rows(d, rows_of(d, o));
  if (has_algebraic(d)) add_algebraic_rows(d, rows_of(d, o));
}

// Adds weight * d objective / d parameter at fixed coordinates to `at` [column].
template <class D, class Weight>
GRADUS_ROUTINE void add_objective_partials(const D& d, int o, const Weight& weight, int at) {
  const int parameters = d.plan.parameter_count;
  const int columns = d.plan.column_count;
  const auto adjoint = d.at(adjoints_of(d, o));
  const auto gradient = d.at(at);
  const ObjectiveEntry& objective = d.plan.objectives[o];
  for (int column = 0; column < columns; ++column) {
    const int p = d.column_begin + column;
    if (p >= d.plan.parameter_count) break;  // the last slice is not full
    RealOf<D> sum = adjoint[p];
    for (int k = d.plan.partial_begin[p]; k < d.plan.partial_begin[p + 1]; ++k) {
      const PartialEntry& entry = d.plan.partials[k];
      if (entry.kind == PartialKind::spline) sum += objective_spline_change(d, o, entry);
      if (entry.touches_sensors == 0) continue;
      const auto axis = is_locked_axis(entry.kind) ? locked_axis(d, entry).actual : AxisOf<D>{};
      for (int s = objective.sensor_begin; s < objective.sensor_end; ++s) {
        const SensorEntry& sensor = d.plan.sensors[d.plan.objective_sensors[s]];
        sum += sensor_partial(d, sensor, entry, axis, adjoint.from(parameters + 1 + sensor.signal));
      }
    }
    gradient[column] += RealOf<D>(weight) * sum;
  }
  if (has_multiplier_rows(d)) add_multiplier_partials(d, weight, at);
  if (has_algebraic(d)) add_algebraic_gradient(d, weight, at);
}

// Adds weight * (`count` rows over position, rate and acceleration, times their columns) to
// [column].
template <class D, class Weight>
GRADUS_FUNCTION void add_rows_times_columns(const D& d, int rows, int count, const Weight& weight,
                                            int out) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  for (int k = 0; k < count; ++k)
    add_product(d.at(rows + k * n), 1, n, d.at(l.columns[objective_row_set(k)]),
                d.plan.column_count, weight, d.at(out));
}

// Adds weight * d objective / d parameter for objective o, its rows being ready, to `gradient`
// [column].
template <class D, class Weight>
GRADUS_FUNCTION void add_gradient(const D& d, int o, const Weight& weight, int gradient) {
  add_rows_times_columns(d, rows_of(d, o), objective_row_count(d), weight, gradient);
  add_objective_partials(d, o, weight, gradient);
}

// The program of the objectives at the current signals.
template <class D, class Time>
GRADUS_FUNCTION void evaluate_objectives(const D& d, const Time& time) {
  const ObjectiveInput<D, Time> input{d, time};
  const auto value = d.at(d.layout.program_value);
  evaluate(d.plan.objective_program, input, value, SplineReader<D>{d});
}

// What a time is to the objectives.
enum class Moment : int {
  stage,    // of a step, or before a sample: integrands only
  instant,  // the start, or the end of a step
  end,      // of the motion
};

GRADUS_FUNCTION Moment moment_of(int last) {
  if (last == kBeforeSample) return Moment::stage;
  return last == kLast ? Moment::end : Moment::instant;
}

// The part of an objective in a moment: of its weight, or the whole value. None of those that take
// samples. Lanes with clocks of their own have stages in common, and no other moments.
template <class Weight>
GRADUS_FUNCTION Weight share_of(const ObjectiveEntry& objective, double time, const Weight& weight,
                                Moment moment) {
  if (objective.kind == ObjectiveKind::integral) return weight;
  if (is_searched(objective.kind)) return Weight(0);
  const bool due = objective.kind == ObjectiveKind::terminal
                       ? moment == Moment::end
                       : moment != Moment::stage && time == objective.time;
  return Weight(due ? 1 : 0);
}

// Of weights and shares.
template <class Weight>
GRADUS_FUNCTION bool is_nothing(const Weight& weight) {
  return !any(!is_zero(weight));
}

template <class D>
GRADUS_FUNCTION bool takes_sample(const D& d, int o, double time, Moment moment) {
  const ObjectiveEntry& objective = d.plan.objectives[o];
  return is_sampled(d, objective, time, moment == Moment::stage, moment == Moment::end) &&
         (time == objective.to || !follows_at_once(d, objective, time));
}

// Whether a kink of time alone lies between the last sample and this moment, at once behind it.
template <class D>
GRADUS_FUNCTION bool is_at_edge(const D& d, int o, double time, Moment moment) {
  const ObjectiveEntry& objective = d.plan.objectives[o];
  return objective.kink_begin != objective.kink_end &&
         is_sampled(d, objective, time, moment == Moment::stage, moment == Moment::end) &&
         time != objective.to && follows_at_once(d, objective, time);
}

// Whether the moment counts for some objective on the way forwards.
template <class D>
GRADUS_FUNCTION bool counts(const D& d, double time, double weight, Moment moment) {
  for (int o = 0; o < d.plan.objective_count; ++o)
    if (share_of(d.plan.objectives[o], time, weight, moment) != 0.0 ||
        takes_sample(d, o, time, moment) || is_at_edge(d, o, time, moment))
      return true;
  return false;
}

// Adjoints of parameters, time, signals and splines for an output of the program, in the place of
// objective o.
template <class D>
GRADUS_FUNCTION void signal_adjoints(const D& d, int output, int o) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const auto adjoint = d.at(adjoints_of(d, o));
  const auto value = d.at(l.program_value);
  const auto scratch = d.at(l.program_adjoint);
  for (int k = 0; k < d.plan.explicit_count; ++k) adjoint[d.plan.explicit_parameters[k]] = Real(0);
  set_zero(adjoint.from(d.plan.parameter_count), 1 + d.plan.signal_count);
  const int last = d.plan.objective_program.outputs[output];
  reverse(
      d.plan.objective_program, last, value, scratch,
      [&](int i, const Real& a) { adjoint[i] += a; }, SplineReader<D>{d});
  const auto of_splines = d.at(spline_adjoints_of(d, o));
  for (int k = 0; k < d.plan.objective_spline_count; ++k) {
    const int at = d.plan.objective_splines[k].instruction;
    of_splines[k] = at > last ? Real(0) : Real(scratch[at]);
  }
}

// The sum of the sizes of all that adds up to objective o: what it would change by if each result
// on the way to it, and the sensors as vectors, changed by as much as they are.
template <class D>
GRADUS_ROUTINE ValueOf<RealOf<D>> size_of_terms(const D& d, int o) {
  using Value = ValueOf<RealOf<D>>;
  const ObjectiveEntry& objective = d.plan.objectives[o];
  signal_adjoints(d, objective.output, o);
  const auto value = d.at(d.layout.program_value);
  const auto by_value = d.at(d.layout.program_adjoint);
  Value sum(0);
  for (int k = 0; k <= d.plan.objective_program.outputs[objective.output]; ++k)
    sum += absolute(scaled_slope(value_of(by_value[k]), value_of(value[k])));
  const auto by_signal = d.at(adjoints_of(d, o) + d.plan.parameter_count + 1);
  for (int s = objective.sensor_begin; s < objective.sensor_end; ++s) {
    const SensorEntry& sensor = d.plan.sensors[d.plan.objective_sensors[s]];
    Value most(0), by_most(0);
    for (int k = sensor.signal; k < sensor.signal + sensor.size; ++k) {
      const Value size = absolute(value_of(d.at(d.layout.signal)[k]));
      most = select(size > most, size, most);
      by_most += absolute(value_of(by_signal[k]));
    }
    sum += scaled_slope(by_most, most);
  }
  return sum;
}

// Adds weight * 2 * sum of dr dr^T, dr the gradient of a residual, for the sum of squares o to its
// matrix behind `gradients`.
template <class D, class Weight>
GRADUS_ROUTINE void add_gauss_newton(const D& d, int o, const Weight& weight, int gradients) {
  const ObjectiveEntry& objective = d.plan.objectives[o];
  const int columns = d.plan.column_count;
  const int row = d.layout.residual_gradient;
  const auto matrix =
      d.at(gradients + (d.plan.objective_count + objective.least_squares * columns) * columns);
  for (int k = objective.residual_begin; k < objective.residual_end; ++k) {
    set_zero(d.at(row), columns);
    signal_adjoints(d, d.plan.residual_outputs[k], o);
    objective_row(d, o);
    add_gradient(d, o, 1.0, row);
    for (int i = 0; i < columns; ++i)
      for (int j = 0; j < columns; ++j)
        matrix[i * columns + j] += RealOf<D>(Weight(2.0) * weight) * (d.at(row)[i] * d.at(row)[j]);
  }
}

// All signals at the current motion, energies included, for recording.
template <class D>
GRADUS_FUNCTION void evaluate_signals(const D& d, const LaunchArguments&) {
  signals(d, true);
}

// Marks the design if its gradient is not a number.
template <class D>
GRADUS_FUNCTION void check_gradients(const D& d, double time) {
  d.fail(!all_finite(d, d.layout.objective_gradient, gradient_entries(d.plan, d.settings)),
         Status::objective_not_finite, time);
}

// Marks the design if an objective is not a number; gradients are looked at when they are complete.
template <class D, class Time>
GRADUS_FUNCTION void check_objectives(const D& d, const Time& time) {
  d.fail(!all_finite(d, d.layout.position, d.plan.coordinate_count), Status::not_finite, time);
  const auto broken = d.alive() && !all_finite(d, d.layout.objective_value, d.plan.objective_count);
  if (!any(broken)) return;
  RealOf<D>& blamed = d.at(d.layout.blamed)[0];
  for (int o = d.plan.objective_count - 1; o >= 0; --o)
    blamed =
        select(broken && !is_finite(d.at(d.layout.objective_value)[o]), RealOf<D>(-1 - o), blamed);
  d.fail(broken, Status::objective_not_finite, time);
}

// By the parameter that the value of a search is multiplied by, for the adjoint.
template <class D>
GRADUS_FUNCTION void keep_factor_slope(const D& d, int o) {
  if (d.settings.with_adjoint == 0) return;
  d.at(d.layout.objective_gradient)[o * d.plan.parameter_count + d.plan.objectives[o].weight] =
      d.at(d.layout.objective_value)[o];
}

// Adds one moment to values [objective]: `weight` times the integrands, and the values that are
// due. Leaves the rows that gradients need.
template <class D, class Time, class Weight>
GRADUS_ROUTINE void add_objective_values(const D& d, const Time& at, const Weight& weight,
                                         Moment moment, int values) {
  const double time = plain_time(at);
  signals(d, d.plan.uses_energy != 0 || moment == Moment::end);
  if (d.plan.uses_energy != 0 && d.settings.with_columns != 0) energy_rows(d);
  evaluate_objectives(d, at);
  for (int o = 0; o < d.plan.objective_count; ++o) {
    const ObjectiveEntry& objective = d.plan.objectives[o];
    const Weight share = share_of(objective, time, weight, moment);
    const bool samples = takes_sample(d, o, time, moment);
    const bool at_edge = is_at_edge(d, o, time, moment);
    if (is_nothing(share) && !samples && !at_edge) continue;
    for (int k = objective.watch_begin; k < objective.watch_end; ++k) {
      const SplineCallEntry& call = d.plan.objective_splines[d.plan.watched_calls[k]];
      watch_spline(d, call.spline, RealOf<D>(place_of(d, call)), at);
    }
    const int output = d.plan.objective_program.outputs[objective.output];
    const RealOf<D> value = d.at(d.layout.program_value)[output];
    if (samples)
      add_sample(d, o, time, value,
                 begins_to_pass(d, o) ? size_of_terms(d, o) : ValueOf<RealOf<D>>(0));
    else if (at_edge)
      note_edge(d, o, time, value);
    else
      d.at(values)[o] += RealOf<D>(share) * value;
    if (samples && objective.weight >= 0 && time == objective.to) keep_factor_slope(d, o);
    // The motions that undo multipliers, and the worth of unknowns, have room for one objective.
    if (d.settings.with_columns == 0 || has_multiplier_rows(d) || has_algebraic(d)) continue;
    signal_adjoints(d, objective.output, o);
    objective_row(d, o);
  }
}

// The same moment to gradients [objective, parameter].
template <class D, class Time, class Weight>
GRADUS_ROUTINE void add_objective_gradients(const D& d, const Time& at, const Weight& weight,
                                            Moment moment, int gradients) {
  const double time = plain_time(at);
  for (int o = 0; o < d.plan.objective_count; ++o) {
    const ObjectiveEntry& objective = d.plan.objectives[o];
    const Weight share = share_of(objective, time, weight, moment);
    const bool samples = takes_sample(d, o, time, moment);
    const bool at_edge = is_at_edge(d, o, time, moment);
    if (is_nothing(share) && !samples && !at_edge) continue;
    if (has_multiplier_rows(d) || has_algebraic(d)) {
      signal_adjoints(d, objective.output, o);
      objective_row(d, o);
    }
    if (samples || at_edge) {
      const int gradient = last_sample_gradient(d, o, follows_at_once(d, objective, time));
      set_zero(d.at(gradient), d.plan.column_count);
      add_gradient(d, o, 1.0, gradient);
      if (at_edge) continue;
      combine_samples(d, o, gradients + o * d.plan.column_count);
      continue;
    }
    add_gradient(d, o, share, gradients + o * d.plan.column_count);
    add_gauss_newton(d, o, share, gradients);
  }
}

template <class D, class Time, class Weight>
GRADUS_FUNCTION void add_objectives(const D& d, const Time& time, const Weight& weight,
                                    Moment moment, int values, int gradients) {
  add_objective_values(d, time, weight, moment, values);
  if (d.settings.with_columns != 0) add_objective_gradients(d, time, weight, moment, gradients);
}

// For slices accumulate_gradients() does what depends on columns.
template <class D>
GRADUS_FUNCTION void accumulate_objectives(const D& d, const LaunchArguments& arguments) {
  const double time = time_of(arguments);
  const Moment moment = moment_of(arguments.last);
  const Layout& l = d.layout;
  add_objective_values(d, time, arguments.weight, moment, l.objective_value);
  if (!d.kHasSlices && d.settings.with_columns != 0)
    add_objective_gradients(d, time, arguments.weight, moment, l.objective_gradient);
  check_objectives(d, time);
  if (!d.kHasSlices && arguments.last == kLast && d.settings.with_columns != 0)
    check_gradients(d, time);
}

// What the objectives have come to, for recording: integrals up to now, and of the others what
// their expressions are now; where columns are recorded, the gradients of that. Steps of equal
// length have counted their end in full, of which half belongs to the next step. Nothing fails
// here: an expression need not be finite before it is due.
template <class D>
GRADUS_FUNCTION void objective_history(const D& d, const LaunchArguments& arguments) {
  const Layout& l = d.layout;
  const int columns = d.settings.records_columns != 0 ? d.plan.column_count : 0;
  const bool counts_ends = d.tableau.stages == 0 && arguments.last == 0;
  signals(d, true);
  if (columns > 0 && d.plan.uses_energy != 0) energy_rows(d);
  evaluate_objectives(d, arguments.time);
  for (int o = 0; o < d.plan.objective_count; ++o) {
    const ObjectiveEntry& objective = d.plan.objectives[o];
    const bool is_integral = objective.kind == ObjectiveKind::integral;
    if (is_searched(objective.kind) || objective.smooth != 0.0) {  // known at the end only
      d.at(l.objective_history)[o] = RealOf<D>(NAN);
      for (int k = 0; k < columns; ++k) d.at(l.gradient_history)[o * columns + k] = RealOf<D>(NAN);
      continue;
    }
    const double share = !is_integral ? 1.0 : counts_ends ? -0.5 * d.settings.step : 0.0;
    RealOf<D>& value = d.at(l.objective_history)[o];
    const auto gradient = d.at(l.gradient_history + o * columns);
    value = is_integral ? d.at(l.objective_value)[o] : RealOf<D>(0);
    for (int k = 0; k < columns; ++k)
      gradient[k] = is_integral ? d.at(l.objective_gradient + o * columns)[k] : RealOf<D>(0);
    if (share == 0.0) continue;
    const int output = d.plan.objective_program.outputs[objective.output];
    value += RealOf<D>(share) * d.at(l.program_value)[output];
    if (columns == 0) continue;
    signal_adjoints(d, objective.output, o);
    objective_row(d, o);
    add_gradient(d, o, share, l.gradient_history + o * columns);
  }
}

template <class D>
GRADUS_FUNCTION void accumulate_gradients(const D& d, const LaunchArguments& arguments) {
  const double time = time_of(arguments);
  add_objective_gradients(d, time, arguments.weight, moment_of(arguments.last),
                          d.layout.objective_gradient);
  if (arguments.last == kLast) check_gradients(d, time);
}

GRADUS_KERNELS_END
