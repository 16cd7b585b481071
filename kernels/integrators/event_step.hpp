// Events of one-step methods: the step that ends with one, and the passage itself, with columns. A
// passage is taken at the end of the step, from where the motion goes on as from a start:
// everything moves along the motion to the instant at which the expression is zero, changes there,
// and moves back along the new motion. On the way forwards that instant is the end of the step but
// for round-off; parameters, and designs that take the steps of another, shift it. docs/theory.md,
// section 25.
#pragma once

#include "kernels/integrators/event_search.hpp"

GRADUS_KERNELS_BEGIN

// Of the largest value of an expression: what it may have at an instant where it passes zero.
constexpr double kClearEvent = 1e-6;
// Of the duration: a rebound that does not last as long is none.
constexpr double kShortestRebound = 1e-6;
// So many instants of events within as long lead to no end.
constexpr double kMostEvents = 30.0;

template <class D>
GRADUS_FUNCTION void fail_at_event(const D& d, int k, Status status, double time) {
  d.at(d.layout.blamed)[0] = RealOf<D>(k + 1);
  d.fail(true, status, time);
}

// Whether event k comes where its expression passes zero from `side`.
template <class D>
GRADUS_FUNCTION bool counts_from(const D& d, int k, double side) {
  const EventEntry& event = d.plan.events[k];
  if (event.direction != 0 && side != -event.direction) return false;
  return event.condition < 0 || value_of(law_signal(d, event.condition)) > 0.0;
}

// Whether event k comes at the end of the last step. What passes zero there and does not count is
// marked by -1.
template <class D>
GRADUS_INLINE bool is_due(const D& d, int k) {
  return number_at(d, d.layout.event.due, k) > 0.0;
}

// Whether what an impact holds apart is pressed together, at what has been evaluated.
template <class D>
GRADUS_FUNCTION bool is_pressed(const D& d, const EventEntry& event) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const RealOf<D> by_time = set_law_row(d, event.closing, l.event.row);
  const double change = value_of(rate_along(d, l.event.row, by_time, l.velocity, l.acceleration));
  double terms = absolute(value_of(by_time));
  for (int c = 0; c < n; ++c)
    terms += absolute(number_at(d, l.event.row, c) * number_at(d, l.velocity, c)) +
             absolute(number_at(d, l.event.row, n + c) * number_at(d, l.acceleration, c));
  return change * event.direction > kFlatEvent * terms;
}

// The side of an expression at the base of the next step: that on which it is, or where it is zero
// that to which it goes; 0 where nothing tells.
template <class D>
GRADUS_ROUTINE double side_of(const D& d, int k, double time) {
  const EventEntry& event = d.plan.events[k];
  const EventMark mark = base_mark(d, k, 1.0);
  const double before = number_at(d, d.layout.event.side, k);
  if (mark.is_zero && !mark.is_flat && before * mark.rate < 0.0) return before;  // it is to pass
  const double told = !mark.is_zero ? mark.value : mark.is_flat ? 0.0 : mark.rate;
  const double side = told > 0.0 ? 1.0 : told < 0.0 ? -1.0 : 0.0;
  const double outside = -event.direction;
  if (event.rebounds == 0 || side == outside || !counts_from(d, k, outside)) return side;
  if (event.rebounds == kBeginsAtZero) return mark.is_zero && !mark.is_flat ? outside : side;
  // What begins at zero and closes collides at once.
  if (!mark.is_zero)
    fail_at_event(d, k, Status::impact_begun, time);
  else if (mark.is_flat && is_pressed(d, event))
    fail_at_event(d, k, Status::impact_rests, time);
  return outside;
}

// What look_at_events() found becomes that of the base of the next step. Events that are due still
// lie before their passage.
template <class D>
GRADUS_ROUTINE void settle_events(const D& d, double time) {
  const EventLayout& e = d.layout.event;
  const auto raise = [&](int scale, int k, double to) {
    if (absolute(to) > number_at(d, scale, k)) d.at(scale)[k] = RealOf<D>(absolute(to));
  };
  if (const int k = undefined_event(d); k >= 0)
    return fail_at_event(d, k, Status::event_undefined, time);
  for (int k = 0; k < d.plan.event_count; ++k) {
    d.at(e.value)[k] = d.at(e.end_value)[k];
    d.at(e.rate)[k] = d.at(e.end_rate)[k];
    d.at(e.terms)[k] = d.at(e.end_terms)[k];
    raise(e.scale, k, number_at(d, e.value, k));
    raise(e.rate_scale, k, number_at(d, e.rate, k));
  }
  for (int k = 0; k < d.plan.event_count && !d.failed(); ++k) {
    if (is_due(d, k)) continue;
    if (number_at(d, e.due, k) < 0.0) d.at(e.due)[k] = d.at(e.side)[k] = RealOf<D>(0);
    d.at(e.side)[k] = RealOf<D>(side_of(d, k, time));
  }
}

// The size of an impulse is nothing that the start says.
template <class D>
GRADUS_FUNCTION void silence_impulses(const D& d, int velocities, int width) {
  for (int k = 0; k < d.plan.event_count; ++k)
    if (const int c = d.plan.events[k].impulse; c >= 0)
      set_zero(d.at(velocities + c * width), width);
}

// At the base of the first step, which has been evaluated.
template <class D>
GRADUS_FUNCTION void begin_events(const D& d) {
  if constexpr (D::kLanes == 1) {
    if (!has_events(d) || d.failed()) return;
    const EventLayout& e = d.layout.event;
    for (const int offset :
         {e.pending, e.passed, e.followed, e.log_count, e.chain, e.chain_time, e.last_time})
      d.at(offset)[0] = RealOf<D>(0);
    for (const int offset : {e.side, e.due, e.scale, e.rate_scale})
      set_zero(d.at(offset), d.plan.event_count);
    look_at_events(d);
    if (d.given_steps == nullptr) settle_events(d, 0.0);
  }
}

// Takes the attempt that passes nothing.
template <class D, class Step>
GRADUS_FUNCTION int retreat(const D& d, double time, double length, double& h, double& end,
                            const Step& step) {
  h = length;
  end = time + h;
  begin_integrals(d);
  step(h, end);
  look_at_events(d);
  return -1;
}

// Shortens an attempt of length h, by step(length, end), until it ends where an expression passes
// zero first, if one does. Returns which, -1: none.
template <class D, class Step>
GRADUS_ROUTINE int end_at_event(const D& d, const Evaluation& evaluation, double time, double& h,
                                double& end, const Step& step) {
  const EventLayout& e = d.layout.event;
  const double longest = h;
  const double least = 1e-15 * d.settings.duration;
  const double accuracy = kEventTime * (d.settings.duration + end);
  double low = 0.0, high = HUGE_VAL;  // lengths by which nothing is passed, and something is
  int event = -1;
  bool is_refined = false;
  for (int trial = 0; trial < kEventTrials; ++trial) {
    look_at_events(d);
    double next;
    if (const int k = undefined_event(d); k >= 0) {
      if (h <= least) {
        fail_at_event(d, k, Status::event_undefined, end);
        return -1;
      }
      next = 0.5 * (low + h);
      if (event >= 0) high = h;
    } else {
      const EventPlace place = first_passage_in(d, evaluation, time, h, end);
      if (place.event >= 0) event = place.event;
      if (event < 0) return -1;
      const double newton = number_at(d, e.end_value, event) / number_at(d, e.end_rate, event);
      if (place.event >= 0) {
        high = h;
        // What a shorter attempt, which is seen more closely, has shown to pass nothing.
        if (place.share * h < low && low > 0.0) return retreat(d, time, low, h, end, step);
        const bool is_here = place.share * h >= h - accuracy;
        const bool is_close = is_here && absolute(newton) <= kSameEvent * d.settings.duration;
        if (h <= least || high - low <= accuracy || (is_here && !is_close && h >= longest) ||
            (is_close && (is_refined || absolute(newton) <= accuracy || h - newton > longest)))
          return event;
        is_refined = is_close;
        next = is_here ? h - newton : place.share * h;
        if (is_here) high = 2.0 * h;
      } else {
        low = h;
        next = h - newton;
      }
    }
    const double limit = high < longest ? high : longest;
    if (!(next > low && next <= limit)) next = 0.5 * (low + limit);
    if (limit - low <= accuracy) next = limit;
    h = next < least ? least : next;
    end = time + h;
    begin_integrals(d);
    step(h, end);
    if (d.failed()) return -1;
  }
  return event;
}

// The same; what passes zero at the end of the attempt is due there, where it counts.
template <class D, class Step>
GRADUS_ROUTINE void meet_event(const D& d, const Evaluation& evaluation, double time, double& h,
                               double& end, const Step& step) {
  const EventLayout& e = d.layout.event;
  const int first = end_at_event(d, evaluation, time, h, end, step);
  if (d.failed() || first < 0) return;
  for (int k = 0; k < d.plan.event_count; ++k) {
    const double side = number_at(d, e.side, k);
    const EventMark mark = end_mark(d, k, side);
    const bool passes =
        k == first || (side != 0.0 && mark.is_zero && !mark.is_flat && mark.rate < 0.0);
    if (!passes) continue;
    d.at(e.due)[k] = RealOf<D>(counts_from(d, k, side) ? 1 : -1);
    if (!is_due(d, k)) continue;
    const double largest =
        number_at(d, e.scale, k) + number_at(d, e.rate_scale, k) * d.settings.duration;
    if (!mark.is_zero || mark.is_flat || !(absolute(mark.value) <= kClearEvent * largest))
      return fail_at_event(d, k, Status::event_unclear, end);
  }
  await_event(d);
}

// Whether an event that is due still comes behind others at its instant: what these have moved
// through zero by a jump has not passed it, and bodies that part already do not collide.
template <class D>
GRADUS_FUNCTION bool is_still_due(const D& d, int k) {
  const EventMark mark = base_mark(d, k, 1.0);
  const EventEntry& event = d.plan.events[k];
  if (!mark.is_zero) return false;
  return event.rebounds != kRebounds || mark.is_flat || mark.rate * event.direction > 0.0;
}

// The first event that is due comes next.
template <class D>
GRADUS_FUNCTION bool await_event(const D& d) {
  const EventLayout& e = d.layout.event;
  for (int k = 0; k < d.plan.event_count; ++k) {
    if (!is_due(d, k)) continue;
    d.at(e.pending)[0] = RealOf<D>(k + 1);
    return true;
  }
  return false;
}

// Behind an event.
template <class D>
GRADUS_FUNCTION void drop_events(const D& d, double time) {
  const EventLayout& e = d.layout.event;
  for (int k = 0; k < d.plan.event_count && !d.failed(); ++k) {
    if (!is_due(d, k) || is_still_due(d, k)) continue;
    d.at(e.due)[k] = d.at(e.side)[k] = RealOf<D>(0);
    d.at(e.side)[k] = RealOf<D>(side_of(d, k, time));
  }
}

// After a step that was taken, or was not.
template <class D>
GRADUS_FUNCTION void leave_events(const D& d, double end) {
  if (!has_events(d) || d.failed()) return;
  d.at(d.layout.event.passed)[0] = RealOf<D>(0);
  if (!ends_with_event(d)) settle_events(d, end);
}
template <class D>
GRADUS_FUNCTION void forget_event(const D& d) {
  if (!has_events(d)) return;
  d.at(d.layout.event.pending)[0] = RealOf<D>(0);
  set_zero(d.at(d.layout.event.due), d.plan.event_count);
}

// A step of no length at the base, so that each has one event or sample at its end.
template <class D>
GRADUS_FUNCTION void stand_still(const D& d) {
  const double time = common(d.at(d.layout.integrator.time)[0]);
  d.at(d.layout.event.passed)[0] = RealOf<D>(0);
  keep_base(d, ClockOf<D>(0.0), time);
  d.at(d.layout.steps)[0] += RealOf<D>(1);
}

// Whether something more changes at the instant of the event that has just been passed.
template <class D>
GRADUS_FUNCTION bool is_followed(const D& d, double time) {
  if (d.given_steps != nullptr) return next_given_step(d)[0] == 0.0;
  for (int k = 0; k < d.plan.event_count; ++k)
    if (is_due(d, k)) return true;
  return samples_at(d, time);
}

template <class D>
GRADUS_INLINE int pending_number(const D& d) {
  return static_cast<int>(common(d.at(d.layout.event.pending)[0])) - 1;
}

template <class D>
GRADUS_FUNCTION void blame_event(const D& d, Status status, double time) {
  fail_at_event(d, pending_number(d), status, time);
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
  const Layout& l = d.layout;
  const EventLayout& e = l.event;
  const double away = -event.direction;
  const double rate = away * value_of(law_signal(d, event.closing));
  const RealOf<D> by_time = set_law_row(d, event.closing, e.row);
  const double change = away * value_of(rate_along(d, e.row, by_time, l.velocity, l.acceleration));
  const bool parts = 2.0 * rate >= -change * kShortestRebound * d.settings.duration;
  if (!parts && is_pressed(d, event)) blame_event(d, Status::impact_rests, time);
}

// The evaluation of a state that is closed, with columns along the motion: what would close these
// takes the time for fixed.
GRADUS_FUNCTION Evaluation without_closing(const Evaluation& evaluation) {
  Evaluation open = evaluation;
  open.operation_count = open.tangent_count = 0;
  for (int k = 0; k < evaluation.operation_count; ++k) {
    const EvaluationStep step = evaluation.operations[k];
    if (step == EvaluationStep::close_position || step == EvaluationStep::close_velocity) continue;
    open.operations[open.operation_count++] = step;
    open.tangents[open.tangent_count++] = evaluation.tangents[k];
  }
  return open;
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
  if (event.rebounds == kRebounds) check_rebound(d, event, plain_time(time));
}

// Notes an event for people, as long as there is room.
template <class D>
GRADUS_FUNCTION void log_event(const D& d, double time) {
  const EventLayout& e = d.layout.event;
  const int count = static_cast<int>(common(d.at(e.log_count)[0]));
  if (count < e.log_size) {
    d.at(e.log)[2 * count] = RealOf<D>(time);
    d.at(e.log)[2 * count + 1] = d.at(e.pending)[0];
  }
  d.at(e.log_count)[0] += RealOf<D>(1);
}

// Instants of events that follow each other ever faster lead to no end.
template <class D>
GRADUS_FUNCTION void watch_chain(const D& d, double time) {
  const EventLayout& e = d.layout.event;
  const auto chain = d.at(e.chain), begun = d.at(e.chain_time), last = d.at(e.last_time);
  if (time - value_of(begun[0]) > kShortestRebound * d.settings.duration) {
    chain[0] = RealOf<D>(0);
    begun[0] = RealOf<D>(time);
  }
  if (time > value_of(last[0])) chain[0] += RealOf<D>(1);
  last[0] = RealOf<D>(time);
  if (value_of(chain[0]) > kMostEvents) blame_event(d, Status::events_chatter, time);
}

// Passes the event that the last step has ended with.
template <class D>
GRADUS_CALL void pass_event(const D& own, const Evaluation& evaluation) {
  const EventLayout& e = own.layout.event;
  const IntegratorLayout& s = own.layout.integrator;
  D d(own);
#if !defined(__CUDA_ARCH__)
  d.programs = nullptr;  // it comes seldom, with numbers that programs take for constant
#endif
  const double time = common(d.at(s.time)[0]);
  const EventEntry& event = d.plan.events[pending_number(d)];
  evaluate_base(d, evaluation, time);
  if (d.failed()) return;
  const RealOf<D> shift = event_shift(d, event, time);
  if (d.failed()) return;
  move_integrals(d, time, shift, 1.0);
  move_along(d, shift, 1.0);
  const RealOf<D> instant = RealOf<D>(time) + shift;
  const Evaluation open = without_closing(evaluation);
  evaluate_accelerations(d, open, instant, false);
  if (d.failed()) return;
  change_at_event(d, open, event, instant);
  if (d.failed()) return;
  move_integrals(d, time, shift, -1.0);
  move_along(d, shift, -1.0);
  evaluate_accelerations(d, evaluation, time, false);
  evaluate_columns(d, evaluation, false);
  if (d.failed()) return;
  const int passed = pending_number(d);
  d.at(e.due)[passed] = d.at(e.side)[passed] = RealOf<D>(0);
  look_at_events(d);
  if (d.given_steps == nullptr) {
    settle_events(d, time);
    drop_events(d, time);
  }
  if (d.failed()) return;
  begin_again(d, time, !is_followed(d, time));
  if (watches_stiffness(d)) {
    keep_stretch_state(d, 0, time);
    d.at(s.stretch_steps)[0] = RealOf<D>(0);
  }
  log_event(d, time);
  watch_chain(d, time);
  d.at(e.pending)[0] = RealOf<D>(0);
  d.at(e.passed)[0] = RealOf<D>(1);
}

// Whether more is to change where the design is, behind an event. Leads to it by a step of no
// length, if there is room to keep one.
template <class D>
GRADUS_FUNCTION bool stands_still(const D& d) {
  const EventLayout& e = d.layout.event;
  if (common(d.at(e.passed)[0]) == 0.0) return false;
  if (!is_followed(d, common(d.at(d.layout.integrator.time)[0]))) return false;
  if (record_is_full(d)) return true;
  if (d.given_steps != nullptr)
    d.at(e.pending)[0] = RealOf<D>(next_given_step(d)[2]);
  else
    await_event(d);
  stand_still(d);
  return true;
}

// What changes where the design is, by events and as states are sampled. Returns false where there
// is no room to keep what leads to it.
template <class D>
GRADUS_FUNCTION bool change_if_due(const D& d, const Evaluation& evaluation) {
  if constexpr (D::kLanes == 1) {
    while (has_events(d) && !d.failed()) {
      if (common(d.at(d.layout.event.pending)[0]) != 0.0) {
        pass_event(d, evaluation);
      } else if (!stands_still(d)) {
        break;
      } else if (common(d.at(d.layout.event.passed)[0]) != 0.0) {
        return false;
      }
    }
    if (d.failed()) return true;
  }
  const bool has_changed = sample_if_due(d, evaluation);
  if constexpr (D::kLanes == 1) {
    if (!has_changed || !has_events(d) || d.failed()) return true;
    const double time = common(d.at(d.layout.integrator.time)[0]);
    look_at_events(d);
    if (d.given_steps == nullptr) settle_events(d, time);
  }
  return true;
}

GRADUS_KERNELS_END
