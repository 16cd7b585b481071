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
GRADUS_ROUTINE typename D::Value moved_by_closing(const D& d, int base, double h, int slope,
                                                  double square, int weights, int stages, int size,
                                                  int end, int at) {
  using Value = typename D::Value;
  Value sum = value_of(d.at(base)[at]) + Value(h) * value_of(d.at(slope)[at]);
  for (int j = 0; j < d.tableau.stages; ++j)
    sum += Value(square * tableau(d, weights, j)) * value_of(d.at(stages + j * size)[at]);
  return sum - value_of(d.at(end)[at]);
}

template <class D>
GRADUS_INLINE typename D::Value position_moved(const D& d, double h, int at) {
  const IntegratorLayout& s = d.layout.integrator;
  return moved_by_closing(d, s.position, h, s.velocity, h * h, d.tableau.bbar(), s.stages,
                          d.plan.coordinate_count, d.layout.position, at);
}

template <class D>
GRADUS_INLINE typename D::Value velocity_moved(const D& d, double h, int at) {
  const IntegratorLayout& s = d.layout.integrator;
  return moved_by_closing(d, s.velocity, 0.0, s.velocity, h, d.tableau.b(), s.stages,
                          d.plan.coordinate_count, d.layout.velocity, at);
}

template <class D>
GRADUS_INLINE double larger_of(const D& d, int before, int after, int at) {
  const double a = absolute(value_of(d.at(before)[at]));
  const double b = absolute(value_of(d.at(after)[at]));
  return a > b ? a : b;
}

template <class D>
GRADUS_ROUTINE double largest_of_column(const D& d, int before, int after, int c) {
  const int columns = d.plan.column_count;
  double largest = 0.0;
  for (int i = 0; i < d.plan.coordinate_count; ++i) {
    const double at = larger_of(d, before, after, i * columns + c);
    largest = at > largest ? at : largest;
  }
  return largest;
}

// The larger of two errors; what is no number is larger than any.
GRADUS_ALWAYS_INLINE double worse_of(double a, double b) {
  return b <= a || a != a ? a : b;
}

// What column c may be wrong by, which is measured as a whole: relative to its largest entry, or to
// what makes `atol` of a state if the whole parameter changes.
template <class D>
GRADUS_FUNCTION double column_scale(const D& d, double largest, int c) {
  const double parameter = absolute(value_of(d.at(d.layout.parameter)[d.column_begin + c]));
  const double whole = parameter > 0.0 ? parameter : 1.0;
  return d.settings.atol / whole + d.settings.rtol * largest;
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
GRADUS_ROUTINE double closing_noise(const D& d) {
  const double least = value_of(d.at(d.layout.watch.least)[0]);
  const bool known = value_of(d.at(d.layout.watch.known)[0]) > 0.0 && least > 0.0;
  return known ? kClosingNoise / least : kClosingNoise;
}

template <class D>
GRADUS_ROUTINE double largest_in_units(const D& d, int before, int after) {
  double largest = 0.0;
  for (int i = 0; i < d.plan.coordinate_count; ++i) {
    const double size = larger_of(d, before, after, i) / coordinate_unit(d.plan, i);
    largest = size > largest ? size : largest;
  }
  return largest;
}

// Mean square of what closing has moved the state by, each entry over the error it may have.
template <class D>
GRADUS_ROUTINE double closing_error_square(const D& d, double h) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int n = d.plan.coordinate_count;
  const double share_of_noise = closing_noise(d);
  const double noise[2] = {
      share_of_noise * (1.0 + largest_in_units(d, s.position, l.position)),
      share_of_noise * largest_in_units(d, s.velocity, l.velocity),
  };
  double sum = 0.0;
  const auto add = [&](double moved, int before, int after, int at, double share) {
    const double ratio =
        moved / (d.settings.atol + d.settings.rtol * larger_of(d, before, after, at) +
                 share * coordinate_unit(d.plan, at));
    sum += ratio * ratio;
  };
  for (int i = 0; i < n; ++i) {
    add(position_moved(d, h, i), s.position, l.position, i, noise[0]);
    add(velocity_moved(d, h, i), s.velocity, l.velocity, i, noise[1]);
  }
  return sum / (2 * n);
}

// The same of the worst column of the sensitivities.
template <class D>
GRADUS_ROUTINE double closing_column_error_square(const D& d, double h) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int n = d.plan.coordinate_count;
  const int columns = d.plan.column_count;
  const TableauView& t = d.tableau;
  const double share_of_noise = closing_noise(d);
  double worst = 0.0;
  for (int c = 0; c < columns; ++c) {
    const double places = largest_of_column(d, s.position_columns, l.columns[kPosition], c);
    const double rates = largest_of_column(d, s.velocity_columns, l.columns[kVelocity], c);
    const double noise = share_of_noise * (places > rates ? places : rates);
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
      const int at = i * columns + c;
      const double place =
          moved_by_closing(d, s.position_columns, h, s.velocity_columns, h * h, t.bbar(),
                           s.stage_columns, n * columns, l.columns[kPosition], at) /
          (column_scale(d, places, c) + noise);
      const double rate = moved_by_closing(d, s.velocity_columns, 0.0, s.velocity_columns, h, t.b(),
                                           s.stage_columns, n * columns, l.columns[kVelocity], at) /
                          (column_scale(d, rates, c) + noise);
      sum += place * place + rate * rate;
    }
    if (!(sum <= worst)) worst = sum;
  }
  return worst / (2 * n);
}

// What closing may change a velocity by in a step that follows a motion at all: relative to what
// its accelerations change it by, and to the fastest velocity. The implicit Euler method leaves a
// hundredth of that at a tenth of a radian a step.
struct JumpShares {
  double change, fastest;
};
constexpr JumpShares kJumpShares{0.1, 1e-3};
constexpr JumpShares kJumpSharesOfEuler{0.5, 2e-2};

// Designs of which closing has changed a velocity by more: constraints prescribe one that jumps.
// Near singular configurations it may be all of the change: shorter parts of the step would hide
// how sharply the motion turns there.
template <class D>
GRADUS_ROUTINE typename D::Mask velocities_jump(const D& d, double h) {
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
    const Value change = share * Value(h) *
                         (absolute(value_of(d.at(l.integrator.acceleration)[i])) +
                          absolute(value_of(d.at(l.acceleration)[i])));
    const Value least = Value(shares.fastest * coordinate_unit(d.plan, i)) * fastest;
    jump = jump || absolute(velocity_moved(d, h, i)) > change + least;
  }
  return jump;
}

// Blames the constraint whose rate the stages leave farthest from zero; their state is lost.
template <class D>
GRADUS_ROUTINE void fail_at_jump(const D& d, const typename D::Mask& where, double h, double time) {
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
GRADUS_ROUTINE void watch_jumps(const D& d, double h, double end) {
  if (!d.failed() && closes_steps(d)) fail_at_jump(d, d.alive() && velocities_jump(d, h), h, end);
}

GRADUS_KERNELS_END
