// What closing the loops moves the end of a step by is an error of the step, too. Near singular
// configurations it is larger than what the stages tell of each other; and where constraints
// prescribe velocities that jump it is as large as the jump, however short the step: what the jump
// does to the velocities that they leave is not part of the equations of motion.
#pragma once

#include "kernels/integrators/step_state.hpp"
#include "kernels/stages/watch.hpp"

GRADUS_KERNELS_BEGIN

// What closing has moved: an entry of the end of a step as its stages make it, less what it is now.
// Weights of the stages are in units of `square`, the slope at the base in units of `h`.
template <class D>
GRADUS_ROUTINE typename D::Value moved_by_closing(const D& d, int base, const ClockOf<D>& h,
                                                  int slope, const ClockOf<D>& square, int weights,
                                                  int stages, int size, int end, int at) {
  using Value = typename D::Value;
  Value sum = value_of(d.at(base)[at]) + h * value_of(d.at(slope)[at]);
  for (int j = 0; j < d.tableau.stages; ++j)
    sum += square * Value(tableau(d, weights, j)) * value_of(d.at(stages + j * size)[at]);
  return sum - value_of(d.at(end)[at]);
}

template <class D>
GRADUS_INLINE typename D::Value position_moved(const D& d, const ClockOf<D>& h, int at) {
  const IntegratorLayout& s = d.layout.integrator;
  return moved_by_closing(d, s.position, h, s.velocity, h * h, d.tableau.bbar(), s.stages,
                          d.plan.coordinate_count, d.layout.position, at);
}

template <class D>
GRADUS_INLINE typename D::Value velocity_moved(const D& d, const ClockOf<D>& h, int at) {
  const IntegratorLayout& s = d.layout.integrator;
  return moved_by_closing(d, s.velocity, 0.0, s.velocity, h, d.tableau.b(), s.stages,
                          d.plan.coordinate_count, d.layout.velocity, at);
}

template <class D>
GRADUS_INLINE typename D::Value larger_of(const D& d, int before, int after, int at) {
  const typename D::Value a = absolute(value_of(d.at(before)[at]));
  const typename D::Value b = absolute(value_of(d.at(after)[at]));
  return select(a > b, a, b);
}

template <class D>
GRADUS_ROUTINE typename D::Value largest_of_column(const D& d, int before, int after, int c) {
  using Value = typename D::Value;
  const int columns = d.plan.column_count;
  Value largest(0.0);
  for (int i = 0; i < d.plan.coordinate_count; ++i) {
    const Value at = larger_of(d, before, after, i * columns + c);
    largest = select(at > largest, at, largest);
  }
  return largest;
}

// The larger of two errors; what is no number is larger than any.
template <class Value>
GRADUS_INLINE Value worse_of(const Value& a, const Value& b) {
  return select(b <= a || !(a == a), a, b);
}

// What column c may be wrong by, which is measured as a whole: relative to its largest entry, or to
// what makes `atol` of a state if the whole parameter changes.
template <class D>
GRADUS_FUNCTION typename D::Value column_scale(const D& d, const typename D::Value& largest,
                                               int c) {
  using Value = typename D::Value;
  const Value parameter = absolute(value_of(d.at(d.layout.parameter)[d.column_begin + c]));
  const Value whole = select(parameter > Value(0.0), parameter, Value(1.0));
  return Value(d.settings.atol) / whole + Value(d.settings.rtol) * largest;
}

// Whether constraints determine a part of the motion and leave another.
template <class D>
GRADUS_INLINE bool closes_steps(const D& d) {
  return !is_open_tree(d.plan) && d.plan.constraint_rank > 0 && d.plan.independent_count > 0;
}

// Closing is exact but for round-off, which is not an error of the step: relative to the largest
// positions (or 1) and velocities, each in units of its coordinate, or to the largest entry of a
// column, of positions or velocities; and over what the shortest row of the constraints has left.
constexpr double kClosingNoise = 1e-11;

template <class D>
GRADUS_ROUTINE typename D::Value closing_noise(const D& d) {
  using Value = typename D::Value;
  const Value least = value_of(d.at(d.layout.watch.least)[0]);
  const auto known = value_of(d.at(d.layout.watch.known)[0]) > Value(0.0) && least > Value(0.0);
  return select(known, Value(kClosingNoise) / least, Value(kClosingNoise));
}

template <class D>
GRADUS_ROUTINE typename D::Value largest_in_units(const D& d, int before, int after) {
  using Value = typename D::Value;
  Value largest(0.0);
  for (int i = 0; i < d.plan.coordinate_count; ++i) {
    const Value size = larger_of(d, before, after, i) / Value(coordinate_unit(d.plan, i));
    largest = select(size > largest, size, largest);
  }
  return largest;
}

// Mean square of what closing has moved the state by, each entry over the error it may have.
template <class D>
GRADUS_ROUTINE typename D::Value closing_error_square(const D& d, const ClockOf<D>& h) {
  using Value = typename D::Value;
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int n = d.plan.coordinate_count;
  const Value share_of_noise = closing_noise(d);
  const Value noise[2] = {
      share_of_noise * (Value(1.0) + largest_in_units(d, s.position, l.position)),
      share_of_noise * largest_in_units(d, s.velocity, l.velocity),
  };
  Value sum(0.0);
  const auto add = [&](const Value& moved, int before, int after, int at, const Value& share) {
    const Value ratio =
        moved / (Value(d.settings.atol) + Value(d.settings.rtol) * larger_of(d, before, after, at) +
                 share * Value(coordinate_unit(d.plan, at)));
    sum += ratio * ratio;
  };
  for (int i = 0; i < n; ++i) {
    add(position_moved(d, h, i), s.position, l.position, i, noise[0]);
    add(velocity_moved(d, h, i), s.velocity, l.velocity, i, noise[1]);
  }
  return sum / Value(2 * n);
}

// The same of the worst column of the sensitivities.
template <class D>
GRADUS_ROUTINE typename D::Value closing_column_error_square(const D& d, const ClockOf<D>& h) {
  using Value = typename D::Value;
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int n = d.plan.coordinate_count;
  const int columns = d.plan.column_count;
  const TableauView& t = d.tableau;
  const Value share_of_noise = closing_noise(d);
  Value worst(0.0);
  for (int c = 0; c < columns; ++c) {
    const Value places = largest_of_column(d, s.position_columns, l.columns[kPosition], c);
    const Value rates = largest_of_column(d, s.velocity_columns, l.columns[kVelocity], c);
    const Value noise = share_of_noise * select(places > rates, places, rates);
    Value sum(0.0);
    for (int i = 0; i < n; ++i) {
      const int at = i * columns + c;
      const Value place =
          moved_by_closing(d, s.position_columns, h, s.velocity_columns, h * h, t.bbar(),
                           s.stage_columns, n * columns, l.columns[kPosition], at) /
          (column_scale(d, places, c) + noise);
      const Value rate = moved_by_closing(d, s.velocity_columns, 0.0, s.velocity_columns, h, t.b(),
                                          s.stage_columns, n * columns, l.columns[kVelocity], at) /
                         (column_scale(d, rates, c) + noise);
      sum += place * place + rate * rate;
    }
    worst = select(sum <= worst, worst, sum);
  }
  return worst / Value(2 * n);
}

// What closing may change a velocity by in a step that follows a motion at all: relative to what
// its accelerations change it by (`change`), to what the step makes of their own change (`kink`),
// and to the fastest velocity. Where a prescribed acceleration jumps, as that of a drive that sets
// out from rest, a stage at the end of the step has seen it and counts by its weight, which with
// both shares together is always below what is allowed: a half at most, of the implicit Euler
// method 1. That method leaves a hundredth of the fastest velocity at a tenth of a radian a step.
struct JumpShares {
  double change, kink, fastest;
};
constexpr JumpShares kJumpShares{0.1, 0.5, 1e-3};
constexpr JumpShares kJumpSharesOfEuler{0.5, 0.6, 2e-2};

// Designs of which closing has changed a velocity by more: constraints prescribe one that jumps.
// Near singular configurations it may be all of the change: shorter parts of the step would hide
// how sharply the motion turns there.
template <class D>
GRADUS_ROUTINE typename D::Mask velocities_jump(const D& d, const ClockOf<D>& h) {
  using Value = typename D::Value;
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  Value fastest(0.0);
  const JumpShares shares = d.tableau.stages == 1 ? kJumpSharesOfEuler : kJumpShares;
  const auto is_near = value_of(d.at(l.watch.known)[0]) > Value(0.0) &&
                       value_of(d.at(l.watch.least)[0]) < Value(kNearSingular);
  const Value share = select(is_near, Value(1.0), Value(shares.change));
  for (int i = 0; i < n; ++i) {
    const Value speed = absolute(value_of(d.at(l.velocity)[i])) / Value(coordinate_unit(d.plan, i));
    fastest = select(speed > fastest, speed, fastest);
  }
  typename D::Mask jump(false);
  for (int i = 0; i < n; ++i) {
    const Value before = value_of(d.at(l.integrator.acceleration)[i]);
    const Value after = value_of(d.at(l.acceleration)[i]);
    const Value change = h * (share * (absolute(before) + absolute(after)) +
                              Value(shares.kink) * absolute(after - before));
    const Value least = Value(shares.fastest * coordinate_unit(d.plan, i)) * fastest;
    jump = jump || absolute(velocity_moved(d, h, i)) > change + least;
  }
  return jump;
}

// Blames the constraint whose rate the stages leave farthest from zero; their state is lost.
template <class D>
GRADUS_ROUTINE void fail_at_jump(const D& d, const typename D::Mask& where, const ClockOf<D>& h,
                                 const ClockOf<D>& time) {
  using Value = typename D::Value;
  const Layout& l = d.layout;
  if (!any(where)) return;
  for (int i = 0; i < d.plan.coordinate_count; ++i) {
    const RealOf<D> moved(velocity_moved(d, h, i));
    RealOf<D>& velocity = d.at(l.velocity)[i];
    velocity = select(where, velocity + moved, velocity);
  }
  velocities(d, l.motion, d.at(l.velocity));
  constraint_rates(d, l.motion, d.at(l.velocity));
  Value largest(-1.0);
  Value row(0.0);
  for (int i = 0; i < d.plan.constraint_rows; ++i) {
    const Value size =
        absolute(value_of(d.at(l.constraint_rate)[i])) * Value(row_weight(d.plan, i));
    const auto larger = size > largest;
    largest = select(larger, size, largest);
    row = select(larger, Value(i + 1), row);
  }
  RealOf<D>& blamed = d.at(l.blamed)[0];
  blamed = select(where, RealOf<D>(row), blamed);
  d.fail(where, Status::velocity_jumps, time);
}

// Fails designs of which constraints prescribe a velocity that jumps within the step at hand.
template <class D>
GRADUS_ROUTINE void watch_jumps(const D& d, const ClockOf<D>& h, const ClockOf<D>& end) {
  if (!d.failed() && closes_steps(d)) fail_at_jump(d, d.alive() && velocities_jump(d, h), h, end);
}

GRADUS_KERNELS_END
