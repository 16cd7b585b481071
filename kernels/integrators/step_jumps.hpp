// Whether accelerations jump within a step: then those of its stages are such as at its start or
// such as at its end, and nothing is between them.
#pragma once

#include "kernels/integrators/step_state.hpp"

GRADUS_KERNELS_BEGIN

// Of a jump: its least size relative to accelerations, and as a velocity over the motion (m/s); and
// how near stages are to one of its sides, relative to it.
constexpr double kLeastJump = 1e-3;
constexpr double kNearby = 0.05;
// What the Jacobian leaves open is at least this much of how accelerations change in a stiff step.
constexpr double kOpenShare = 0.5;

// What the Jacobian at the start of a step says of how far acceleration i has moved when the state
// has by moved(coordinate, of_velocity).
template <class D, class Moved>
GRADUS_FUNCTION double foreseen_change(const D& d, int i, const Moved& moved) {
  const int n = d.plan.coordinate_count;
  const auto row = d.at(d.layout.integrator.base_jacobian + i * 2 * n);
  double sum = 0.0;
  for (int k = 0; k < n; ++k)
    sum += value_of(row[k]) * moved(k, false) + value_of(row[n + k]) * moved(k, true);
  return sum;
}

// The same for stage j.
template <class D>
GRADUS_ROUTINE double foreseen_at_stage(const D& d, int i, int j) {
  const IntegratorLayout& s = d.layout.integrator;
  const TableauView& t = d.tableau;
  const int n = d.plan.coordinate_count;
  const double h = value_of(d.at(d.layout.time)[0]) - value_of(d.at(s.time)[0]);
  return foreseen_change(d, i, [&](int k, bool of_velocity) {
    double sum = of_velocity ? 0.0 : h * tableau(d, t.c(), j) * value_of(d.at(s.velocity)[k]);
    const double factor = of_velocity ? h : h * h;
    const int weights = (of_velocity ? t.a() : t.abar()) + j * t.stages;
    for (int m = 0; m < t.stages; ++m)
      sum += factor * tableau(d, weights, m) * value_of(d.at(s.stages)[m * n + k]);
    return sum;
  });
}

// And for its end.
template <class D>
GRADUS_ROUTINE double foreseen_at_end(const D& d, int i) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  return foreseen_change(d, i, [&](int k, bool of_velocity) {
    const double before = value_of(d.at(of_velocity ? s.velocity : s.position)[k]);
    return value_of(d.at(of_velocity ? l.velocity : l.position)[k]) - before;
  });
}

// A stiff transient moves accelerations as a jump does, far within a step; but as the Jacobian
// foresees. So implicit methods look at what it leaves open.
template <class D>
GRADUS_FUNCTION bool jumps(const D& d) {
  const Layout& l = d.layout;
  const TableauView& t = d.tableau;
  const int n = d.plan.coordinate_count;
  const bool foresees = t.controls_implicit();
  const auto stages = d.at(t.linear != 0 ? l.integrator.evaluations : l.integrator.stages);
  for (int i = 0; i < n; ++i) {
    const double before = value_of(d.at(l.integrator.acceleration)[i]);
    double after = value_of(d.at(l.acceleration)[i]);
    const double size = absolute(before) + absolute(after);
    const auto is_small = [&](double change) {
      return !(change > kLeastJump * size) || change * d.settings.duration < kLeastJump;
    };
    const double whole = absolute(after - before);
    if (is_small(whole)) continue;
    if (foresees) after -= foreseen_at_end(d, i);
    const double change = absolute(after - before);
    if (foresees && (is_small(change) || change < kOpenShare * whole)) continue;
    bool between = false;
    for (int j = t.known; j < t.stages && !between; ++j) {
      const double at = value_of(stages[j * n + i]) - (foresees ? foreseen_at_stage(d, i, j) : 0.0);
      between = absolute(at - before) > kNearby * change && absolute(at - after) > kNearby * change;
    }
    if (!between) return true;
  }
  return false;
}

GRADUS_KERNELS_END
