// Events of one-step methods: the step that ends with one, and the passage itself, with columns. A
// passage is taken at the end of the step, from where the motion goes on as from a start:
// everything moves along the motion to the instant at which the expression is zero, changes there,
// and moves back along the new motion. On the way forwards that instant is the end of the step but
// for round-off; parameters, and designs that take the steps of another, shift it. docs/theory.md,
// section 25.
#pragma once

#include "kernels/integrators/sample_step.hpp"
#include "kernels/integrators/steps.hpp"
#include "kernels/integrators/stiffness.hpp"

GRADUS_KERNELS_BEGIN

// Of the time: what the instant of an event is found to, what counts as its instant, and what an
// expression that changes as fast as at a regular passage is away from it at most.
constexpr double kEventTime = 1e-15;
constexpr double kSameEvent = 1e-12;
constexpr double kClearEvent = 1e-9;
constexpr int kEventTrials = 80;
// Of the motion: a rebound that does not last as long is none.
constexpr double kShortestRebound = 1e-9;

template <class D>
GRADUS_INLINE double number_at(const D& d, int offset, int i) {
  return value_of(d.at(offset)[i]);
}

// Whether an expression with this value and rate is zero there, but for round-off.
GRADUS_FUNCTION bool is_at_event(double value, double rate, double time) {
  return absolute(value) <= absolute(rate) * kSameEvent * (1.0 + time);
}

// Whether event k is to be noticed: its expression lies on the side from which it passes zero.
template <class D>
GRADUS_FUNCTION bool is_armed(const D& d, int k) {
  const double side = number_at(d, d.layout.event.side, k);
  const int direction = d.plan.events[k].direction;
  return direction == 0 ? side != 0.0 : side == -direction;
}

// What looked_at_events() found becomes that of the base of the next step. `passed`: the event that
// has just been, -1: none.
template <class D>
GRADUS_ROUTINE void settle_events(const D& d, int passed, double time) {
  const EventLayout& e = d.layout.event;
  for (int k = 0; k < d.plan.event_count; ++k) {
    const EventEntry& event = d.plan.events[k];
    const double value = number_at(d, e.end_value, k), rate = number_at(d, e.end_rate, k);
    d.at(e.value)[k] = d.at(e.end_value)[k];
    d.at(e.rate)[k] = d.at(e.end_rate)[k];
    const double side = number_at(d, e.side, k);
    const bool at_event = is_at_event(value, rate, time);
    if (at_event && k != passed && side != 0.0) continue;  // it is about to pass
    const double told = at_event ? rate : value;
    double now = told > 0.0 ? 1.0 : told < 0.0 ? -1.0 : 0.0;
    if (is_impact(event)) {
      if (!at_event && now == event.direction) {
        d.at(d.layout.blamed)[0] = RealOf<D>(k + 1);
        d.fail(true, Status::impact_begun, time);
        return;
      }
      now = -event.direction;
    }
    d.at(e.side)[k] = RealOf<D>(now);
  }
}

// At the base of the first step, which has been evaluated.
template <class D>
GRADUS_FUNCTION void begin_events(const D& d) {
  if constexpr (D::kLanes == 1) {
    if (!has_events(d) || d.failed()) return;
    const EventLayout& e = d.layout.event;
    d.at(e.pending)[0] = RealOf<D>(0);
    set_zero(d.at(e.side), d.plan.event_count);
    look_at_events(d, 0.0);
    if (d.failed()) return;
    if (d.given_steps == nullptr) settle_events(d, -1, 0.0);
  }
}

// The event, of those that an attempt has passed, whose expression a straight line has at zero
// first; -1: none is passed.
template <class D>
GRADUS_FUNCTION int first_passed(const D& d) {
  const EventLayout& e = d.layout.event;
  int first = -1;
  double earliest = HUGE_VAL;
  for (int k = 0; k < d.plan.event_count; ++k) {
    const double side = number_at(d, e.side, k);
    const double before = side * number_at(d, e.value, k);
    const double after = side * number_at(d, e.end_value, k);
    if (!is_armed(d, k) || after > 0.0) continue;
    const double share = before > 0.0 ? before / (before - after) : 0.0;
    if (share >= earliest) continue;
    earliest = share;
    first = k;
  }
  return first;
}

// An event that an attempt has passed before it has come to event `found` at its end; -1: none.
template <class D>
GRADUS_FUNCTION int passed_before(const D& d, int found, double end) {
  const EventLayout& e = d.layout.event;
  for (int k = 0; k < d.plan.event_count; ++k) {
    const double value = number_at(d, e.end_value, k);
    if (k != found && is_armed(d, k) && number_at(d, e.side, k) * value < 0.0 &&
        !is_at_event(value, number_at(d, e.end_rate, k), end))
      return k;
  }
  return -1;
}

// Where in an attempt of length h a cubic through values and rates at both ends of it has an
// expression beyond zero, though it is back at the end; 0: nowhere.
template <class D>
GRADUS_FUNCTION double hidden_passage(const D& d, double h) {
  const EventLayout& e = d.layout.event;
  double earliest = 0.0;
  for (int k = 0; k < d.plan.event_count; ++k) {
    if (!is_armed(d, k)) continue;
    const double side = number_at(d, e.side, k);
    const double v0 = side * number_at(d, e.value, k), v1 = side * number_at(d, e.end_value, k);
    const double r0 = h * side * number_at(d, e.rate, k);
    const double r1 = h * side * number_at(d, e.end_rate, k);
    if (!(r0 < 0.0 && r1 > 0.0)) continue;
    const double cubic = r0 + r1 - 2.0 * (v1 - v0);
    const double square = 3.0 * (v1 - v0) - 2.0 * r0 - r1;
    // The lowest point of v0 + r0 x + square x^2 + cubic x^3, by the root that does not cancel.
    const double root = sqrt(square * square - 3.0 * cubic * r0);
    const double x = -r0 / (square + root);
    if (!(x > 0.0 && x < 1.0) || v0 + x * (r0 + x * (square + x * cubic)) > 0.0) continue;
    if (earliest == 0.0 || x * h < earliest) earliest = x * h;
  }
  return earliest;
}

// What is tried of a step that passes an event.
struct EventSearch {
  double low, high;  // no event is passed by a step of length `low`, one is by `high`
  int event;         // that one
};

// The length at which Newton's method has the event, or halfway if that leads nowhere.
template <class D>
GRADUS_FUNCTION double nearer_length(const D& d, const EventSearch& search, double h) {
  const EventLayout& e = d.layout.event;
  const double by_rate =
      h - number_at(d, e.end_value, search.event) / number_at(d, e.end_rate, search.event);
  const bool lies_between = by_rate > search.low && by_rate < search.high;
  return lies_between ? by_rate : 0.5 * (search.low + search.high);
}

// Shortens an attempt of length h, by step(length, end), until it ends where an event comes first,
// if one does. Returns the event, -1: none comes.
template <class D, class Step>
GRADUS_ROUTINE int end_at_event(const D& d, double time, double& h, double& end, const Step& step) {
  const EventLayout& e = d.layout.event;
  const double least = kSmallestStep * (1.0 + time);
  const double accuracy = kEventTime * (1.0 + end);
  EventSearch search{0.0, HUGE_VAL, -1};
  for (int trial = 0; trial < kEventTrials; ++trial) {
    look_at_events(d, end);
    if (d.failed()) return -1;
    const int passed = first_passed(d);
    double next;
    if (passed >= 0) {
      search.high = h;
      search.event = passed;
    } else if (search.event >= 0) {
      search.low = h;
    } else if (const double hidden = hidden_passage(d, h); hidden > 0.0 && trial < 4) {
      next = hidden;
    } else {
      return -1;
    }
    if (search.event >= 0) {
      next = nearer_length(d, search, h);
      const bool is_found = absolute(next - h) <= accuracy || search.high - search.low <= accuracy;
      const int earlier = is_found ? passed_before(d, search.event, end) : -1;
      if (earlier >= 0) {
        search.high = h;
        search.event = earlier;
        next = nearer_length(d, search, h);
      } else if (is_found &&
                 (passed >= 0 || is_at_event(number_at(d, e.end_value, search.event),
                                             number_at(d, e.end_rate, search.event), end))) {
        return search.event;
      } else if (is_found) {
        next = search.high;
      }
      if (search.high <= least) return search.event;
      if (next < least) next = least;
    }
    h = next;
    end = time + h;
    begin_integrals(d);
    step(h, end);
    if (d.failed()) return -1;
  }
  return search.event;
}

// The same; the step that has been tried ends with that event, which may be none.
template <class D, class Step>
GRADUS_ROUTINE void meet_event(const D& d, double time, double& h, double& end, const Step& step) {
  const EventLayout& e = d.layout.event;
  const int event = end_at_event(d, time, h, end, step);
  if (d.failed() || event < 0) return;
  // A sample at the same instant comes first, and the event at once behind it.
  d.at(e.pending)[0] = RealOf<D>(samples_at(d, end) ? 0 : event + 1);
  const double value = absolute(number_at(d, e.end_value, event));
  const double rate = absolute(number_at(d, e.end_rate, event));
  if (value <= rate * kClearEvent * (1.0 + end)) return;
  d.at(d.layout.blamed)[0] = RealOf<D>(event + 1);
  d.fail(true, Status::event_unclear, end);
}

// After a step that was taken, or was not.
template <class D>
GRADUS_FUNCTION void leave_events(const D& d, double end) {
  if (has_events(d) && !d.failed() && !ends_with_event(d)) settle_events(d, -1, end);
}
template <class D>
GRADUS_FUNCTION void forget_event(const D& d) {
  if (has_events(d)) d.at(d.layout.event.pending)[0] = RealOf<D>(0);
}

template <class D>
GRADUS_INLINE const EventEntry& pending_event(const D& d) {
  return d.plan.events[static_cast<int>(common(d.at(d.layout.event.pending)[0])) - 1];
}

template <class D>
GRADUS_FUNCTION void blame_event(const D& d, Status status, double time) {
  d.at(d.layout.blamed)[0] = d.at(d.layout.event.pending)[0];
  d.fail(true, status, time);
}

// position += velocity * shift, velocity += acceleration * shift; columns likewise, by the shifts
// of the columns.
template <class D>
GRADUS_ROUTINE void move_along(const D& d, const RealOf<D>& shift, double sign) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const RealOf<D> way = RealOf<D>(sign) * shift;
  const int columns = d.settings.with_columns != 0 ? d.plan.column_count : 0;
  for (int c = 0; c < n; ++c) {
    for (int p = 0; p < columns; ++p) {
      const RealOf<D> share = RealOf<D>(sign) * d.at(l.event.shift)[p];
      d.at(l.columns[kPosition])[c * columns + p] += share * d.at(l.velocity)[c];
      d.at(l.columns[kVelocity])[c * columns + p] += share * d.at(l.acceleration)[c];
    }
    d.at(l.position)[c] += way * d.at(l.velocity)[c];
    d.at(l.velocity)[c] += way * d.at(l.acceleration)[c];
  }
}

// Integrals change by what they count before, or with minus after, until the instant of the event.
template <class D>
GRADUS_ROUTINE void move_integrals(const D& d, double time, const RealOf<D>& shift, double sign) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  set_integrands(d, time, s.integral, s.integral_gradient);
  const int columns = d.settings.with_columns != 0 ? d.plan.column_count : 0;
  for (int o = 0; o < d.plan.objective_count; ++o) {
    const RealOf<D> integrand = RealOf<D>(sign) * d.at(s.integral)[o];
    d.at(l.objective_value)[o] += shift * integrand;
    for (int p = 0; p < columns; ++p)
      d.at(l.objective_gradient)[o * columns + p] += d.at(l.event.shift)[p] * integrand;
  }
}

// How much later than the end of the step the event comes, and its columns.
template <class D>
GRADUS_ROUTINE RealOf<D> event_shift(const D& d, const EventEntry& event, double time) {
  const Layout& l = d.layout;
  const EventLayout& e = l.event;
  const RealOf<D> value = law_signal(d, event.when);
  const RealOf<D> by_time = set_law_row(d, event.when, e.row);
  const RealOf<D> rate = rate_along(d, e.row, by_time, l.velocity, l.acceleration);
  if (!(absolute(value_of(rate)) > 0.0)) {
    blame_event(d, Status::event_unclear, time);
    return RealOf<D>(0);
  }
  if (d.settings.with_columns != 0) {
    const int columns = d.plan.column_count;
    set_zero(d.at(e.shift), columns);
    set_zero(d.at(e.change), columns);
    add_law_columns(d, event.when, e.row, RealOf<D>(0), RealOf<D>(-1) / rate, e.change);
    copy_array(d, e.change, e.shift, columns);
  }
  return -(value / rate);
}

// What states become, by the motion before the event, and its columns.
template <class D>
GRADUS_ROUTINE void find_resets(const D& d, const EventEntry& event, double time) {
  const EventLayout& e = d.layout.event;
  const int columns = d.settings.with_columns != 0 ? d.plan.column_count : 0;
  for (int k = event.reset_begin; k < event.reset_end; ++k) {
    const int law = d.plan.resets[k].law;
    const int place = k - event.reset_begin;
    d.at(e.next)[place] = law_signal(d, law);
    if (!is_finite(value_of(d.at(e.next)[place]))) blame_event(d, Status::event_undefined, time);
    if (columns == 0) continue;
    const int sum = e.next_columns + place * columns;
    set_zero(d.at(sum), columns);
    const RealOf<D> by_time = set_law_row(d, law, e.row);
    add_law_columns(d, law, e.row, by_time, RealOf<D>(1), sum);
  }
}

template <class D>
GRADUS_ROUTINE void reset_states(const D& d, const EventEntry& event) {
  const Layout& l = d.layout;
  const EventLayout& e = l.event;
  const int columns = d.settings.with_columns != 0 ? d.plan.column_count : 0;
  for (int k = event.reset_begin; k < event.reset_end; ++k) {
    const int c = d.plan.resets[k].coordinate;
    const int place = k - event.reset_begin;
    d.at(l.velocity)[c] = d.at(e.next)[place];
    for (int p = 0; p < columns; ++p)
      d.at(l.columns[kVelocity])[c * columns + p] = d.at(e.next_columns)[place * columns + p];
  }
}

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
  push(d, evaluation, event, time, 1.0);
  for (int c = 0; c < n; ++c)
    d.at(e.response)[c] = d.at(l.acceleration)[c] - d.at(e.acceleration)[c];
  const double free = largest_size(d, e.acceleration), pushed = largest_size(d, e.response);
  const double size = free > pushed && pushed > 0.0 ? free / pushed : 1.0;
  if (size != 1.0) push(d, evaluation, event, time, size);
  for (int c = 0; c < n; ++c)
    d.at(e.response)[c] =
        RealOf<D>(1.0 / size) * (d.at(l.acceleration)[c] - d.at(e.acceleration)[c]);
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

// What an impact needs to know of the motion before it.
template <class D>
struct Impact {
  RealOf<D> closing, wanted;  // rate of the expression, and what it is to be
  RealOf<D> response;         // what an impulse of 1 makes of it
  RealOf<D> impulse;
  double push;  // size of the force by which that was found
};

// Before anything has changed; leaves the state as it is, evaluated with the force.
template <class D>
GRADUS_ROUTINE Impact<D> find_impact(const D& d, const Evaluation& evaluation,
                                     const EventEntry& event, const RealOf<D>& time) {
  const EventLayout& e = d.layout.event;
  Impact<D> impact{};
  impact.closing = law_signal(d, event.closing);
  impact.wanted = law_signal(d, event.wanted);
  set_law_row(d, event.closing, e.closing_row);
  impact.push = find_response(d, evaluation, event, time);
  impact.response = closing_response(d, plain_time(time));
  impact.impulse = (impact.wanted - impact.closing) / impact.response;
  d.at(d.layout.velocity)[event.impulse] = RealOf<D>(0);
  return impact;
}

// Columns of what the rate is to be, and of the accelerations without the force.
template <class D>
GRADUS_ROUTINE void begin_impact_columns(const D& d, const Evaluation& evaluation,
                                         const EventEntry& event) {
  const Layout& l = d.layout;
  const EventLayout& e = l.event;
  const RealOf<D> by_time = set_law_row(d, event.wanted, e.row);
  set_zero(d.at(e.change), d.plan.column_count);
  add_law_columns(d, event.wanted, e.row, by_time, RealOf<D>(-1), e.change);
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
  const RealOf<D> by_time = set_law_row(d, event.closing, e.closing_row);
  add_law_columns(d, event.closing, e.closing_row, by_time, RealOf<D>(1), e.change);
  for (int c = 0; c < n; ++c)
    for (int p = 0; p < columns; ++p)
      velocity[c * columns + p] -= d.at(e.response)[c] / impact.response * d.at(e.change)[p];
}

// After an impact, at what has been evaluated: whether bodies part for some time.
template <class D>
GRADUS_ROUTINE void check_rebound(const D& d, const EventEntry& event, double time) {
  const Layout& l = d.layout;
  const EventLayout& e = l.event;
  const double away = -event.direction;
  const double rate = away * value_of(law_signal(d, event.closing));
  const RealOf<D> by_time = set_law_row(d, event.closing, e.row);
  const double change = away * value_of(rate_along(d, e.row, by_time, l.velocity, l.acceleration));
  if (change < 0.0 && 2.0 * rate < -change * kShortestRebound * d.settings.duration)
    blame_event(d, Status::impact_rests, time);
}

// What changes at the instant of the event, from the motion before it, which has been evaluated
// there, to that after it, which is evaluated as well.
template <class D>
GRADUS_ROUTINE void change_at_event(const D& d, const Evaluation& evaluation,
                                    const EventEntry& event, const RealOf<D>& time) {
  const Layout& l = d.layout;
  const EventLayout& e = l.event;
  const int n = d.plan.coordinate_count;
  const bool with_columns = d.settings.with_columns != 0;
  copy_array(d, l.velocity, e.velocity, n);
  copy_array(d, l.acceleration, e.acceleration, n);
  find_resets(d, event, plain_time(time));
  Impact<D> impact{};
  if (is_impact(event)) {
    if (with_columns) begin_impact_columns(d, evaluation, event);
    impact = find_impact(d, evaluation, event, time);
    if (d.failed()) return;
    if (with_columns) {
      // Once more with the force, which the columns are to see.
      push(d, evaluation, event, time, impact.push);
      find_response_columns(d, evaluation, impact.push);
    }
    strike(d, impact);
  }
  reset_states(d, event);
  evaluate_accelerations(d, evaluation, time, false);
  if (d.failed() || !is_impact(event)) return;
  if (with_columns) strike_columns(d, event, impact);
  check_rebound(d, event, plain_time(time));
}

// Passes the event that the last step has ended with, if there is one.
template <class D>
GRADUS_CALL void pass_event(const D& own, const Evaluation& evaluation) {
  const EventLayout& e = own.layout.event;
  const IntegratorLayout& s = own.layout.integrator;
  D d(own);
#if !defined(__CUDA_ARCH__)
  d.programs = nullptr;  // it comes seldom, with numbers that programs take for constant
#endif
  const double time = common(d.at(s.time)[0]);
  const EventEntry& event = pending_event(d);
  evaluate_base(d, evaluation, time);
  if (d.failed()) return;
  const RealOf<D> shift = event_shift(d, event, time);
  if (d.failed()) return;
  move_integrals(d, time, shift, 1.0);
  move_along(d, shift, 1.0);
  const RealOf<D> instant = RealOf<D>(time) + shift;
  evaluate_accelerations(d, evaluation, instant, false);
  if (d.failed()) return;
  change_at_event(d, evaluation, event, instant);
  if (d.failed()) return;
  move_integrals(d, time, shift, -1.0);
  move_along(d, shift, -1.0);
  evaluate_accelerations(d, evaluation, time, false);
  evaluate_columns(d, evaluation, false);
  if (d.failed()) return;
  begin_again(d, time);
  if (watches_stiffness(d)) {
    keep_stretch_state(d, 0, time);
    d.at(s.stretch_steps)[0] = RealOf<D>(0);
  }
  look_at_events(d, time);
  const int passed = static_cast<int>(common(d.at(e.pending)[0])) - 1;
  d.at(e.pending)[0] = RealOf<D>(0);
  if (!d.failed() && d.given_steps == nullptr) settle_events(d, passed, time);
}

// What changes where the design is: by an event, or as states are sampled.
template <class D>
GRADUS_FUNCTION void change_if_due(const D& d, const Evaluation& evaluation) {
  if constexpr (D::kLanes == 1) {
    if (has_events(d) && common(d.at(d.layout.event.pending)[0]) != 0.0) pass_event(d, evaluation);
    if (d.failed()) return;
  }
  const bool has_changed = sample_if_due(d, evaluation);
  if constexpr (D::kLanes == 1) {
    if (!has_changed || !has_events(d) || d.failed()) return;
    const double time = common(d.at(d.layout.integrator.time)[0]);
    look_at_events(d, time);
    if (!d.failed() && d.given_steps == nullptr) settle_events(d, -1, time);
  }
}

GRADUS_KERNELS_END
