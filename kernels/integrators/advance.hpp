// The time loop of one design with its own clock: steps until a time is reached, their lengths from
// the error of the last. docs/theory.md, section 13.
#pragma once

#include "kernels/integrators/fine_steps.hpp"
#include "kernels/integrators/implicit_step.hpp"
#include "kernels/integrators/sample_step.hpp"
#include "kernels/integrators/step_control.hpp"
#include "kernels/integrators/step_state.hpp"

GRADUS_KERNELS_BEGIN

// The motion between two steps is the polynomial of degree five that has positions, velocities and
// accelerations of both ends.

// Where both ends of the last step lie, and what is between them: of the motion or of its columns.
struct StepEnds {
  int position, velocity, acceleration;
  int last_position, last_velocity, last_acceleration;
  int position_between, velocity_between;
};

// Entry i at the fraction x of the last step, which is h long.
template <class D>
GRADUS_ROUTINE void interpolate_entry(const D& d, const StepEnds& s, int i, double x, double h) {
  using Real = typename D::Real;
  const Real z0 = d.at(s.last_position)[i];
  const Real v0 = Real(h) * d.at(s.last_velocity)[i];
  const Real a0 = Real(h * h) * d.at(s.last_acceleration)[i];
  const Real v1 = Real(h) * d.at(s.velocity)[i];
  const Real a1 = Real(h * h) * d.at(s.acceleration)[i];
  // z0 + v0 x + a0 x^2/2 + x^3 (p + q x + r x^2)
  const Real dz = d.at(s.position)[i] - z0 - v0 - Real(0.5) * a0;
  const Real dv = v1 - v0 - a0;
  const Real da = a1 - a0;
  const Real p = Real(10) * dz - Real(4) * dv + Real(0.5) * da;
  const Real q = Real(-15) * dz + Real(7) * dv - da;
  const Real r = Real(6) * dz - Real(3) * dv + Real(0.5) * da;
  const Real y(x);
  d.at(s.position_between)[i] = z0 + y * (v0 + y * (Real(0.5) * a0 + y * (p + y * (q + y * r))));
  d.at(s.velocity_between)[i] =
      Real(1.0 / h) * (v0 + y * (a0 + y * (Real(3) * p + y * (Real(4) * q + y * (Real(5) * r)))));
}

// All entries, `size` of them. At the end of the step they are what they are there.
template <class D>
GRADUS_FUNCTION void interpolate_entries(const D& d, const StepEnds& s, int size, double time) {
  const double start = common(d.at(d.layout.integrator.last_time)[0]);
  const double h = common(d.at(d.layout.integrator.time)[0]) - start;
  const bool at_end = !(h > 0.0) || (time - start) / h > 1.0 - 1e-12;
  if (at_end) {
    copy_array(d, s.position, s.position_between, size);
    copy_array(d, s.velocity, s.velocity_between, size);
    return;
  }
  for (int i = 0; i < size; ++i) interpolate_entry(d, s, i, (time - start) / h, h);
}

// Position and velocity at a time within the last step, and their columns where they are recorded.
template <class D>
GRADUS_ROUTINE void interpolate_state(const D& d, double time) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  interpolate_entries(d,
                      {s.position, s.velocity, s.acceleration, s.last_position, s.last_velocity,
                       s.last_acceleration, l.position, l.velocity},
                      d.plan.coordinate_count, time);
  if (!records_columns(d)) return;
  interpolate_entries(d,
                      {s.position_columns, s.velocity_columns, s.acceleration_columns,
                       s.last_position_columns, s.last_velocity_columns,
                       s.last_acceleration_columns, l.columns[kPosition], l.columns[kVelocity]},
                      column_size(d), time);
}

// One attempt of an explicit step: stages after the first, which is the base of the step; then the
// end of the step. Integrals of the step are gathered on the way.
template <class D>
GRADUS_ROUTINE void explicit_step(const D& d, const Evaluation& evaluation, double h, double end) {
  const IntegratorLayout& s = d.layout.integrator;
  const TableauView& t = d.tableau;
  const double start = common(d.at(s.time)[0]);
  begin_course_error(d);
  const bool watches = watches_stages(d, h);
  d.at(d.layout.watch.reversed)[0] = RealOf<D>(0);
  for (int i = 1; i < t.stages && !d.failed(); ++i) {
    const StageSum sum = sum_at_stage(d, i, i);
    const double time = start + sum.c * h;
    combine_stages(d, h, sum);
    evaluate_accelerations(d, evaluation, time, false);
    if (watches) watch_stage(d);
    evaluate_columns(d, evaluation, false);
    keep_stage(d, i);
    add_stage_integrands(d, i, time, h * tableau(d, t.quadrature(), i));
  }
  if (d.failed()) return;
  evaluate_end(d, evaluation, h, end);
  evaluate_columns(d, evaluation, true);
  end_course_error(d, end);
}

// Adds `share` times integrands and their gradients to the objectives.
template <class D>
GRADUS_FUNCTION void add_to_objectives(const D& d, double share, int values, int gradients) {
  const Layout& l = d.layout;
  if (share == 0.0) return;
  for (int o = 0; o < d.plan.objective_count; ++o)
    d.at(l.objective_value)[o] += RealOf<D>(share) * d.at(values)[o];
  for (int k = 0; k < gradient_size(d); ++k)
    d.at(l.objective_gradient)[k] += RealOf<D>(share) * d.at(gradients)[k];
}

template <class D>
GRADUS_FUNCTION void begin_integrals(const D& d) {
  set_zero(d.at(d.layout.integrator.integral), d.plan.objective_count);
  set_zero(d.at(d.layout.integrator.integral_gradient), gradient_size(d));
}

// What the next step of an implicit method begins with.
template <class D>
GRADUS_FUNCTION void keep_stages(const D& d, double h) {
  const IntegratorLayout& s = d.layout.integrator;
  copy_array(d, s.stages, s.last_stages, d.tableau.stages * d.plan.coordinate_count);
  d.at(s.last_length)[0] = RealOf<D>(h);
  d.at(s.has_base_jacobian)[0] = RealOf<D>(0);
}

// Closes the books of an accepted step.
template <class D>
GRADUS_CALL void accept_step(const D& d, const Evaluation& evaluation, double h, double end) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const TableauView& t = d.tableau;
  const int known = t.known;
  keep_base(d, h, end);
  if (t.controls_implicit()) keep_stages(d, h);
  add_to_objectives(d, 1.0, s.integral, s.integral_gradient);
  if (known > 0)
    add_to_objectives(d, h * tableau(d, t.quadrature(), known - 1), s.integrand,
                      s.integrand_gradient);
  if (known > 1) {
    update_algorithmic(d, s.stages, d.plan.coordinate_count);
    update_algorithmic(d, s.stage_columns, column_size(d));
  }
  accept_state(d, end);
  if (!samples_at(d, end)) add_values(d, end);
  if (known > 0 || follows_courses(d)) set_integrands(d, end, s.integrand, s.integrand_gradient);
  keep_courses(d);
  if (ends_at_stage(d, evaluation)) {
    if (known == 0) {
      begin_integrals(d);
      add_integrands(d, end, h * tableau(d, t.quadrature(), 0), s.integral, s.integral_gradient);
      add_to_objectives(d, 1.0, s.integral, s.integral_gradient);
    } else {
      add_to_objectives(d, h * tableau(d, t.quadrature(), known), s.integrand,
                        s.integrand_gradient);
    }
  }
  if (goes_by_penalty(evaluation) && !is_open_tree(d.plan))
    watch_penalties(d, measure_constraints(d), end);
  record_violations(d, end);
  if (renews_independents(evaluation)) renew_independents(d, end);
  RealOf<D>& steps = d.at(l.steps)[0];  // which count until a design fails
  steps = select(d.alive(), steps + RealOf<D>(1), steps);
  check_objectives(d, end);
}

// The first of the spans of time that ends at a time or later, or behind it. Begins and ends
// ascend.
template <class D>
GRADUS_FUNCTION std::ptrdiff_t first_limit(const D& d, double time, bool is_behind) {
  std::ptrdiff_t low = 0;
  std::ptrdiff_t high = d.limit_count;
  while (low < high) {
    const std::ptrdiff_t middle = (low + high) / 2;
    const double end = d.step_limits[kStepLimitNumbers * middle + 1];
    if (end < time || (is_behind && end == time))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Where a step ends at the latest that would end at `limit`, by what time alone says: laws of it
// are known ahead, and a step that passes over a pulse may not see it.
template <class D>
GRADUS_FUNCTION double law_limit(const D& d, double time, double limit) {
  for (std::ptrdiff_t k = first_limit(d, time, true); k < d.limit_count; ++k) {
    const double* const span = d.step_limits + kStepLimitNumbers * k;
    if (span[0] >= limit) break;
    const double at = span[0] > time + span[2] ? span[0] : time + span[2];
    if (at < limit) limit = at;
  }
  return limit;
}

// Whether a step ends at an instant of a jump that parameters have no part in.
template <class D>
GRADUS_FUNCTION bool ends_at_fixed_instant(const D& d, double end) {
  for (std::ptrdiff_t k = first_limit(d, end, false); k < d.limit_count; ++k) {
    const double* const span = d.step_limits + kStepLimitNumbers * k;
    if (span[0] > end) return false;
    if (span[0] == end && span[2] == kFixedInstant) return true;
  }
  return false;
}

// Where the next step ends at the latest: at the next value, or with the motion.
template <class D>
GRADUS_FUNCTION double step_limit(const D& d, double time) {
  double limit = d.settings.duration;
  for (int o = 0; o < d.plan.objective_count; ++o) {
    const ObjectiveEntry& objective = d.plan.objectives[o];
    const auto end_at = [&](double instant) {
      if (instant > time && instant < limit) limit = instant;
    };
    if (objective.kind == ObjectiveKind::value) end_at(objective.time);
    if (!is_searched(objective.kind)) continue;
    end_at(objective.from);
    end_at(objective.to);
  }
  limit = sample_limit(d, time, limit);
  if (d.plan.search_count > 0) limit = fine_limit(d, time, limit);
  return law_limit(d, time, limit);
}

// Length of the next step, ending at `limit` if that is near.
template <class D>
GRADUS_FUNCTION double next_step(const D& d, double time, double limit) {
  const double h = value_of(d.at(d.layout.integrator.step)[0]);
  return time + 1.01 * h >= limit ? limit - time : h;
}

template <class D>
GRADUS_CALL void one_step(const D& d, const Evaluation& evaluation, double h, double end) {
  begin_integrals(d);
  if (d.settings.renews_jacobian != 0) d.at(d.layout.integrator.has_jacobian)[0] = RealOf<D>(0);
  if (d.tableau.implicit != 0)
    implicit_step(d, evaluation, h, end);
  else
    explicit_step(d, evaluation, h, end);
  watch_jumps(d, h, end);
}

// One step of fixed length.
template <class D>
GRADUS_CALL void fixed_step(const D& d, const Evaluation& evaluation) {
  const double h = d.settings.step;
  RealOf<D>& whole = d.at(d.layout.integrator.whole)[0];
  const double end = h * (common(whole) + 1.0);
  one_step(d, evaluation, h, end);
  if (!d.failed()) accept_step(d, evaluation, h, end);
  whole += RealOf<D>(1);
}

constexpr double kMostParts = 1024.0;  // of a step that is halved again and again

// A step of fixed length, or the next part of one: where the iteration does not converge, or
// closing the loops changes velocities as a jump of theirs would, what is left of the step is taken
// in parts of half the length. The next step is tried as a whole. Parts are powers of two, so that
// whole steps have the lengths and ends that they always have; designs that take them do not travel
// in lanes.
template <class D>
GRADUS_CALL void divided_step(const D& d, const Evaluation& evaluation) {
  const IntegratorLayout& s = d.layout.integrator;
  const double h = d.settings.step;
  const double whole = value_of(d.at(s.whole)[0]);
  const double part = value_of(d.at(s.part)[0]);
  const double done = value_of(d.at(s.parts_done)[0]) + part;
  const double length = h * (part / kMostParts);
  const double end = h * (whole + done / kMostParts);
  const RealOf<D> blamed = d.at(d.layout.blamed)[0];
  one_step(d, evaluation, length, end);
  if (d.failed()) {
    if (!asks_for_half(d.status[0]) || part <= 1.0) return;
    d.forgive(true);
    d.at(d.layout.blamed)[0] = blamed;
    d.at(s.has_jacobian)[0] = RealOf<D>(0);
    d.at(s.part)[0] = RealOf<D>(0.5 * part);
    d.at(d.layout.rejected_steps)[0] += RealOf<D>(1);
    return;
  }
  accept_step(d, evaluation, length, end);
  const bool completes = done == kMostParts;
  d.at(s.whole)[0] = RealOf<D>(completes ? whole + 1.0 : whole);
  d.at(s.parts_done)[0] = RealOf<D>(completes ? 0.0 : done);
  d.at(s.part)[0] = RealOf<D>(completes ? kMostParts : part);
}

// The step that the motion whose steps are given has taken at this place, whatever its error.
template <class D>
GRADUS_CALL void given_step(const D& d, const Evaluation& evaluation) {
  const double* const step =
      d.given_steps + 2 * static_cast<std::ptrdiff_t>(largest_lane(d, d.layout.steps));
  one_step(d, evaluation, step[0], step[1]);
  if (!d.failed()) accept_step(d, evaluation, step[0], step[1]);
}

// Length of the step after an accepted one, which the limit may have cut short: by the error that
// the whole step would have made. Less than half of it says too little about that.
template <class D>
GRADUS_FUNCTION void learn_from_step(const D& d, double h, double error) {
  const IntegratorLayout& s = d.layout.integrator;
  const double whole = value_of(d.at(s.step)[0]);
  if (h < 0.5 * whole) return;
  const double whole_error = error * pow(whole / h, d.tableau.error_order + 1.0);
  const bool implicit = d.tableau.implicit != 0;
  const double change = implicit ? foretold_change(d, whole, whole_error)
                                 : step_change(d, whole_error, value_of(d.at(s.error)[0]), true);
  const double least = implicit ? 1e-2 : 1e-4;
  d.at(s.error)[0] = RealOf<D>(whole_error > least ? whole_error : least);
  d.at(s.step)[0] = RealOf<D>(whole * change);
  if (implicit) d.at(s.learned_length)[0] = RealOf<D>(whole);
}

// Whether a step is to be tried again because accelerations may jump in it: a kink between the last
// stages looks the same. In a step as short as kJumpWidth it does not.
template <class D>
GRADUS_FUNCTION bool may_jump(const D& d, double h) {
  return is_zero(value_of(d.at(d.layout.jump)[0])) && h > kJumpWidth * d.settings.duration &&
         jumps(d);
}

template <class D>
GRADUS_FUNCTION void note_jump(const D& d, double end) {
  RealOf<D>& jump = d.at(d.layout.jump)[0];
  if (is_zero(value_of(jump)) && jumps(d) && !ends_at_fixed_instant(d, end)) jump = RealOf<D>(end);
}

// The same in a step as short as any, where it is the sensitivities of the velocities that jump:
// constraints prescribe accelerations that do, at an instant that parameters move.
template <class D>
GRADUS_FUNCTION void note_jump_of_columns(const D& d, double h, double end) {
  RealOf<D>& jump = d.at(d.layout.jump)[0];
  if (is_zero(value_of(jump)) && closes_steps(d) && closing_column_error_square(d, h) > 1.0 &&
      !ends_at_fixed_instant(d, end))
    jump = RealOf<D>(end);
}

// A step across a singular configuration, where that is allowed, cannot have the error of others:
// its stages, which satisfy the constraints but for some powers of its length, see other motions
// there. It is no longer than the first step, and its error no larger than this, relatively.
constexpr double kLargestErrorAcross = 1e-4;

// One attempt whose length the error decides. A design that fails on the way tries a shorter step.
// Steps of their own keep designs apart: they do not travel in lanes.
template <class D>
GRADUS_CALL void adaptive_step(const D& d, const Evaluation& evaluation) {
  const IntegratorLayout& s = d.layout.integrator;
  const double time = value_of(d.at(s.time)[0]);
  const double limit = step_limit(d, time);
  const double h = next_step(d, time, limit);
  // To the last bit, whatever the sum is rounded to.
  const double end = h == limit - time ? limit : time + h;
  begin_integrals(d);
  if (d.tableau.implicit != 0)
    implicit_step(d, evaluation, h, end);
  else
    explicit_step(d, evaluation, h, end);
  const Status outcome = d.status[0];
  const double error = outcome == Status::ok ? step_error(d, h, columns_decide(d)) : HUGE_VAL;
  d.forgive(true);
  const bool is_short = step_change(d, error, 0.0, true) == kLargestChange;
  const auto accept = [&] {
    watch_jumps(d, h, end);
    accept_step(d, evaluation, h, end);
  };
  if (error <= 1.0 && begins_fine_steps(d, time, end, is_short)) return;
  if (error <= 1.0 && may_jump(d, h)) {
    d.at(d.layout.rejected_steps)[0] += RealOf<D>(1);
    d.at(s.step)[0] = RealOf<D>(kSmallestChange * h);
    return watch_progress(d);
  }
  if (error <= 1.0) {
    note_jump(d, end);
    accept();
    learn_from_step(d, h, error);
    return watch_progress(d);
  }
  if (outcome == Status::ok && h <= d.settings.step &&
      error * d.settings.rtol < kLargestErrorAcross && leads_across(d)) {
    accept();
    return watch_progress(d);
  }
  const bool diverged = d.tableau.implicit != 0 && asks_for_half(outcome);
  const double change = diverged ? 0.5 : step_change(d, error, 0.0, false);
  d.at(d.layout.rejected_steps)[0] += RealOf<D>(1);
  d.at(s.step)[0] = RealOf<D>(h * change);
  if (h * change > kSmallestStep * (1.0 + time)) return watch_progress(d);
  // Across a kink of the forces the rates of the sensitivities jump. What a step as short as this
  // makes of that is the step times the jump.
  if (outcome == Status::ok && columns_decide(d) && step_error(d, h, false) <= 1.0) {
    d.at(s.step)[0] = RealOf<D>(kSmallestStep * (1.0 + time));
    note_jump_of_columns(d, h, end);
    accept();
    return watch_progress(d);
  }
  if (is_near_singular(d))
    fail_near_singular(d, time);
  else if (outcome == Status::ok && closes_steps(d) && any(velocities_jump(d, h)))
    fail_at_jump(d, d.alive(), h, time);
  else if (outcome == Status::ok && !blame_objective(d, h, columns_decide(d), time))
    fail_at_step(d, Status::step_too_small, h * change, time);
  else if (outcome != Status::ok)
    d.fail(true, outcome, time);
}

// Steps until time `arguments.time`, or beyond, but not beyond the end of the motion, or until
// there is no room to keep another.
template <class D>
GRADUS_FUNCTION void advance(const D& d, const LaunchArguments& arguments) {
  const double goal = arguments.time;
  const double near_goal = goal - 1e-9 * d.settings.step;
  while (!d.failed() && !record_is_full(d) &&
         common(d.at(d.layout.integrator.time)[0]) < near_goal) {
    sample_if_due(d, *arguments.evaluation);
    if (d.failed()) return;
    if constexpr (ScalarTraits<RealOf<D>>::kLanes == 1) {
      if (d.given_steps != nullptr) {
        given_step(d, *arguments.evaluation);
        continue;
      }
      if (d.tableau.error_order > 0) {
        adaptive_step(d, *arguments.evaluation);
        continue;
      }
      if (d.settings.halves_steps != 0) {
        divided_step(d, *arguments.evaluation);
        continue;
      }
    }
    fixed_step(d, *arguments.evaluation);
  }
  // What lies between the ends of the last step is that before a sample; what is shown at an
  // instant of sampling is that behind it.
  const double time = common(d.at(d.layout.integrator.time)[0]);
  if (!d.failed() && time >= near_goal && time <= goal + (goal - near_goal))
    sample_if_due(d, *arguments.evaluation);
}

// The state at time `arguments.time` between the last two steps, for recording, with what the
// constraints and the equations of motion make of it.
template <class D>
GRADUS_FUNCTION void interpolate(const D& d, const LaunchArguments& arguments) {
  interpolate_state(d, arguments.time);
  evaluate_accelerations(d, *arguments.evaluation, arguments.time, true);
  if (records_columns(d)) evaluate_columns(d, *arguments.evaluation, true);
}

// The start becomes the base of the first step, evaluated as the formulation does.
template <class D>
GRADUS_FUNCTION void begin_integration(const D& d, const LaunchArguments& arguments) {
  const IntegratorLayout& s = d.layout.integrator;
  if (renews_independents(*arguments.evaluation)) begin_independents(d);
  evaluate_accelerations(d, *arguments.evaluation, 0.0, true);
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
  accept_state(d, 0.0);
  copy_array(d, s.position, s.last_position, d.plan.coordinate_count);
  copy_array(d, s.velocity, s.last_velocity, d.plan.coordinate_count);
  if (d.tableau.known > 1) keep_stage(d, 0);
  if (samples_at(d, 0.0)) return sample_if_due(d, *arguments.evaluation);
  add_values(d, 0.0);
  if (d.tableau.known > 0 || follows_courses(d))
    set_integrands(d, 0.0, s.integrand, s.integrand_gradient);
  keep_courses(d);
  check_objectives(d, 0.0);
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
