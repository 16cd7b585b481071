// Where in an attempt of a step an event comes first. Between both ends of the attempt its
// expression is followed along a polynomial of the motion, by cubics that are trusted where what
// lies in the middle of them says so. docs/theory.md, section 25.
#pragma once

#include "kernels/integrators/interpolate.hpp"
#include "kernels/integrators/steps.hpp"
#include "kernels/integrators/stiffness.hpp"

GRADUS_KERNELS_BEGIN

// Shares of the duration of the motion: what the instant of an event is found to, and what counts
// as its instant.
constexpr double kEventTime = 2e-16;
constexpr double kSameEvent = 1e-12;
// What is round-off of an expression, beside the largest of its terms, and of its rate, beside the
// largest that it had.
constexpr double kEventNoise = 1e-13;
constexpr double kImplicitNoise = 1e-10;  // of what Newton's method has found
constexpr double kFlatEvent = 1e-12;
constexpr int kEventTrials = 80;
constexpr int kEventSamples = 500;  // of one attempt
// Of the duration: in shorter attempts the polynomial between their ends is made of round-off.
constexpr double kShortEvents = 1e-7;
constexpr double kNarrowEvents = 1.0 / 4096;  // of an attempt: no shorter part is divided

template <class D>
GRADUS_INLINE double number_at(const D& d, int offset, int i) {
  return value_of(d.at(offset)[i]);
}

// An expression at a place on the way, seen from the side on which it was.
struct EventMark {
  double value, rate;
  bool is_zero, is_flat;  // but for round-off
};
template <class D>
GRADUS_FUNCTION EventMark event_mark(const D& d, int k, double value, double rate, double terms,
                                     double side) {
  const EventLayout& e = d.layout.event;
  const double scale = number_at(d, e.scale, k);
  const double size = absolute(value);
  const double noise = d.tableau.implicit != 0 ? kImplicitNoise : kEventNoise;
  return {side * value, side * rate,
          size <= noise * (terms > scale ? terms : scale) ||
              size <= absolute(rate) * kSameEvent * d.settings.duration,
          absolute(rate) <= kFlatEvent * number_at(d, e.rate_scale, k)};
}
template <class D>
GRADUS_FUNCTION EventMark base_mark(const D& d, int k, double side) {
  const EventLayout& e = d.layout.event;
  return event_mark(d, k, number_at(d, e.value, k), number_at(d, e.rate, k),
                    number_at(d, e.terms, k), side);
}
template <class D>
GRADUS_FUNCTION EventMark end_mark(const D& d, int k, double side) {
  const EventLayout& e = d.layout.event;
  return event_mark(d, k, number_at(d, e.end_value, k), number_at(d, e.end_rate, k),
                    number_at(d, e.end_terms, k), side);
}

// A cubic on [0, 1] by its values and slopes at both ends.
struct EventCourse {
  double value, slope, square, cubic;
  GRADUS_FUNCTION double at(double x) const {
    return value + x * (slope + x * (square + x * cubic));
  }
};
GRADUS_FUNCTION EventCourse event_course(double v0, double r0, double v1, double r1) {
  return {v0, r0, 3.0 * (v1 - v0) - 2.0 * r0 - r1, r0 + r1 - 2.0 * (v1 - v0)};
}

// Where it turns within (0, 1), ascending; returns how often.
GRADUS_FUNCTION int turns_of(const EventCourse& p, double* turns) {
  const double a = 3.0 * p.cubic, b = p.square, c = p.slope;
  const double radicand = b * b - a * c;
  if (!(radicand > 0.0)) return 0;
  const double q = -(b + (b < 0.0 ? -sqrt(radicand) : sqrt(radicand)));  // which does not cancel
  double roots[2] = {a != 0.0 ? q / a : -1.0, q != 0.0 ? c / q : -1.0};
  if (roots[0] > roots[1]) {
    const double larger = roots[0];
    roots[0] = roots[1];
    roots[1] = larger;
  }
  int count = 0;
  for (int i = 0; i < 2; ++i)
    if (roots[i] > 0.0 && roots[i] < 1.0) turns[count++] = roots[i];
  return count;
}

// Where it falls below zero first, in (0, 1]; HUGE_VAL: nowhere.
GRADUS_FUNCTION double first_root(const EventCourse& p) {
  double turns[3];
  const int count = turns_of(p, turns);
  turns[count] = 1.0;
  double low = 0.0;
  for (int i = 0; i <= count; ++i) {
    double high = turns[i];
    if (p.at(high) < 0.0) {
      for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) break;
        (p.at(middle) < 0.0 ? high : low) = middle;
      }
      return high;
    }
    low = high;
  }
  return HUGE_VAL;
}

// What a part of an attempt says of an expression, and where it passes zero as a share of that
// part.
enum class EventVerdict { clear, passes, unsure };
struct EventFinding {
  EventVerdict verdict;
  double place;
};

// By its ends and its middle; `width` is its length [s].
GRADUS_FUNCTION EventFinding judge_part(const EventMark& left, const EventMark& middle,
                                        const EventMark& right, double width) {
  const EventFinding clear{EventVerdict::clear, HUGE_VAL};
  if (!is_finite(middle.value) || !is_finite(right.value))
    return {EventVerdict::passes, is_finite(middle.value) ? 1.0 : 0.5};
  if (left.is_zero && middle.is_zero && right.is_zero && right.is_flat)
    return clear;  // bodies touch
  const bool leaves = left.is_zero && (left.rate >= 0.0 || left.is_flat);
  if (!leaves && (left.is_zero || left.value < 0.0)) return {EventVerdict::passes, 0.0};
  const EventCourse p =
      event_course(leaves ? 0.0 : left.value, leaves && left.rate < 0.0 ? 0.0 : width * left.rate,
                   right.is_zero ? 0.0 : right.value, width * right.rate);
  const double deviation = absolute(middle.value - p.at(0.5));
  const double root = first_root(p);
  const bool is_below =
      (middle.value < 0.0 && !middle.is_zero) || (right.value < 0.0 && !right.is_zero);
  if (is_below) {
    const double size = absolute(left.value) + absolute(middle.value) + absolute(right.value);
    const bool is_trusted = deviation <= 0.05 * size && root < HUGE_VAL;
    if (is_trusted) return {EventVerdict::passes, root};
    return {EventVerdict::unsure, middle.value < 0.0 && !middle.is_zero ? 0.5 : 1.0};
  }
  const bool arrives = right.is_zero && !right.is_flat && right.rate < 0.0;
  if (leaves || right.is_zero) {
    const bool is_smooth = deviation <= 0.1 * middle.value && root == HUGE_VAL;
    if (!is_smooth) return {EventVerdict::unsure, arrives ? 1.0 : HUGE_VAL};
    return arrives ? EventFinding{EventVerdict::passes, 1.0} : clear;
  }
  double lowest = p.value < right.value ? p.value : right.value;
  double turns[2];
  for (int i = turns_of(p, turns) - 1; i >= 0; --i)
    if (p.at(turns[i]) < lowest) lowest = p.at(turns[i]);
  if (lowest > 6.0 * deviation) return clear;
  if (deviation <= -0.1 * lowest) return {EventVerdict::passes, root};
  return {EventVerdict::unsure, root};
}

// Points of an attempt: the share of its length, and of each event value, rate and terms.
template <class D>
GRADUS_INLINE int point_size(const D& d) {
  return 1 + 3 * d.plan.event_count;
}
template <class D>
GRADUS_INLINE int point_at(const D& d, int i) {
  return d.layout.event.points + i * point_size(d);
}
template <class D>
GRADUS_FUNCTION void keep_point(const D& d, int i, double share, int value, int rate, int terms) {
  const auto point = d.at(point_at(d, i));
  point[0] = RealOf<D>(share);
  for (int k = 0; k < d.plan.event_count; ++k) {
    point[1 + 3 * k] = d.at(value)[k];
    point[2 + 3 * k] = d.at(rate)[k];
    point[3 + 3 * k] = d.at(terms)[k];
  }
}
template <class D>
GRADUS_FUNCTION EventMark mark_at(const D& d, int i, int k, double side) {
  const auto point = d.at(point_at(d, i));
  return event_mark(d, k, value_of(point[1 + 3 * k]), value_of(point[2 + 3 * k]),
                    value_of(point[3 + 3 * k]), side);
}

// The largest number on the way to the value of a law that has just been run.
template <class D>
GRADUS_FUNCTION double terms_of_law(const D& d, const LawEntry& law) {
  const auto run = law_run<RealOf<D>>(d);
  double largest = 0.0;
  for (int i = 0; i < law.instruction_end - law.instruction_begin; ++i) {
    const double size = absolute(value_of(RealOf<D>(run.value[i])));
    if (size > largest) largest = size;
  }
  return largest;
}

// The expressions of all events, and their rates, at the state that has been evaluated.
template <class D>
GRADUS_ROUTINE void look_at_events(const D& d) {
  const EventLayout& e = d.layout.event;
  for (int k = 0; k < d.plan.event_count; ++k) {
    const int law = d.plan.events[k].when;
    d.at(e.end_value)[k] = law_signal(d, law);
    d.at(e.end_terms)[k] = RealOf<D>(terms_of_law(d, d.plan.laws[law]));
    const RealOf<D> by_time = set_law_row(d, law, e.row);
    d.at(e.end_rate)[k] = rate_along(d, e.row, by_time, d.layout.velocity, d.layout.acceleration);
  }
}

// The first event whose expression is no number at the state at hand; -1: all are.
template <class D>
GRADUS_FUNCTION int undefined_event(const D& d) {
  const EventLayout& e = d.layout.event;
  for (int k = 0; k < d.plan.event_count; ++k)
    if (!is_finite(number_at(d, e.end_value, k) + number_at(d, e.end_rate, k))) return k;
  return -1;
}

// The motion at the share x of an attempt of length h, whose end has been put aside, as far as
// events see it, and what they are there, as point i.
template <class D>
GRADUS_ROUTINE void sample_events(const D& d, int i, double x, double h, double time) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const EventLayout& e = l.event;
  const StepEnds ends{e.new_position, e.new_velocity, e.new_acceleration, s.position,
                      s.velocity,     s.acceleration, l.position,         l.velocity};
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    interpolate_entry(d, ends, c, x, h);
    d.at(l.acceleration)[c] = interpolated_acceleration(d, ends, c, x, h);
  }
  d.at(l.time)[0] = RealOf<D>(time + x * h);
  positions(d);
  velocities(d, l.motion, d.at(l.velocity));
  look_at_events(d);
  keep_point(d, i, x, e.end_value, e.end_rate, e.end_terms);
}

// The event whose expression passes zero first in an attempt, and after which share of it.
struct EventPlace {
  int event;
  double share;
};

constexpr int kFirstEventParts = 8;

// What the part from point 0 to point `right` says, with its middle at the last point.
template <class D>
GRADUS_FUNCTION EventVerdict judge_events(const D& d, int right, double h, EventPlace& first) {
  const double from = number_at(d, point_at(d, 0), 0), to = number_at(d, point_at(d, right), 0);
  EventVerdict verdict = EventVerdict::clear;
  first = {-1, HUGE_VAL};
  for (int k = 0; k < d.plan.event_count; ++k) {
    const double side = number_at(d, d.layout.event.side, k);
    if (side == 0.0) continue;
    const EventFinding found =
        judge_part(mark_at(d, 0, k, side), mark_at(d, kEventPoints - 1, k, side),
                   mark_at(d, right, k, side), h * (to - from));
    if (found.verdict == EventVerdict::clear) continue;
    if (found.verdict == EventVerdict::unsure) verdict = EventVerdict::unsure;
    if (verdict == EventVerdict::clear) verdict = EventVerdict::passes;
    const double share = from + (to - from) * found.place;
    if (share < first.share) first = {k, share};
  }
  return verdict;
}

// By the ends of the attempt alone.
template <class D>
GRADUS_ROUTINE EventPlace first_passage_between(const D& d, double h) {
  EventPlace first{-1, HUGE_VAL};
  for (int k = 0; k < d.plan.event_count; ++k) {
    const double side = number_at(d, d.layout.event.side, k);
    if (side == 0.0) continue;
    const EventMark left = mark_at(d, 0, k, side), right = mark_at(d, 1, k, side);
    const EventCourse p = event_course(left.is_zero ? 0.0 : left.value, h * left.rate,
                                       right.is_zero ? 0.0 : right.value, h * right.rate);
    const EventFinding found =
        judge_part(left, {p.at(0.5), 0.0, left.is_zero && right.is_zero, false}, right, h);
    if (found.verdict != EventVerdict::clear && found.place < first.share) first = {k, found.place};
  }
  return first;
}

// By parts from the left, divided until each of them is trusted. The state at hand is spoiled.
template <class D>
GRADUS_ROUTINE EventPlace first_passage(const D& d, double time, double h) {
  const double firsts[kFirstEventParts - 1] = {0.09, 0.21, 0.34, 0.47, 0.61, 0.73, 0.87};
  int right = 1;  // a stack of right ends, the nearest on top
  for (int i = kFirstEventParts - 2; i >= 0; --i) sample_events(d, ++right, firsts[i], h, time);
  for (int samples = 0; samples < kEventSamples; ++samples) {
    const double from = number_at(d, point_at(d, 0), 0), to = number_at(d, point_at(d, right), 0);
    sample_events(d, kEventPoints - 1, 0.5 * (from + to), h, time);
    EventPlace first;
    const EventVerdict verdict = judge_events(d, right, h, first);
    const bool is_narrow = to - from < kNarrowEvents || right == kEventPoints - 2;
    if (verdict == EventVerdict::unsure && !is_narrow) {
      copy_array(d, point_at(d, kEventPoints - 1), point_at(d, ++right), point_size(d));
      continue;
    }
    if (first.event >= 0) return first;
    copy_array(d, point_at(d, right), point_at(d, 0), point_size(d));
    if (--right == 0) return {-1, HUGE_VAL};
  }
  // What is left of an attempt that passes zero very often.
  for (int k = 0; k < d.plan.event_count; ++k) {
    const EventMark end = mark_at(d, 1, k, number_at(d, d.layout.event.side, k));
    if (end.value < 0.0 && !end.is_zero) return {k, 1.0};
  }
  return {-1, HUGE_VAL};
}

// The same of the attempt that has just been evaluated, of which nothing else is touched.
template <class D>
GRADUS_ROUTINE EventPlace first_passage_in(const D& d, const Evaluation& evaluation, double time,
                                           double h, double end) {
  const Layout& l = d.layout;
  const EventLayout& e = l.event;
  const int n = d.plan.coordinate_count;
  keep_point(d, 0, 0.0, e.value, e.rate, e.terms);
  keep_point(d, 1, 1.0, e.end_value, e.end_rate, e.end_terms);
  copy_array(d, l.position, e.new_position, n);
  copy_array(d, l.velocity, e.new_velocity, n);
  copy_array(d, l.acceleration, e.new_acceleration, n);
  if (h < kShortEvents * d.settings.duration) return first_passage_between(d, h);
  const EventPlace first = first_passage(d, time, h);
  copy_array(d, e.new_position, l.position, n);
  copy_array(d, e.new_velocity, l.velocity, n);
  evaluate_accelerations(d, evaluation, end, false);
  look_at_events(d);
  return first;
}

GRADUS_KERNELS_END
