// One attempt of an explicit step. docs/theory.md, section 13.
#pragma once

#include "kernels/integrators/step_state.hpp"

GRADUS_KERNELS_BEGIN

// Stages after the first, which is the base of the step; then the end of the step. Integrals of the
// step are gathered on the way.
template <class D>
GRADUS_ROUTINE void explicit_step(const D& d, const Evaluation& evaluation, double h, double end) {
  const IntegratorLayout& s = d.layout.integrator;
  const TableauView& t = d.tableau;
  const double start = common(d.at(s.time)[0]);
  for (int i = 1; i < t.stages && !d.failed(); ++i) {
    const double c = tableau(d, t.c(), i);
    combine_stages(d, h, c, t.abar() + i * t.stages, t.a() + i * t.stages, i);
    evaluate_accelerations(d, evaluation, start + c * h, false);
    evaluate_columns(d, evaluation, false);
    keep_stage(d, i);
    add_integrands(d, start + c * h, h * tableau(d, t.quadrature(), i), s.integral,
                   s.integral_gradient);
  }
  if (d.failed()) return;
  combine_stages(d, h, 1.0, t.bbar(), t.b(), t.stages);
  evaluate_accelerations(d, evaluation, end, true);
  evaluate_columns(d, evaluation, true);
}

GRADUS_KERNELS_END
