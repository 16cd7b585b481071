// One step: of fixed length, in parts, or as given; adaptive_step.hpp has those whose length the
// error decides. docs/theory.md, section 13.
#pragma once

#include "kernels/integrators/explicit_step.hpp"
#include "kernels/integrators/implicit_step.hpp"
#include "kernels/integrators/interpolate.hpp"
#include "kernels/integrators/rosenbrock_step.hpp"
#include "kernels/integrators/step_control.hpp"

GRADUS_KERNELS_BEGIN

// Adds `share` times integrands and their gradients to the objectives.
template <class D>
GRADUS_FUNCTION void add_to_objectives(const D& d, const ClockOf<D>& share, int values,
                                       int gradients) {
  const Layout& l = d.layout;
  if (is_nothing(share)) return;
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
  if (d.tableau.linear == 0)
    copy_array(d, s.stages, s.last_stages, d.tableau.stages * d.plan.coordinate_count);
  d.at(s.last_length)[0] = RealOf<D>(h);
  d.at(s.has_base_jacobian)[0] = RealOf<D>(0);
}

// Closes the books of an accepted step.
template <class D>
GRADUS_CALL void accept_step(const D& d, const Evaluation& evaluation, const ClockOf<D>& h,
                             const ClockOf<D>& end) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const TableauView& t = d.tableau;
  const int known = t.known;
  keep_base(d, h, end);
  if (t.controls_implicit()) keep_stages(d, common(h));
  add_to_objectives(d, 1.0, s.integral, s.integral_gradient);
  if (known > 0)
    add_to_objectives(d, h * tableau(d, t.quadrature(), known - 1), s.integrand,
                      s.integrand_gradient);
  if (known > 1) {
    update_algorithmic(d, s.stages, d.plan.coordinate_count);
    update_algorithmic(d, s.stage_columns, column_size(d));
  }
  accept_state(d, end);
  if (!samples_at(d, common(end)) && !ends_with_event(d)) add_values(d, end);
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
  if (renews_independents(evaluation)) renew_choice(d, common(end));
  RealOf<D>& steps = d.at(l.steps)[0];  // which count until a design fails
  steps = select(d.alive(), steps + RealOf<D>(1), steps);
  check_objectives(d, end);
}

template <class D>
GRADUS_CALL void attempt_step(const D& d, const Evaluation& evaluation, const ClockOf<D>& h,
                              const ClockOf<D>& end) {
  if (d.tableau.linear != 0)
    rosenbrock_step(d, evaluation, common(h), common(end));
  else if (d.tableau.implicit != 0)
    implicit_step(d, evaluation, common(h), common(end));
  else
    explicit_step(d, evaluation, h, end);
}

template <class D>
GRADUS_CALL void one_step(const D& d, const Evaluation& evaluation, double h, double end) {
  begin_integrals(d);
  if (d.settings.renews_jacobian != 0) d.at(d.layout.integrator.has_jacobian)[0] = RealOf<D>(0);
  attempt_step(d, evaluation, h, end);
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

// The step that is given next, with what it begins with.
template <class D>
GRADUS_FUNCTION const double* next_given_step(const D& d) {
  return d.given_steps +
         kGivenStepNumbers * static_cast<std::ptrdiff_t>(largest_lane(d, d.layout.steps));
}

// The step that the motion whose steps are given has taken at this place, whatever its error.
template <class D>
GRADUS_CALL void given_step(const D& d, const Evaluation& evaluation) {
  const double* const step = next_given_step(d);
  if (has_events(d)) {
    d.at(d.layout.event.pending)[0] = RealOf<D>(step[2]);
    d.at(d.layout.event.passed)[0] = RealOf<D>(0);
  }
  one_step(d, evaluation, step[0], step[1]);
  if (!d.failed()) accept_step(d, evaluation, step[0], step[1]);
}

GRADUS_KERNELS_END
