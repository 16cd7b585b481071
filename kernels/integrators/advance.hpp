// The time loop of one design with its own clock: steps until a time is reached. docs/theory.md,
// section 13.
#pragma once

#include "kernels/integrators/adaptive_pack.hpp"

GRADUS_KERNELS_BEGIN

// Whether errors decide the lengths of steps.
template <class D>
GRADUS_FUNCTION bool chooses_steps(const D& d) {
  return d.tableau.error_order > 0;
}

// Steps until time `arguments.time`, or beyond, but not beyond the end of the motion, or until
// there is no room to keep another.
template <class D>
GRADUS_FUNCTION void advance(const D& d, const LaunchArguments& arguments) {
  const double goal = arguments.time;
  const double near_goal = goal - 1e-9 * d.settings.step;
  // The last of them ends with the motion to the last bit, even if a kink of time lies just before:
  // what objectives look for is looked for until then.
  const double duration = d.settings.duration;
  const bool to_end = chooses_steps(d) && goal > duration - 1e-9 * d.settings.step;
  const double end = to_end ? duration : near_goal;
  if constexpr (ScalarTraits<RealOf<D>>::kLanes > 1)
    if (chooses_steps(d)) return advance_lanes(d, *arguments.evaluation, end);
  while (!d.failed() && !record_is_full(d) && common(d.at(d.layout.integrator.time)[0]) < end) {
    if (!change_if_due(d, *arguments.evaluation) || d.failed()) return;
    if (record_is_full(d)) continue;
    if constexpr (ScalarTraits<RealOf<D>>::kLanes == 1) {
      if (d.given_steps != nullptr) {
        given_step(d, *arguments.evaluation);
        continue;
      }
      if (d.tableau.error_order > 0) {
        adaptive_step(d, *arguments.evaluation, [&](double h, double step_end) {
          attempt_step(d, *arguments.evaluation, h, step_end);
        });
        continue;
      }
      if (d.settings.halves_steps != 0) {
        divided_step(d, *arguments.evaluation);
        continue;
      }
    }
    fixed_step(d, *arguments.evaluation);
  }
  // What lies between the ends of the last step is that before a sample or an event; what is shown
  // at its instant is that behind it.
  const double time = common(d.at(d.layout.integrator.time)[0]);
  if (!d.failed() && time >= near_goal && time <= goal + (goal - near_goal))
    change_if_due(d, *arguments.evaluation);
}

// The start becomes the base of the first step, evaluated as the formulation does.
template <class D>
GRADUS_FUNCTION void begin_integration(const D& d, const LaunchArguments& arguments) {
  const IntegratorLayout& s = d.layout.integrator;
  silence_impulses(d, d.layout.velocity, 1);
  silence_impulses(d, d.layout.columns[kVelocity], columns_carried(d));
  if (renews_independents(*arguments.evaluation)) begin_independents(d);
  evaluate_accelerations(d, *arguments.evaluation, 0.0, true);
  watch_first_ties(d);
  evaluate_columns(d, *arguments.evaluation, true);
  d.at(s.step)[0] = RealOf<D>(d.settings.step);
  d.at(s.mark)[0] = RealOf<D>(0);
  d.at(s.whole)[0] = RealOf<D>(0);
  d.at(s.part)[0] = RealOf<D>(kMostParts);
  d.at(s.parts_done)[0] = RealOf<D>(0);
  if (d.tableau.controls_implicit()) {
    d.at(s.last_length)[0] = d.at(s.learned_length)[0] = RealOf<D>(0);
    d.at(s.has_base_jacobian)[0] = RealOf<D>(0);
  }
  if (watches_stiffness(d)) keep_stretch_state(d, 0, 0.0);
  begin_rates(d);
  accept_state(d, 0.0);
  copy_array(d, s.position, s.last_position, d.plan.coordinate_count);
  copy_array(d, s.velocity, s.last_velocity, d.plan.coordinate_count);
  if (d.tableau.known > 1) keep_stage(d, 0);
  if (samples_at(d, 0.0)) {
    sample_if_due(d, *arguments.evaluation);
    return begin_events(d);
  }
  add_values(d, 0.0);
  if (d.tableau.known > 0 || follows_courses(d))
    set_integrands(d, 0.0, s.integrand, s.integrand_gradient);
  keep_courses(d);
  check_objectives(d, 0.0);
  begin_events(d);
}

// A driven mechanism at time `arguments.time`, one step after the last: what the constraints
// determine, from where they were heading.
template <class D>
GRADUS_FUNCTION void kinematic_step(const D& d, const LaunchArguments& arguments) {
  const Layout& l = d.layout;
  const RealOf<D> h(d.settings.step);
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(l.position)[c] += h * (d.at(l.velocity)[c] + RealOf<D>(0.5) * h * d.at(l.acceleration)[c]);
  evaluate_accelerations(d, *arguments.evaluation, time_of(arguments), false);
  evaluate_columns(d, *arguments.evaluation, false);
  if (d.failed()) return;
  record_violations(d, time_of(arguments));
}

GRADUS_KERNELS_END
