// Impacts: the velocities behind one, and their columns. The impulse is that of a force which an
// evaluation sees and no step does. docs/theory.md, section 25.
#pragma once

#include "kernels/integrators/event_meeting.hpp"

GRADUS_KERNELS_BEGIN

// Of the duration: a rebound that does not last as long is none.
constexpr double kShortestRebound = 1e-6;

template <class D>
GRADUS_FUNCTION double largest_size(const D& d, int offset) {
  double largest = 0.0;
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const double size = absolute(number_at(d, offset, c));
    if (size > largest) largest = size;
  }
  return largest;
}

// Evaluates the state at hand with an impulse's force of this size.
template <class D>
GRADUS_FUNCTION void push(const D& d, const Evaluation& evaluation, const EventEntry& event,
                          const RealOf<D>& time, double size) {
  d.at(d.layout.velocity)[event.impulse] = RealOf<D>(size);
  evaluate_accelerations(d, evaluation, time, false);
}

// The velocities that an impulse of 1 makes: the accelerations that a force of 1 makes, which is as
// large here as lets them be told from those without it. Returns that size.
template <class D>
GRADUS_ROUTINE double find_response(const D& d, const Evaluation& evaluation,
                                    const EventEntry& event, const RealOf<D>& time) {
  const Layout& l = d.layout;
  const EventLayout& e = l.event;
  const int n = d.plan.coordinate_count;
  const double free = largest_size(d, e.acceleration);
  double size = 1.0;
  for (int trial = 0; trial < 8 && !d.failed(); ++trial) {
    push(d, evaluation, event, time, size);
    for (int c = 0; c < n; ++c)
      d.at(e.response)[c] =
          RealOf<D>(1.0 / size) * (d.at(l.acceleration)[c] - d.at(e.acceleration)[c]);
    const double made = largest_size(d, e.response) * size;
    if (!(made < 0.1 * free)) break;
    size *= made > 1e-6 * free ? free / made : 1e6;
  }
  return size;
}

// Its columns, of which those without the force are at hand in response_rows.
template <class D>
GRADUS_ROUTINE void find_response_columns(const D& d, const Evaluation& evaluation, double size) {
  const Layout& l = d.layout;
  const int count = column_size(d);
  evaluate_columns(d, evaluation, false);
  for (int i = 0; i < count; ++i)
    d.at(l.event.response_rows)[i] = RealOf<D>(1.0 / size) * (d.at(l.columns[kAcceleration])[i] -
                                                              d.at(l.event.response_rows)[i]);
}

// What an impulse of 1 makes of the closing rate, whose row is at hand.
template <class D>
GRADUS_ROUTINE RealOf<D> closing_response(const D& d, double time) {
  const EventLayout& e = d.layout.event;
  const int n = d.plan.coordinate_count;
  RealOf<D> sum(0);
  double terms = 0.0;
  for (int c = 0; c < n; ++c) {
    const RealOf<D> term = d.at(e.closing_row)[n + c] * d.at(e.response)[c];
    sum += term;
    terms += absolute(value_of(term));
  }
  if (!(value_of(sum) > 1e-10 * terms)) blame_event(d, Status::impact_singular, time);
  return sum;
}

// Whether an impact leaves a share of a rate, turned round, rather than has a given impulse.
GRADUS_INLINE bool sets_rate(const EventEntry& event) {
  return event.closing >= 0;
}

// What an impact needs to know of the motion before it.
template <class D>
struct Impact {
  RealOf<D> closing;   // the rate; 0 of a given impulse
  RealOf<D> amount;    // the share, or the impulse
  RealOf<D> response;  // what an impulse of 1 makes of the rate; 1 of a given impulse
  RealOf<D> impulse;
  double push;  // size of the force by which the response was found
};

// Before anything has changed; leaves the state as it is, evaluated with the force.
template <class D>
GRADUS_ROUTINE Impact<D> find_impact(const D& d, const Evaluation& evaluation,
                                     const EventEntry& event, const RealOf<D>& time) {
  const EventLayout& e = d.layout.event;
  Impact<D> impact{RealOf<D>(0), law_signal(d, event.amount), RealOf<D>(1), RealOf<D>(0), 0.0};
  if (sets_rate(event)) {
    impact.closing = law_signal(d, event.closing);
    set_law_row(d, event.closing, e.closing_row);
    const auto share = value_of(impact.amount);
    const bool is_share = share >= 0.0 && share <= 1.0;
    // Neighbours of a design, for differences, go beyond it.
    if (!is_share && (d.given_steps == nullptr || !is_finite(share)))
      blame_event(d, Status::impact_share, plain_time(time));
  }
  impact.push = find_response(d, evaluation, event, time);
  if (sets_rate(event)) impact.response = closing_response(d, plain_time(time));
  impact.impulse = sets_rate(event)
                       ? -((RealOf<D>(1) + impact.amount) * impact.closing) / impact.response
                       : impact.amount;
  d.at(d.layout.velocity)[event.impulse] = RealOf<D>(0);
  return impact;
}

// Columns of what the rate is to be, or of the impulse, with minus, and of the accelerations
// without the force.
template <class D>
GRADUS_ROUTINE void begin_impact_columns(const D& d, const Evaluation& evaluation,
                                         const EventEntry& event) {
  const Layout& l = d.layout;
  const EventLayout& e = l.event;
  set_zero(d.at(e.change), d.plan.column_count);
  if (sets_rate(event)) {
    const RealOf<D> share = law_signal(d, event.amount), closing = law_signal(d, event.closing);
    const RealOf<D> by_time = set_law_row(d, event.closing, e.row);
    add_law_columns(d, event.closing, e.row, by_time, share, e.change);
    const RealOf<D> share_by_time = set_law_row(d, event.amount, e.row);
    add_law_columns(d, event.amount, e.row, share_by_time, closing, e.change);
  } else {
    const RealOf<D> by_time = set_law_row(d, event.amount, e.row);
    add_law_columns(d, event.amount, e.row, by_time, RealOf<D>(-1), e.change);
  }
  evaluate_columns(d, evaluation, false);
  copy_array(d, l.columns[kAcceleration], e.response_rows, column_size(d));
}

// The velocities after an impact.
template <class D>
GRADUS_FUNCTION void strike(const D& d, const Impact<D>& impact) {
  const EventLayout& e = d.layout.event;
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(d.layout.velocity)[c] = d.at(e.velocity)[c] + impact.impulse * d.at(e.response)[c];
}

// Their columns, at the state after the impact, which has been evaluated: first as the response
// changes with the impulse as it is, then as the impulse has to for the rate to be as wanted.
template <class D>
GRADUS_ROUTINE void strike_columns(const D& d, const EventEntry& event, const Impact<D>& impact) {
  const Layout& l = d.layout;
  const EventLayout& e = l.event;
  const int n = d.plan.coordinate_count;
  const int columns = d.plan.column_count;
  const auto velocity = d.at(l.columns[kVelocity]);
  for (int i = 0; i < n * columns; ++i) velocity[i] += impact.impulse * d.at(e.response_rows)[i];
  if (sets_rate(event)) {
    const RealOf<D> by_time = set_law_row(d, event.closing, e.closing_row);
    add_law_columns(d, event.closing, e.closing_row, by_time, RealOf<D>(1), e.change);
  }
  for (int c = 0; c < n; ++c)
    for (int p = 0; p < columns; ++p)
      velocity[c * columns + p] -= d.at(e.response)[c] / impact.response * d.at(e.change)[p];
}

// After an impact, at what has been evaluated: whether bodies part for some time.
template <class D>
GRADUS_ROUTINE void check_rebound(const D& d, const EventEntry& event, double time) {
  const double parting = -event.direction * value_of(law_signal(d, event.closing));
  const double closing = closing_acceleration(d, event);
  const double shortest = kShortestRebound * d.settings.duration;
  if (closing > 0.0 && !(2.0 * parting >= closing * shortest))
    blame_event(d, Status::impact_rests, time);
}

GRADUS_KERNELS_END
