// Motion of a driven mechanism: what its constraints determine at one time after another.
// docs/theory.md, section 13.
#pragma once

#include "kernels/integrators/step_state.hpp"

GRADUS_KERNELS_BEGIN

// A driven mechanism at time `arguments.time`, one step after the last: what the constraints
// determine, from where they were heading.
template <class Real, bool kInterleaved>
struct KinematicStep {
  HeldArguments<Real, kInterleaved> arguments;

  GRADUS_FUNCTION void operator()(std::ptrdiff_t index) const {
    const Design<Real, kInterleaved> d(arguments.chunk, index);
    if (d.failed()) return;
    const Layout& l = d.layout;
    const Real h(d.settings.step);
    for (int c = 0; c < d.plan.coordinate_count; ++c)
      d.at(l.position)[c] += h * (d.at(l.velocity)[c] + Real(0.5) * h * d.at(l.acceleration)[c]);
    evaluate_accelerations(d, *arguments.evaluation, time_of(arguments), false);
    evaluate_columns(d, *arguments.evaluation, false);
    if (d.failed()) return;
    record_violations(d);
  }
};

GRADUS_KERNELS_END
