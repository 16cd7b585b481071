// Explicit steps, and their stages. docs/theory.md, section 13.
#pragma once

#include "kernels/integrators/course_error.hpp"

GRADUS_KERNELS_BEGIN

// A stage at the current position and velocity, which counts by the weights at hand. `watches`: the
// designs of which it is noted whether it lies behind a singular configuration.
template <class D>
GRADUS_ROUTINE void explicit_stage(const D& d, const Evaluation& evaluation, const ClockOf<D>& time,
                                   const typename D::Mask& watches) {
  evaluate_accelerations(d, evaluation, time, false);
  if (any(watches)) watch_stage(d, watches);
  evaluate_columns(d, evaluation, false);
  add_stage_integrands(d, time);
}

// The same, by a program if there is one. What goes on from here sees no more of the stage than its
// state, accelerations, columns and integrals.
template <class D>
GRADUS_FUNCTION void take_explicit_stage(const D& d, const Evaluation& evaluation,
                                         const ClockOf<D>& time, const typename D::Mask& watches) {
  if (any(watches)) return explicit_stage(d, evaluation, time, watches);
  if (D::kLanes > 1) d.at(d.layout.time)[0] = RealOf<D>(time);
  do_part(d, EvaluationPart::stage, plain_time(time),
          [&](const D& own) { explicit_stage(own, evaluation, time, false); });
}

// One attempt of an explicit step: stages after the first, which is the base of the step; then the
// end of the step. Integrals of the step are gathered on the way.
template <class D>
GRADUS_ROUTINE void explicit_step(const D& d, const Evaluation& evaluation, const ClockOf<D>& h,
                                  const ClockOf<D>& end) {
  const IntegratorLayout& s = d.layout.integrator;
  const TableauView& t = d.tableau;
  const ClockOf<D> start = value_of(d.at(s.time)[0]);
  begin_course_error(d);
  const auto watches = watches_stages(d, h);
  d.at(d.layout.watch.reversed)[0] = RealOf<D>(0);
  for (int i = 1; i < t.stages && !d.failed(); ++i) {
    const StageSum sum = sum_at_stage(d, i, i);
    const ClockOf<D> time = start + sum.c * h;
    combine_stages(d, h, sum);
    weigh_stage(d, i, h * tableau(d, t.quadrature(), i));
    take_explicit_stage(d, evaluation, time, watches);
    keep_stage(d, i);
  }
  if (d.failed()) return;
  evaluate_end(d, evaluation, h, end);
  evaluate_columns(d, evaluation, true);
  end_course_error(d, end);
}

GRADUS_KERNELS_END
