// States that are sampled between two steps of a one-step method, which begins again there: the
// base of the next step is the motion behind the sample. And the same backwards. docs/theory.md,
// section 18.
#pragma once

#include "kernels/integrators/course_error.hpp"
#include "kernels/integrators/step_state.hpp"

GRADUS_KERNELS_BEGIN

// Puts the design where the next step begins, and evaluates it.
template <class D>
GRADUS_FUNCTION void evaluate_base(const D& d, const Evaluation& evaluation, double time) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int n = d.plan.coordinate_count;
  copy_array(d, s.position, l.position, n);
  copy_array(d, s.velocity, l.velocity, n);
  copy_array(d, s.position_columns, l.columns[kPosition], column_size(d));
  copy_array(d, s.velocity_columns, l.columns[kVelocity], column_size(d));
  evaluate_accelerations(d, evaluation, time, false);
}

// The current state becomes the base in the place of that before the sample.
template <class D>
GRADUS_FUNCTION void replace_base(const D& d) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int n = d.plan.coordinate_count;
  copy_array(d, l.position, s.position, n);
  copy_array(d, l.velocity, s.velocity, n);
  copy_array(d, l.acceleration, s.acceleration, n);
  copy_array(d, l.columns[kPosition], s.position_columns, column_size(d));
  copy_array(d, l.columns[kVelocity], s.velocity_columns, column_size(d));
  if (records_columns(d))
    copy_array(d, l.columns[kAcceleration], s.acceleration_columns, column_size(d));
  if (d.tableau.known > 0) keep_stage(d, d.tableau.known - 1);
  if (d.tableau.known > 1) keep_stage(d, 0);  // the algorithmic acceleration begins as the true one
}

// The motion goes on from the current state, which has been evaluated, as from a start. Values are
// added where nothing more changes at this instant.
template <class D>
GRADUS_FUNCTION void begin_again(const D& d, double time, bool adds_values) {
  const IntegratorLayout& s = d.layout.integrator;
  replace_base(d);
  if (adds_values) add_values(d, time);
  if (d.tableau.known > 0 || follows_courses(d))
    set_integrands(d, time, s.integrand, s.integrand_gradient);
  keep_courses(d);
  check_objectives(d, time);
}

template <class D>
GRADUS_CALL void sample_base(const D& d, const Evaluation& evaluation, double time) {
  evaluate_base(d, evaluation, time);
  if (d.failed()) return;
  if (d.settings.with_columns != 0) sample_state_columns(d, time);
  sample_states(d, time);
  evaluate_accelerations(d, evaluation, time, false);
  evaluate_columns(d, evaluation, false);
  if (d.failed()) return;
  d.at(d.layout.integrator.sampled)[0] = RealOf<D>(1);
  begin_again(d, time, true);
}

// Samples where the design is, if that is due and has not been done; returns whether it was.
template <class D>
GRADUS_FUNCTION bool sample_if_due(const D& d, const Evaluation& evaluation) {
  const IntegratorLayout& s = d.layout.integrator;
  const double time = common(d.at(s.time)[0]);
  if (!samples_at(d, time) || common(d.at(s.sampled)[0]) != 0.0) return false;
  sample_base(d, evaluation, time);
  return true;
}

GRADUS_KERNELS_END
