// Whether states that constraints read move at their rates g. Their velocities are integrals of
// dg/dt, which lose for good what g does within a step that is too long to see it. docs/theory.md,
// section 18.
#pragma once

#include "kernels/passes/law_signals.hpp"
#include "kernels/stages/held_rows.hpp"
#include "kernels/stages/resting_states.hpp"

GRADUS_KERNELS_BEGIN

// What is kept of such a state.
struct RateWatch {
  static constexpr int gap = 0;      // what its velocity exceeds its rate by
  static constexpr int fastest = 1;  // velocity or rate so far
  static constexpr int worst = 2;    // change of the gap within a step
  static constexpr int time = 3;     // of that [s]
  static constexpr int largest = 4;  // gap so far
};

// Calls visit(coordinate, law of its rate, place in WatchLayout::rates) for all such states.
template <class D, class Visit>
GRADUS_FUNCTION void for_each_followed_state(const D& d, const Visit& visit) {
  const int first = mechanism_coordinates(d);
  for (int c = first; c < d.plan.coordinate_count; ++c)
    if (const int law = d.plan.coordinates[c].start_rate;
        law >= 0 && d.plan.coordinates[c].is_held == 0)
      visit(c, law, d.layout.watch.rates + kRateNumbers * (c - first));
}

template <class Real>
GRADUS_FUNCTION Real larger_size(const Real& a, const Real& b) {
  const Real size = absolute(a);
  return select(size > b, size, b);
}

// Before the motion, and where it begins anew.
template <class D>
GRADUS_FUNCTION void forget_rates(const D& d) {
  for_each_followed_state(d, [&](int, int, int place) { set_zero(d.at(place), kRateNumbers); });
}
template <class D>
GRADUS_FUNCTION void begin_rates(const D& d) {
  for_each_followed_state(d, [&](int c, int law, int place) {
    d.at(place)[RateWatch::gap] = d.at(d.layout.velocity)[c] - law_signal(d, law);
  });
}

// What steps may change the gap by, each and all of them, relative to the fastest velocity: more
// than they do where they follow the rate at some thirty steps a period.
struct RateShares {
  double in_step, in_all;
};
constexpr double kRateNoise = 1e-13;

template <class D>
GRADUS_FUNCTION RateShares rate_shares(const D& d) {
  const TableauView& t = d.tableau;
  if (t.stages == 1) return {2e-2, 0.2};  // Euler's
  const bool is_of_second_order = t.stages == 0 || (t.implicit != 0 && t.known > 0);
  return {is_of_second_order ? 1e-3 : 1e-4, 1e-2};
}

// Fails designs of which steps of fixed length have missed more, as of the step that missed most.
template <class D>
GRADUS_ROUTINE void judge_rates(const D& d) {
  using Value = typename D::Value;
  const RateShares shares = rate_shares(d);
  for_each_followed_state(d, [&](int c, int, int place) {
    const auto number = [&](int k) { return value_of(d.at(place)[k]); };
    const Value fastest = number(RateWatch::fastest);
    const Value noise(kRateNoise);
    const auto missed =
        d.alive() && !(number(RateWatch::worst) <= Value(shares.in_step) * fastest + noise &&
                       number(RateWatch::largest) <= Value(shares.in_all) * fastest + noise);
    if (!any(missed)) return;
    RealOf<D>& blamed = d.at(d.layout.blamed)[0];
    blamed = select(missed, RealOf<D>(c), blamed);
    for (int i = 0; i < D::kLanes; ++i)
      if (lane(missed, i))
        d.fail_lane(i, Status::state_rate_jumps, lane(number(RateWatch::time), i));
  });
}

// At the end of a step.
template <class D, class Time>
GRADUS_ROUTINE void watch_rates(const D& d, const Time& time) {
  if (d.failed()) return;
  for_each_followed_state(d, [&](int c, int law, int place) {
    const auto kept = d.at(place);
    const RealOf<D> rate = law_signal(d, law);
    const RealOf<D> gap = d.at(d.layout.velocity)[c] - rate;
    const RealOf<D> change = absolute(gap - kept[RateWatch::gap]);
    const auto is_worst = change > kept[RateWatch::worst];
    kept[RateWatch::worst] = select(is_worst, change, kept[RateWatch::worst]);
    kept[RateWatch::time] = select(is_worst, RealOf<D>(time), kept[RateWatch::time]);
    kept[RateWatch::gap] = gap;
    kept[RateWatch::largest] = larger_size(gap, kept[RateWatch::largest]);
    kept[RateWatch::fastest] =
        larger_size(rate, larger_size(d.at(d.layout.velocity)[c], kept[RateWatch::fastest]));
  });
  constexpr double kEnd = 1.0 - 1e-9;
  if (d.tableau.error_order == 0 && common(time) >= kEnd * d.settings.duration) judge_rates(d);
}

// What a step of an adaptive method has missed of the rate of a state: over what it may be wrong
// by, and of which.
template <class Value>
struct RateError {
  Value size, coordinate;
};
template <class D>
GRADUS_ROUTINE RateError<typename D::Value> worst_rate_error(const D& d) {
  using Value = typename D::Value;
  const Value atol(d.settings.atol), rtol(d.settings.rtol + kRateNoise);
  RateError<Value> worst{Value(0.0), Value(-1.0)};
  for_each_followed_state(d, [&](int c, int law, int place) {
    const Value rate = value_of(law_signal(d, law));
    const Value velocity = value_of(d.at(d.layout.velocity)[c]);
    const Value fastest =
        larger_size(rate, larger_size(velocity, Value(value_of(d.at(place)[RateWatch::fastest]))));
    const Value change = absolute(velocity - rate - value_of(d.at(place)[RateWatch::gap]));
    const Value error = change / (atol + rtol * fastest);
    const auto larger = !(error <= worst.size);
    worst = {select(larger, error, worst.size), select(larger, Value(c), worst.coordinate)};
  });
  return worst;
}

GRADUS_KERNELS_END
