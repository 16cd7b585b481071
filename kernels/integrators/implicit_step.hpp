// One implicit step: its stages, their columns, its end. docs/theory.md, section 13.
#pragma once

#include "kernels/integrators/controlled_stages.hpp"
#include "kernels/integrators/course_error.hpp"
#include "kernels/integrators/implicit_stages.hpp"

GRADUS_KERNELS_BEGIN

// Columns of the stages: each evaluation answers to those of the base, and all to each other
// through the Jacobian at the solution.
template <class D>
GRADUS_ROUTINE void solve_stage_columns(const D& d, const Evaluation& evaluation, double h,
                                        double end) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int n = d.plan.coordinate_count;
  const int size = column_size(d);
  const int known = d.tableau.known;
  for (int i = known; i < d.tableau.stages; ++i) set_zero(d.at(s.stage_columns + i * size), size);
  for (int i = known; i < d.tableau.stages && !d.failed(); ++i) {
    evaluate_stage(d, evaluation, h, i);
    differentiate_stage(d, evaluation, i);
    evaluate_columns(d, evaluation, false);
    copy_array(d, l.columns[kAcceleration], s.newton_columns + (i - known) * size, size);
  }
  if (d.failed()) return;
  factorise_stages(d, h, end);
  solve_factorised(d.at(s.newton_matrix), d.at(s.newton_pivot), unknown_stages(d) * n,
                   d.at(s.newton_columns), d.plan.column_count);
  copy_array(d, s.newton_columns, s.stage_columns + known * size, unknown_stages(d) * size);
}

// The end of a step that is its only unknown stage: evaluated once, for its columns as well. The
// columns of the acceleration answer to themselves, then give those of position and velocity.
template <class D>
GRADUS_ROUTINE void evaluate_last_stage(const D& d, const Evaluation& evaluation, double h,
                                        double end) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const TableauView& t = d.tableau;
  const int n = d.plan.coordinate_count;
  const int size = column_size(d);
  const int unknown = s.stage_columns + t.known * size;
  set_zero(d.at(unknown), size);
  combine_stages(d, h, sum_at_end(d));
  evaluate_accelerations(d, evaluation, end, false);
  if (size == 0 || d.failed()) return;
  differentiate_stage(d, evaluation, t.known);
  evaluation_partials(d);
  solve_evaluation(d, evaluation, parameter_columns(d), false);
  factorise_stages(d, h, end);
  copy_array(d, l.columns[kAcceleration], unknown, size);
  solve_factorised(d.at(s.newton_matrix), d.at(s.newton_pivot), n, d.at(unknown),
                   d.plan.column_count);
  combine_columns(d, h, sum_at_end(d));
  solve_evaluation(d, evaluation, parameter_columns(d), false);
}

template <class D>
GRADUS_ROUTINE void implicit_step(const D& d, const Evaluation& evaluation, double h, double end) {
  const TableauView& t = d.tableau;
  const double start = common(d.at(d.layout.integrator.time)[0]);
  if (t.controls_implicit()) {
    if constexpr (ScalarTraits<RealOf<D>>::kLanes == 1)
      solve_controlled_stages(d, evaluation, h, end);
  } else {
    solve_stages(d, evaluation, h, end);
  }
  if (d.failed()) return;
  if (ends_at_stage(d, evaluation)) return evaluate_last_stage(d, evaluation, h, end);
  if (column_size(d) > 0) solve_stage_columns(d, evaluation, h, end);
  begin_course_error(d);
  const bool watches = any(watches_stages(d, ClockOf<D>(h)));
  d.at(d.layout.watch.reversed)[0] = RealOf<D>(0);
  for (int i = t.known; i < t.stages && (d.plan.objective_count > 0 || watches) && !d.failed();
       ++i) {
    evaluate_stage(d, evaluation, h, i);
    if (watches) watch_stage(d, watches);
    evaluate_columns(d, evaluation, false);
    weigh_stage(d, i, h * tableau(d, t.quadrature(), i));
    add_stage_integrands(d, start + tableau(d, t.c(), i) * h);
  }
  if (d.failed()) return;
  evaluate_end(d, evaluation, h, end);
  evaluate_columns(d, evaluation, true);
}

GRADUS_KERNELS_END
