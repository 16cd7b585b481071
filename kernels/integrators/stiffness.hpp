// Whether it is stiffness that keeps the steps of an explicit method short: whether the motion is
// smooth over many steps of which its error allows no longer ones. docs/theory.md, section 13.
#pragma once

#include "kernels/integrators/step_control.hpp"

GRADUS_KERNELS_BEGIN

constexpr int kStretchSteps = 16;
constexpr int kStretchQuarter = kStretchSteps / 4;
// The error of the state alone must not let steps grow to this part of a smooth stretch: it may be
// columns, objectives or instants that keep them short.
constexpr double kLeastGain = 4.0;
constexpr double kStiffStretches = 4.0;  // more than those that are not
// As many steps as have been taken, and so many, must be left, if it is to be worth a new start.
constexpr double kStepsLeft = 500.0;
constexpr double kLastPlaces = 7e-15;  // of positions: what rates by their differences are wrong by

template <class D>
GRADUS_INLINE bool watches_stiffness(const D& d) {
  return d.tableau.error_order > 0 && d.tableau.implicit == 0;
}

// Entry `part` of the stretch at hand: the state at the beginning, then after each quarter.
template <class D>
GRADUS_INLINE int stretch_state(const D& d, int part) {
  return d.layout.integrator.stretch_state + 2 * part * d.plan.coordinate_count;
}
template <class D>
GRADUS_FUNCTION void keep_stretch_state(const D& d, int part, double time) {
  const int n = d.plan.coordinate_count;
  copy_array(d, d.layout.position, stretch_state(d, part), n);
  copy_array(d, d.layout.velocity, stretch_state(d, part) + n, n);
  d.at(d.layout.integrator.stretch_time)[part] = RealOf<D>(time);
}

// Hermite's polynomial through values and rates at three nodes, at another place: what they count
// for in its value and in its rate.
struct StretchWeights {
  double value[3], rate[3], value_in_rate[3], rate_in_rate[3];
};
GRADUS_FUNCTION StretchWeights stretch_weights(const double* nodes, double x) {
  StretchWeights w{};
  for (int i = 0; i < 3; ++i) {
    double share = 1.0, slope = 0.0, own_slope = 0.0;  // of Lagrange's polynomial of the node
    for (int j = 0; j < 3; ++j) {
      if (j == i) continue;
      share *= (x - nodes[j]) / (nodes[i] - nodes[j]);
      slope += 1.0 / (x - nodes[j]);
      own_slope += 1.0 / (nodes[i] - nodes[j]);
    }
    slope *= share;
    const double way = x - nodes[i];
    const double tilt = 1.0 - 2.0 * way * own_slope;
    w.value[i] = tilt * share * share;
    w.rate[i] = way * share * share;
    w.value_in_rate[i] = 2.0 * share * (tilt * slope - own_slope * share);
    w.rate_in_rate[i] = share * (share + 2.0 * way * slope);
  }
  return w;
}

// Mean square of how far the motion lies, a quarter and three quarters of the stretch from its
// beginning, from the polynomial through its beginning, middle and end, over the error that a step
// may have.
template <class D>
GRADUS_ROUTINE double stretch_deviation_square(const D& d) {
  const int n = d.plan.coordinate_count;
  const auto time = [&](int part) {
    return value_of(d.at(d.layout.integrator.stretch_time)[part]);
  };
  const double length = time(4) - time(0);
  const auto place = [&](int part) { return (time(part) - time(0)) / length; };
  const double nodes[3] = {0.0, place(2), 1.0};
  const auto position = [&](int part, int c) { return value_of(d.at(stretch_state(d, part))[c]); };
  const auto velocity = [&](int part, int c) {
    return value_of(d.at(stretch_state(d, part))[n + c]);
  };
  double sum = 0.0;
  for (int part = 1; part < 4; part += 2) {
    const StretchWeights w = stretch_weights(nodes, place(part));
    for (int c = 0; c < n; ++c) {
      const double start = position(0, c);  // whose digits say nothing
      double value = start - position(part, c), rate = -velocity(part, c);
      double largest = 0.0, fastest = 0.0;
      for (int i = 0; i < 3; ++i) {
        const double z = position(2 * i, c), v = velocity(2 * i, c);
        value += w.value[i] * (z - start) + length * w.rate[i] * v;
        rate += w.value_in_rate[i] * (z - start) / length + w.rate_in_rate[i] * v;
        largest = absolute(z) > largest ? absolute(z) : largest;
        fastest = absolute(v) > fastest ? absolute(v) : fastest;
      }
      value /= d.settings.atol + d.settings.rtol * largest;
      rate /= d.settings.atol + d.settings.rtol * fastest + kLastPlaces * largest / length;
      sum += value * value + rate * rate;
    }
  }
  return n > 0 ? sum / (4 * n) : HUGE_VAL;
}

// Whether the stretch that ends here is smooth, although the error of the state in its last step
// would not let steps be much longer.
template <class D>
GRADUS_ROUTINE bool is_stiff_stretch(const D& d, double h) {
  if (!(stretch_deviation_square(d) <= 1.0)) return false;
  const auto time = d.at(d.layout.integrator.stretch_time);
  const double length = value_of(time[4]) - value_of(time[0]);
  const double allowed = h * pow(state_error(d, h), -1.0 / (d.tableau.error_order + 1.0));
  return length >= kLeastGain * allowed;
}

// Looks at the step that is about to be accepted. Where `leaves_stiff` asks for it, a design that
// is found stiff fails.
template <class D>
GRADUS_FUNCTION void watch_stiffness(const D& d, double h, double end) {
  const IntegratorLayout& s = d.layout.integrator;
  RealOf<D>& found = d.at(d.layout.stiff_since)[0];
  if (!watches_stiffness(d) || !is_zero(value_of(found))) return;
  const int steps = static_cast<int>(value_of(d.at(s.stretch_steps)[0])) + 1;
  d.at(s.stretch_steps)[0] = RealOf<D>(static_cast<double>(steps % kStretchSteps));
  if (steps % kStretchQuarter == 0) keep_stretch_state(d, steps / kStretchQuarter, end);
  if (steps < kStretchSteps) return;
  const double length = end - value_of(d.at(s.stretch_time)[0]);
  const double before = value_of(d.at(s.stiff_stretches)[0]);
  const double stretches = is_stiff_stretch(d, h) ? before + 1.0
                           : before > 0.0         ? before - 1.0
                                                  : 0.0;
  d.at(s.stiff_stretches)[0] = RealOf<D>(stretches);
  keep_stretch_state(d, 0, end);
  const double taken = value_of(d.at(d.layout.steps)[0]);
  const double left = (d.settings.duration - end) * (kStretchSteps / length);
  if (stretches < kStiffStretches || left < (taken > kStepsLeft ? taken : kStepsLeft)) return;
  found = RealOf<D>(end);
  if (d.settings.leaves_stiff != 0) d.fail(true, Status::stiff, end);
}

GRADUS_KERNELS_END
