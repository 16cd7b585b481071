// Error of a step and length of the next. E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary
// Differential Equations I, section II.4.
#pragma once

#include "kernels/integrators/step_state.hpp"

GRADUS_KERNELS_BEGIN

constexpr double kSafety = 0.9;
constexpr double kSmallestChange = 0.2;  // of the step
constexpr double kLargestChange = 6.0;
constexpr double kSmallestStep = 1e-13;  // relative to the time
// Attempts whose progress is looked at, and how much of the duration each must be on average.
constexpr double kProgressAttempts = 10000.0;
constexpr double kLeastProgress = 1e-8;

// Sum of squares of an error over its scale, for arrays [rows, columns] of which each column is
// measured as a whole (columns > 1) or each entry by itself (columns = 1).
template <class D>
GRADUS_ROUTINE double scaled_error(const D& d, double factor, int weights, int stages, int end,
                                   int before, int after, int rows, int columns) {
  const int size = rows * columns;
  const int count = d.tableau.stages;
  const auto size_at = [&](int at) {
    const double a = absolute(value_of(d.at(before)[at]));
    const double b = absolute(value_of(d.at(after)[at]));
    return a > b ? a : b;
  };
  double sum = 0.0;
  for (int c = 0; c < columns; ++c) {
    double largest = 0.0;
    for (int i = 0; i < rows && columns > 1; ++i) {
      const double at = size_at(i * columns + c);
      largest = at > largest ? at : largest;
    }
    for (int i = 0; i < rows; ++i) {
      const int at = i * columns + c;
      double error = tableau(d, weights, count) * value_of(d.at(end)[at]);
      for (int j = 0; j < count; ++j)
        error += tableau(d, weights, j) * value_of(d.at(stages + j * size)[at]);
      const double size_of = columns > 1 ? largest : size_at(at);
      const double ratio = factor * error / (d.settings.atol + d.settings.rtol * size_of);
      sum += ratio * ratio;
    }
  }
  return sum / (columns > 0 ? columns : 1);
}

// Mean square of one error estimate over the state, and the columns if they count.
template <class D>
GRADUS_ROUTINE double mean_square_error(const D& d, double h, int plain, int bar) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int n = d.plan.coordinate_count;
  const double state =
      scaled_error(d, h * h, bar, s.stages, l.acceleration, s.position, l.position, n, 1) +
      scaled_error(d, h, plain, s.stages, l.acceleration, s.velocity, l.velocity, n, 1);
  const int numbers = n > 0 ? 2 * n : 1;
  double mean = state / numbers;
  const int width = d.plan.column_count;
  if (d.settings.columns_in_error == 0 || column_size(d) == 0) return mean;
  const double columns = scaled_error(d, h * h, bar, s.stage_columns, l.columns[kAcceleration],
                                      s.position_columns, l.columns[kPosition], n, width) +
                         scaled_error(d, h, plain, s.stage_columns, l.columns[kAcceleration],
                                      s.velocity_columns, l.columns[kVelocity], n, width);
  const double other = columns / numbers;
  return other > mean ? other : mean;
}

// Error of the step relative to what is allowed.
template <class D>
GRADUS_FUNCTION double step_error(const D& d, double h) {
  const TableauView& t = d.tableau;
  const double first = mean_square_error(d, h, t.error(), t.error_bar());
  const double second = mean_square_error(d, h, t.second_error(), t.second_error_bar());
  if (second == 0.0) return sqrt(first);
  return first == 0.0 ? 0.0 : first / sqrt(first + 0.01 * second);
}

// Factor of the next step after an error, `last` the error of the step before.
template <class D>
GRADUS_FUNCTION double step_change(const D& d, double error, double last, bool accepted) {
  const double order = d.tableau.error_order + 1;
  if (!is_finite(error)) return kSmallestChange;
  if (error == 0.0) return kLargestChange;
  double change = kSafety * pow(error, accepted ? -0.7 / order : -1.0 / order);
  if (accepted && last > 0.0) change *= pow(last, 0.4 / order);
  change = change < kSmallestChange ? kSmallestChange : change;
  return change > kLargestChange ? kLargestChange : change;
}

// Fails with the length of the step at hand, which stands in the place of what is to blame.
template <class D>
GRADUS_FUNCTION void fail_at_step(const D& d, Status reason, double h, double time) {
  if (d.failed()) return;
  d.at(d.layout.blamed)[0] = RealOf<D>(h);
  d.fail(true, reason, time);
}

// A motion that would take a hundred million steps at the rate of the last ten thousand attempts
// does not come to its end.
template <class D>
GRADUS_FUNCTION void watch_progress(const D& d) {
  const Layout& l = d.layout;
  const double attempts = value_of(d.at(l.steps)[0]) + value_of(d.at(l.rejected_steps)[0]);
  if (attempts - kProgressAttempts * ::floor(attempts / kProgressAttempts) > 0.0) return;
  const double time = value_of(d.at(l.integrator.time)[0]);
  const double way = time - value_of(d.at(l.integrator.mark)[0]);
  d.at(l.integrator.mark)[0] = RealOf<D>(time);
  if (time < d.settings.duration && way < kProgressAttempts * kLeastProgress * d.settings.duration)
    fail_at_step(d, Status::progress_too_slow, value_of(d.at(l.integrator.step)[0]), time);
}

GRADUS_KERNELS_END
