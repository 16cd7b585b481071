// A stage of an explicit step. docs/theory.md, section 13.
#pragma once

#include "kernels/integrators/course_error.hpp"

GRADUS_KERNELS_BEGIN

// At the current position and velocity; it counts by the weights at hand. `watches`: the designs of
// which it is noted whether it lies behind a singular configuration.
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

GRADUS_KERNELS_END
