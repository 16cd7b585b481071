// The step that ends with an event, and what is to be known of events at the base of a step: on
// which side their expressions are, and which are due. docs/theory.md, section 25.
#pragma once

#include "kernels/integrators/event_search.hpp"

GRADUS_KERNELS_BEGIN

// Of the largest value of an expression: what it may have at an instant where it passes zero.
constexpr double kClearEvent = 1e-6;

template <class D>
GRADUS_FUNCTION void fail_at_event(const D& d, int k, Status status, double time) {
  d.at(d.layout.blamed)[0] = RealOf<D>(k + 1);
  d.fail(true, status, time);
}

template <class D>
GRADUS_INLINE int pending_number(const D& d) {
  return static_cast<int>(common(d.at(d.layout.event.pending)[0])) - 1;
}

template <class D>
GRADUS_FUNCTION void blame_event(const D& d, Status status, double time) {
  fail_at_event(d, pending_number(d), status, time);
}

// Whether event k comes where its expression passes zero from `side`. Fails where the condition is
// no number.
template <class D>
GRADUS_FUNCTION bool counts_from(const D& d, int k, double side, double time) {
  const EventEntry& event = d.plan.events[k];
  if (event.direction != 0 && side != -event.direction) return false;
  if (event.condition < 0) return true;
  const double condition = value_of(law_signal(d, event.condition));
  if (!(absolute(condition) >= 0.0)) fail_at_event(d, k, Status::event_undefined, time);
  return condition > 0.0;
}

// Whether event k comes at the end of the last step. What passes zero there and does not count is
// marked by -1.
template <class D>
GRADUS_INLINE bool is_due(const D& d, int k) {
  return number_at(d, d.layout.event.due, k) > 0.0;
}

// How fast bodies that an impact holds apart are driven at each other, at what has been evaluated:
// the rate of the rate at which they close; 0 where that is round-off.
template <class D>
GRADUS_FUNCTION double closing_acceleration(const D& d, const EventEntry& event) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const RealOf<D> by_time = set_law_row(d, event.closing, l.event.row);
  const double change = value_of(rate_along(d, l.event.row, by_time, l.velocity, l.acceleration));
  double terms = absolute(value_of(by_time));
  for (int c = 0; c < n; ++c)
    terms += absolute(number_at(d, l.event.row, c) * number_at(d, l.velocity, c)) +
             absolute(number_at(d, l.event.row, n + c) * number_at(d, l.acceleration, c));
  return absolute(change) > kFlatEvent * terms ? change * event.direction : 0.0;
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
  if (event.rebounds == 0 || side == outside || !counts_from(d, k, outside, time)) return side;
  if (event.rebounds == kBeginsAtZero) return mark.is_zero && !mark.is_flat ? outside : side;
  // What begins at zero and closes collides at once.
  if (!mark.is_zero)
    fail_at_event(d, k, Status::impact_begun, time);
  else if (mark.is_flat && closing_acceleration(d, event) > 0.0)
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
    d.at(e.due)[k] = RealOf<D>(counts_from(d, k, side, end) ? 1 : -1);
    if (d.failed()) return;
    if (!is_due(d, k)) continue;
    const double largest =
        number_at(d, e.scale, k) + number_at(d, e.rate_scale, k) * d.settings.duration;
    if (!mark.is_zero || mark.is_flat || !(absolute(mark.value) <= kClearEvent * largest))
      return fail_at_event(d, k, Status::event_unclear, end);
  }
  await_event(d);
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

GRADUS_KERNELS_END
