// Error of a step and length of the next. E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary
// Differential Equations I, section II.4.
#pragma once

#include "kernels/integrators/closing_error.hpp"
#include "kernels/integrators/course_error.hpp"
#include "kernels/integrators/implicit_error.hpp"
#include "kernels/integrators/step_jumps.hpp"

GRADUS_KERNELS_BEGIN

constexpr double kSafety = 0.9;
// Of implicit methods: what the start of a stiff step is wrong by counts in its error as well.
constexpr double kStiffSafety = 0.8;
constexpr double kSmallestChange = 0.2;  // of the step
constexpr double kLargestChange = 6.0;
constexpr double kJumpWidth = 1e-9;      // of the duration: what is as steep is a jump
constexpr double kSmallestStep = 1e-13;  // relative to the time
// What expressions whose instants are looked for may be wrong by in steps as short as a jump, in
// which they hardly change, relative to what they have reached: near zero their size is round-off,
// or that of a kink.
constexpr double kCourseShare = 1e-10;
// Attempts whose progress is looked at, and how much of the duration each must be on average.
constexpr double kProgressAttempts = 10000.0;
constexpr double kLeastProgress = 1e-8;

// Error number `at` of a step, by the weights of its stages and its end.
template <class D>
GRADUS_INLINE typename D::Value error_at(const D& d, const ClockOf<D>& factor, int weights,
                                         int stages, int end, int size, int at) {
  using Value = typename D::Value;
  const int count = d.tableau.stages;
  Value error = Value(tableau(d, weights, count)) * value_of(d.at(end)[at]);
  for (int j = 0; j < count; ++j)
    error += Value(tableau(d, weights, j)) * value_of(d.at(stages + j * size)[at]);
  return factor * error;
}

// Sum of squares of the errors of the state, each over its scale.
template <class D>
GRADUS_ROUTINE typename D::Value scaled_error(const D& d, const ClockOf<D>& factor, int weights,
                                              int stages, int end, int before, int after) {
  using Value = typename D::Value;
  const int n = d.plan.coordinate_count;
  Value sum(0.0);
  for (int i = 0; i < n; ++i) {
    const Value scale =
        Value(d.settings.atol) + Value(d.settings.rtol) * larger_of(d, before, after, i);
    const Value ratio = error_at(d, factor, weights, stages, end, n, i) / scale;
    sum += ratio * ratio;
  }
  return sum;
}

// The same of column c.
template <class D>
GRADUS_ROUTINE typename D::Value scaled_column_error(const D& d, const ClockOf<D>& factor,
                                                     int weights, int stages, int end, int before,
                                                     int after, int c) {
  using Value = typename D::Value;
  const int n = d.plan.coordinate_count;
  const int columns = d.plan.column_count;
  const Value scale = column_scale(d, largest_of_column(d, before, after, c), c);
  Value sum(0.0);
  for (int i = 0; i < n; ++i) {
    const int at = i * columns + c;
    const Value ratio = error_at(d, factor, weights, stages, end, n * columns, at) / scale;
    sum += ratio * ratio;
  }
  return sum;
}

// A square of an error and the objective that makes it.
template <class Value>
struct CourseError {
  Value square, objective;
};

// Square of estimate `which` of the error of the objectives' integrals over its scale, of the worst
// of them and, with columns, of their gradients, in units of the parameters.
template <class D>
GRADUS_ROUTINE CourseError<typename D::Value> worst_course_error(const D& d, const ClockOf<D>& h,
                                                                 int which, bool with_columns) {
  using Value = typename D::Value;
  const IntegratorLayout& s = d.layout.integrator;
  const int objectives = d.plan.objective_count;
  const int columns = with_columns ? d.plan.column_count : 0;
  const auto number = [&](int offset, int i) { return absolute(value_of(d.at(offset)[i])); };
  const auto ended = [&](int total, int share, int i) {
    const Value before = value_of(d.at(total)[i]);
    const Value after = absolute(before + value_of(d.at(share)[i]));
    return select(after > absolute(before), after, absolute(before));
  };
  const Value atol(d.settings.atol), rtol(d.settings.rtol);
  CourseError<Value> worst{Value(0.0), Value(0.0)};
  int o = 0;
  const auto look = [&](const Value& error, const Value& scale) {
    const Value ratio = error / scale;
    const auto larger = ratio * ratio > worst.square;  // no numbers fail by their names
    worst = {select(larger, ratio * ratio, worst.square),
             select(larger, Value(o), worst.objective)};
  };
  for (; o < objectives; ++o) {
    const ObjectiveEntry& objective = d.plan.objectives[o];
    if (!has_course(objective)) continue;
    const Value error = h * number(s.course_error, which * objectives + o);
    if (objective.kind != ObjectiveKind::integral) {
      const Value size = rtol * number(s.course_size, o);
      const Value least = select(h <= Value(kJumpWidth * d.settings.duration),
                                 Value(kCourseShare) * number(s.course_reach, o), Value(0.0));
      look(error, h * (atol + select(size > least, size, least)));
      continue;
    }
    Value size = ended(d.layout.objective_value, s.integral, o);
    look(error, atol + rtol * size);
    const auto parameter = [&](int c) {
      const Value p = number(d.layout.parameter, d.column_begin + c);
      return select(p > Value(0.0), p, Value(1.0));
    };
    for (int c = 0; c < columns; ++c) {
      const Value entry =
          parameter(c) * ended(d.layout.objective_gradient, s.integral_gradient, o * columns + c);
      size = select(entry > size, entry, size);
    }
    const int at = (which * objectives + o) * columns;
    for (int c = 0; c < columns; ++c)
      look(h * parameter(c) * number(s.gradient_error, at + c), atol + rtol * size);
  }
  return worst;
}
template <class D>
GRADUS_INLINE typename D::Value course_error_square(const D& d, const ClockOf<D>& h, int which,
                                                    bool with_columns) {
  return worst_course_error(d, h, which, with_columns).square;
}

// Mean square of one error estimate over the state, or over the worst of the columns.
template <class D>
GRADUS_ROUTINE typename D::Value mean_square_error(const D& d, const ClockOf<D>& h, int plain,
                                                   int bar, bool with_columns) {
  using Value = typename D::Value;
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int n = d.plan.coordinate_count;
  if constexpr (D::kLanes == 1)
    if (d.tableau.implicit != 0 && d.tableau.linear == 0)
      return plain == d.tableau.error() ? implicit_error_square(d, h, with_columns) : 0.0;
  Value worst = scaled_error(d, h * h, bar, s.stages, l.acceleration, s.position, l.position) +
                scaled_error(d, h, plain, s.stages, l.acceleration, s.velocity, l.velocity);
  for (int c = 0; with_columns && c < d.plan.column_count; ++c) {
    const Value column =
        scaled_column_error(d, h * h, bar, s.stage_columns, l.columns[kAcceleration],
                            s.position_columns, l.columns[kPosition], c) +
        scaled_column_error(d, h, plain, s.stage_columns, l.columns[kAcceleration],
                            s.velocity_columns, l.columns[kVelocity], c);
    worst = select(is_finite(worst), worse_of(worst, column), worst);
    if (!any(is_finite(worst))) break;
  }
  return worst / Value(n > 0 ? 2 * n : 1);
}

// Whether the sensitivities decide on steps, too.
template <class D>
GRADUS_INLINE bool columns_decide(const D& d) {
  return d.settings.columns_in_error != 0 && column_size(d) > 0;
}

constexpr double kRunaway = 1e8;  // square of an error beside the state

// The error by two estimates, of which the second tempers the first. One of low order that is many
// times the state itself tells that the stages have run away, and must not temper the other, to
// nothing where it overflows.
template <class D>
GRADUS_FUNCTION typename D::Value tempered_error(const D& d, const typename D::Value& first,
                                                 const typename D::Value& second) {
  using Value = typename D::Value;
  const Value zero(0.0), square_of_rtol(d.settings.rtol * d.settings.rtol);
  const auto by_first = second == zero || !(square_of_rtol * second < Value(kRunaway));
  const Value tempered = select(first == zero, zero, first / sqrt(first + Value(0.01) * second));
  return select(by_first, sqrt(first), tempered);
}

// Error of the state in a step, relative to what is allowed, by its stages.
template <class D>
GRADUS_FUNCTION typename D::Value state_error(const D& d, const ClockOf<D>& h) {
  const TableauView& t = d.tableau;
  return tempered_error(d, mean_square_error(d, h, t.error(), t.error_bar(), false),
                        mean_square_error(d, h, t.second_error(), t.second_error_bar(), false));
}

// The same of the state, of the columns or of the integrals of objectives, whichever is largest.
template <class D>
GRADUS_FUNCTION typename D::Value stage_error(const D& d, const ClockOf<D>& h, bool with_columns) {
  using Value = typename D::Value;
  const TableauView& t = d.tableau;
  const bool follows = follows_courses(d);
  const auto of_courses = [&](int which) {
    return follows ? course_error_square(d, h, which, with_columns) : Value(0.0);
  };
  const Value first =
      worse_of(mean_square_error(d, h, t.error(), t.error_bar(), with_columns), of_courses(0));
  const Value second = worse_of(
      mean_square_error(d, h, t.second_error(), t.second_error_bar(), with_columns), of_courses(1));
  return tempered_error(d, first, second);
}

// The same with what closing the loops moves the end by, and what it misses of rates of states.
template <class D>
GRADUS_FUNCTION typename D::Value step_error(const D& d, const ClockOf<D>& h, bool with_columns) {
  using Value = typename D::Value;
  const Value error = worse_of(stage_error(d, h, with_columns), worst_rate_error(d).size);
  if (!closes_steps(d)) return error;
  const Value motion = closing_error_square(d, h);
  const Value columns = with_columns ? closing_column_error_square(d, h) : Value(0.0);
  return worse_of(error, sqrt(worse_of(motion, columns)));
}

// Names the objective for which a step is too long that the motion permits.
template <class D>
GRADUS_ROUTINE bool blame_objective(const D& d, double h, bool with_columns, double time) {
  if (!follows_courses(d)) return false;
  const TableauView& t = d.tableau;
  const CourseError<double> course = worst_course_error(d, h, 0, with_columns);
  if (!(mean_square_error(d, h, t.error(), t.error_bar(), with_columns) < course.square))
    return false;
  d.at(d.layout.blamed)[0] = RealOf<D>(-1 - course.objective);
  d.fail(true, Status::objective_too_steep, time);
  return true;
}

// Fails a design for the state whose rate no step is short enough for.
template <class D>
GRADUS_FUNCTION bool blame_rate(const D& d, double time) {
  const RateError<double> error = worst_rate_error(d);
  if (error.size <= 1.0) return false;
  d.at(d.layout.blamed)[0] = RealOf<D>(error.coordinate);
  d.fail(true, Status::state_rate_jumps, time);
  return true;
}

// Factor of the next step after an error, `last` the error of the step before.
template <class D>
GRADUS_FUNCTION double step_change(const D& d, double error, double last, bool accepted) {
  const double order = d.tableau.error_order + 1;
  if (!is_finite(error)) return kSmallestChange;
  if (error == 0.0) return kLargestChange;
  const double safety = d.tableau.implicit != 0 ? kStiffSafety : kSafety;
  double change = safety * pow(error, accepted ? -0.7 / order : -1.0 / order);
  if (accepted && last > 0.0) change *= pow(last, 0.4 / order);
  change = change < kSmallestChange ? kSmallestChange : change;
  return change > kLargestChange ? kLargestChange : change;
}

// The same of an accepted step of an implicit method: as the errors of the last two steps foretell
// the next (K. Gustafsson, ACM Trans. Math. Softw. 20 (1994) 496-517).
template <class D>
GRADUS_FUNCTION double foretold_change(const D& d, double h, double error) {
  const IntegratorLayout& s = d.layout.integrator;
  const double order = d.tableau.error_order + 1;
  const double last_error = value_of(d.at(s.error)[0]);
  const double last_length = value_of(d.at(s.learned_length)[0]);
  const double change = step_change(d, error, 0.0, false);
  if (!(last_length > 0.0) || !(error > 0.0)) return change;
  const double foretold = change * (h / last_length) * pow(last_error / error, 1.0 / order);
  if (!(foretold < change)) return change;
  return foretold < kSmallestChange ? kSmallestChange : foretold;
}

// Fails with the length of the step at hand, which stands in the place of what is to blame.
template <class D>
GRADUS_FUNCTION void fail_at_step(const D& d, Status reason, double h, double time) {
  if (d.failed()) return;
  d.at(d.layout.blamed)[0] = RealOf<D>(h);
  d.fail(true, reason, time);
}

// A motion that has tried all steps that it may, or would take a hundred million of them at the
// rate of the last ten thousand attempts, does not come to its end.
template <class D>
GRADUS_FUNCTION void watch_progress(const D& d) {
  const Layout& l = d.layout;
  const double attempts = value_of(d.at(l.steps)[0]) + value_of(d.at(l.rejected_steps)[0]);
  const double time = value_of(d.at(l.integrator.time)[0]);
  if (attempts >= d.settings.max_steps && time < d.settings.duration)
    fail_at_step(d, Status::too_many_steps, value_of(d.at(l.integrator.step)[0]), time);
  if (attempts - kProgressAttempts * ::floor(attempts / kProgressAttempts) > 0.0) return;
  const double way = time - value_of(d.at(l.integrator.mark)[0]);
  d.at(l.integrator.mark)[0] = RealOf<D>(time);
  if (time < d.settings.duration && way < kProgressAttempts * kLeastProgress * d.settings.duration)
    fail_at_step(d, Status::progress_too_slow, value_of(d.at(l.integrator.step)[0]), time);
}

GRADUS_KERNELS_END
