// Instants at which states are sampled: the rates of their discs become what their laws say, all by
// what was before, and everything that follows from rates is found again. docs/theory.md, section
// 18.
#pragma once

#include "kernels/passes/element_adjoint.hpp"
#include "kernels/passes/law_signals.hpp"
#include "kernels/passes/parameter_columns.hpp"
#include "kernels/stages/solve_adjoint.hpp"
#include "kernels/stages/start.hpp"

GRADUS_KERNELS_BEGIN

// The number of the first instant of sampling at a time or later.
template <class D>
GRADUS_FUNCTION int first_sample(const D& d, double time) {
  int low = 0;
  int high = d.plan.sample_time_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (d.plan.sample_times[middle] < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Whether some state is sampled at this time.
template <class D>
GRADUS_FUNCTION bool samples_at(const D& d, double time) {
  const int k = first_sample(d, time);
  return k < d.plan.sample_time_count && d.plan.sample_times[k] == time;
}

// The next instant of sampling behind a time, if it comes before `limit`.
template <class D>
GRADUS_FUNCTION double sample_limit(const D& d, double time, double limit) {
  const int k = first_sample(d, time) + (samples_at(d, time) ? 1 : 0);
  if (k >= d.plan.sample_time_count) return limit;
  return d.plan.sample_times[k] < limit ? d.plan.sample_times[k] : limit;
}

// Calls visit(number, entry) for the states that are sampled at this time, an instant of sampling.
template <class D, class Visit>
GRADUS_FUNCTION void for_each_sample(const D& d, double time, const Visit& visit) {
  const int* const due = d.plan.samples_due + first_sample(d, time) * d.plan.sample_count;
  for (int k = 0; k < d.plan.sample_count; ++k)
    if (due[k] != 0) visit(k, d.plan.samples[k]);
}

// The states themselves, at the motion that has been evaluated.
template <class D>
GRADUS_ROUTINE void sample_states(const D& d, double time) {
  const auto next = d.at(d.layout.top);
  for_each_sample(d, time, [&](int k, const SampleEntry& sample) {
    next[k] = law_signal(d, sample.law);
    const auto broken = d.alive() && !is_finite(value_of(next[k]));
    if (!any(broken)) return;
    RealOf<D>& blamed = d.at(d.layout.blamed)[0];
    blamed = select(broken, RealOf<D>(k + 1), blamed);
    d.fail(broken, Status::sample_not_finite, time);
  });
  for_each_sample(d, time, [&](int k, const SampleEntry& sample) {
    d.at(d.layout.velocity)[sample.coordinate] = next[k];
  });
}

// Derivatives of what a state becomes by positions and rates, [2 n] in scratch of the columns.
template <class D>
GRADUS_ROUTINE int sample_row(const D& d, const SampleEntry& sample) {
  const int row = d.layout.column_scratch;
  set_zero(d.at(row), 2 * d.plan.coordinate_count);
  add_law_signal_rows(d, sample.law, RealOf<D>(1), d.at(row));
  return row;
}

// What parameters do to what a state becomes, at fixed positions and rates, added to `sum`
// [column].
template <class D, class Sum>
GRADUS_ROUTINE void add_sample_partials(const D& d, const SampleEntry& sample, const Sum& sum) {
  for_each_entry(d, [&](int column, const PartialEntry& entry) {
    const auto axis = is_locked_axis(entry.kind) ? locked_axis(d, entry).actual : AxisOf<D>{};
    sum[column] += law_signal_partial(d, sample.law, entry, axis);
  });
}

// The columns of the states, before these are sampled themselves.
template <class D>
GRADUS_ROUTINE void sample_state_columns(const D& d, double time) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int columns = d.plan.column_count;
  for_each_sample(d, time, [&](int k, const SampleEntry& sample) {
    const int row = sample_row(d, sample);
    const auto sum = d.at(l.column_top + k * columns);
    set_zero(sum, columns);
    add_product(d.at(row), 1, n, d.at(l.columns[kPosition]), columns, 1.0, sum);
    add_product(d.at(row + n), 1, n, d.at(l.columns[kVelocity]), columns, 1.0, sum);
    add_sample_partials(d, sample, sum);
  });
  for_each_sample(d, time, [&](int k, const SampleEntry& sample) {
    for (int p = 0; p < columns; ++p)
      d.at(l.columns[kVelocity])[sample.coordinate * columns + p] =
          d.at(l.column_top)[k * columns + p];
  });
}

// The same backwards: what the states are worth to the objectives goes to what they were made of.
// The motion is that before the sample.
template <class D>
GRADUS_ROUTINE void sample_state_rows(const D& d, double time) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int objectives = d.plan.objective_count;
  if (objectives == 0) return;
  const auto position = d.at(l.columns[kPosition]);
  const auto velocity = d.at(l.columns[kVelocity]);
  const auto worth = d.at(l.column_top);
  for_each_sample(d, time, [&](int k, const SampleEntry& sample) {
    for (int o = 0; o < objectives; ++o) {
      worth[k * objectives + o] = velocity[sample.coordinate * objectives + o];
      velocity[sample.coordinate * objectives + o] = RealOf<D>(0);
    }
  });
  for_each_sample(d, time, [&](int k, const SampleEntry& sample) {
    const auto row = d.at(sample_row(d, sample));
    for (int c = 0; c < n; ++c)
      for (int o = 0; o < objectives; ++o) {
        position[c * objectives + o] += worth[k * objectives + o] * row[c];
        velocity[c * objectives + o] += worth[k * objectives + o] * row[n + c];
      }
    if (d.plan.loads_elements == 0) return;
    for (int o = 0; o < objectives; ++o)
      add_law_signal_features(d, touch_features(d, o), sample.law, worth[k * objectives + o]);
  });
}

template <class D>
GRADUS_FUNCTION void sample_columns(const D& d, const LaunchArguments& arguments) {
  sample_state_columns(d, time_of(arguments));
}

// An instant of ali3p, whose columns have been sampled where there are slices: the motion begins
// again from here as it has begun at the start.
template <class D>
GRADUS_FUNCTION void sample(const D& d, const LaunchArguments& arguments) {
  const Layout& l = d.layout;
  const double time = time_of(arguments);
  if (!d.kHasSlices && d.settings.with_columns != 0) sample_state_columns(d, time);
  sample_states(d, time);
  set_zero(d.at(l.correction), d.plan.coordinate_count);
  set_zero(d.at(l.earlier_correction), d.plan.coordinate_count);
  if (!d.failed()) begin_motion(d, time, false);
}

template <class D>
GRADUS_FUNCTION void sample_rows(const D& d, const LaunchArguments& arguments) {
  sample_state_rows(d, arguments.time);
  features_to_elements(d);
}

GRADUS_KERNELS_END
