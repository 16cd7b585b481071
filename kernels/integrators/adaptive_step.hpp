// A step of a length that its error decides. docs/theory.md, section 13.
#pragma once

#include "kernels/integrators/event_step.hpp"
#include "kernels/integrators/fine_steps.hpp"
#include "kernels/integrators/step_limits.hpp"

GRADUS_KERNELS_BEGIN

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

// An attempt at a step.
struct Attempt {
  double time, h, end;
};

template <class D>
GRADUS_FUNCTION Attempt next_attempt(const D& d) {
  const double time = value_of(d.at(d.layout.integrator.time)[0]);
  const double limit = step_limit(d, time);
  const double h = next_step(d, time, limit);
  // To the last bit, whatever the sum is rounded to.
  return {time, h, h == limit - time ? limit : time + h};
}

// What becomes of an attempt.
enum class Verdict {
  accepted,
  tolerated,  // whatever its error, of which nothing is learnt
  rejected,   // another one is to be tried
  divided,    // in parts
  failed,
};
GRADUS_FUNCTION bool is_taken(Verdict verdict) {
  return verdict == Verdict::accepted || verdict == Verdict::tolerated;
}

// By the status and the error that it has ended with.
template <class D>
GRADUS_CALL Verdict judge_attempt(const D& d, const Attempt& attempt, Status outcome,
                                  double error) {
  const IntegratorLayout& s = d.layout.integrator;
  const double time = attempt.time, h = attempt.h, end = attempt.end;
  const bool is_short = step_change(d, error, 0.0, true) == kLargestChange;
  if (error <= 1.0 && begins_fine_steps(d, time, end, is_short, ends_before_kink(d, end)))
    return Verdict::divided;
  if (error <= 1.0 && may_jump(d, h)) {
    d.at(d.layout.rejected_steps)[0] += RealOf<D>(1);
    d.at(s.step)[0] = RealOf<D>(kSmallestChange * h);
    return Verdict::rejected;
  }
  if (error <= 1.0) {
    note_jump(d, end);
    watch_stiffness(d, h, end);
    return d.failed() ? Verdict::failed : Verdict::accepted;
  }
  if (outcome == Status::ok && h <= d.settings.step &&
      error * d.settings.rtol < kLargestErrorAcross && leads_across(d))
    return Verdict::tolerated;
  const bool diverged = d.tableau.implicit != 0 && asks_for_half(outcome);
  const double change = diverged ? 0.5 : step_change(d, error, 0.0, false);
  d.at(d.layout.rejected_steps)[0] += RealOf<D>(1);
  d.at(s.step)[0] = RealOf<D>(h * change);
  if (h * change > kSmallestStep * (1.0 + time)) return Verdict::rejected;
  // Across a kink of the forces, or a jump, the rates of the sensitivities jump. What a step as
  // short as this makes of that is the step times the jump.
  if (outcome == Status::ok && columns_decide(d) && step_error(d, h, false) <= 1.0) {
    d.at(s.step)[0] = RealOf<D>(kSmallestStep * (1.0 + time));
    note_jump(d, end);
    note_jump_of_columns(d, h, end);
    return Verdict::tolerated;
  }
  if (is_near_singular(d))
    fail_near_singular(d, time);
  else if (outcome == Status::ok && closes_steps(d) && any(velocities_jump(d, h)))
    fail_at_jump(d, d.alive(), h, time);
  else if (outcome == Status::ok && !blame_rate(d, time) &&
           !blame_objective(d, h, columns_decide(d), time))
    fail_at_step(d, Status::step_too_small, h * change, time);
  else if (outcome != Status::ok)
    d.fail(true, outcome, time);
  return Verdict::failed;
}

template <class D>
GRADUS_FUNCTION void take_attempt(const D& d, const Evaluation& evaluation, const ClockOf<D>& h,
                                  const ClockOf<D>& end) {
  watch_jumps(d, h, end);
  accept_step(d, evaluation, h, end);
}

template <class D>
GRADUS_FUNCTION void close_attempt(const D& d, double h, double error, Verdict verdict) {
  if (verdict == Verdict::accepted) learn_from_step(d, h, error);
  if (is_taken(verdict) || verdict == Verdict::rejected) watch_progress(d);
}

template <class D, class Step>
GRADUS_FUNCTION void meet_event(const D& d, const Evaluation& evaluation, Attempt& attempt,
                                const Step& step) {
  if (has_events(d)) meet_event(d, evaluation, attempt.time, attempt.h, attempt.end, step);
}

// One attempt of a design alone, by step(length, end). If it fails on the way, it tries a shorter
// step.
template <class D, class Step>
GRADUS_FUNCTION void adaptive_step(const D& d, const Evaluation& evaluation, const Step& step) {
  Attempt attempt = next_attempt(d);
  const double tried = attempt.h;
  begin_integrals(d);
  step(attempt.h, attempt.end);
  const Status outcome = d.status[0];
  const double error =
      outcome == Status::ok ? step_error(d, attempt.h, columns_decide(d)) : HUGE_VAL;
  d.forgive(true);
  if (error <= 1.0) meet_event(d, evaluation, attempt, step);
  if (d.failed()) return;
  const Verdict verdict = judge_attempt(d, attempt, outcome, error);
  if (verdict == Verdict::tolerated) meet_event(d, evaluation, attempt, step);
  if (d.failed()) return;
  if (is_taken(verdict)) {
    take_attempt(d, evaluation, attempt.h, attempt.end);
    leave_events(d, attempt.end);
  } else {
    forget_event(d);
  }
  close_attempt(d, tried, error, verdict);
}

GRADUS_KERNELS_END
