// What laws say of events: when they come, and what they make of states and velocities.
// docs/theory.md, section 25.
#pragma once

#include "kernels/passes/element_adjoint.hpp"
#include "kernels/passes/law_signals.hpp"
#include "kernels/passes/parameter_columns.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_INLINE bool has_events(const D& d) {
  return d.plan.event_count > 0;
}

GRADUS_INLINE bool is_impact(const EventEntry& event) {
  return event.impulse >= 0;
}

// Derivatives of a law by positions and rates, to row [2 n]; returns that by the time.
template <class D>
GRADUS_ROUTINE RealOf<D> set_law_row(const D& d, int number, int row) {
  const MotionLayout& m = d.layout.motion;
  const int n = d.plan.coordinate_count;
  const LawEntry& law = d.plan.laws[number];
  const auto to = d.at(row);
  set_zero(to, 2 * n);
  const auto run = law_gradient(d, m, law, d.at(d.layout.velocity), true);
  for (int t = law.touch_begin; t < law.touch_end; ++t) {
    const int c = d.plan.touches[t].coordinate;
    const auto s = axis_motion(d, m, c);
    to[c] += law_by_position(d, m, law, c, s, run);
    to[n + c] += law_by_rate(d, law, c, s, run);
  }
  RealOf<D> by_time(0);
  for (int i = 0; i < input_count(law); ++i)
    if (d.plan.law_inputs[law.input_begin + i].kind == LawInputKind::time) by_time += run.input[i];
  return by_time;
}

// The rate of a law whose row is at hand, at velocities and accelerations [n].
template <class D>
GRADUS_FUNCTION RealOf<D> rate_along(const D& d, int row, const RealOf<D>& by_time, int velocity,
                                     int acceleration) {
  const int n = d.plan.coordinate_count;
  RealOf<D> rate = by_time;
  for (int c = 0; c < n; ++c)
    rate += d.at(row)[c] * d.at(velocity)[c] + d.at(row)[n + c] * d.at(acceleration)[c];
  return rate;
}

// sum [column] += factor * (row * columns of the state + partials + by_time * shift of the time).
template <class D>
GRADUS_ROUTINE void add_law_columns(const D& d, int number, int row, const RealOf<D>& by_time,
                                    const RealOf<D>& factor, int sum) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int columns = d.plan.column_count;
  const auto to = d.at(sum);
  for (int p = 0; p < columns; ++p) {
    RealOf<D> change = by_time * d.at(l.event.shift)[p];
    for (int c = 0; c < n; ++c)
      change += d.at(row)[c] * d.at(l.columns[kPosition])[c * columns + p] +
                d.at(row)[n + c] * d.at(l.columns[kVelocity])[c * columns + p];
    to[p] += factor * change;
  }
  for_each_entry(d, [&](int column, const PartialEntry& entry) {
    const auto axis = is_locked_axis(entry.kind) ? locked_axis(d, entry).actual : AxisOf<D>{};
    to[column] += factor * law_signal_partial(d, number, entry, axis);
  });
}

// The same backwards: the law is worth factor * worth [objective]. What the state is worth is in
// position_rows and velocity_rows, and the shift of the time in shift.
template <class D>
GRADUS_ROUTINE void add_law_worth(const D& d, int number, int row, const RealOf<D>& by_time,
                                  const RealOf<D>& factor, int worth) {
  const EventLayout& e = d.layout.event;
  const int n = d.plan.coordinate_count;
  const int objectives = d.plan.objective_count;
  for (int o = 0; o < objectives; ++o) {
    const RealOf<D> y = factor * d.at(worth)[o];
    for (int c = 0; c < n; ++c) {
      d.at(e.position_rows)[c * objectives + o] += y * d.at(row)[c];
      d.at(e.velocity_rows)[c * objectives + o] += y * d.at(row)[n + c];
    }
    d.at(e.shift)[o] += y * by_time;
    if (d.plan.loads_elements != 0) add_law_signal_features(d, touch_features(d, o), number, y);
  }
}

GRADUS_KERNELS_END
