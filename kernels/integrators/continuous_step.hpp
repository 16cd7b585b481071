// The continuous adjoint of acceleration formulations: y' = f(t, y, rho) of y = (z, z') has
//   -mu' = f_y^T (mu + g_y'^T) + g_y^T,
// which is integrated backwards by the trapezoidal rule over the steps of the motion. With closed
// positions and velocities among the stages of f, mu lives on the independent coordinates.
// docs/theory.md, section 16.
#pragma once

#include "kernels/integrators/reverse_step.hpp"

GRADUS_KERNELS_BEGIN

// out [2 n, objective] += factor * (transposed Jacobian of set `set`) * rows
template <class D>
GRADUS_FUNCTION void add_jacobian_transposed(const D& d, int set, double factor, int rows,
                                             int out) {
  const int n = d.plan.coordinate_count;
  add_transposed_product(d.at(d.layout.jacobian_columns[set]), 2 * n, n, d.at(rows),
                         d.plan.objective_count, factor, d.at(out));
}

// (1 - h/2 f_y^T) mu = mu + h/2 f_y^T g, where the rows of the integrands g stand for `weight`
// instants.
template <class D>
GRADUS_ROUTINE void solve_costate(const D& d, const Evaluation& evaluation, double h, double weight,
                                  double time) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  evaluation_jacobian(d, evaluation);
  const int sets[3] = {kPosition, kVelocity, ColumnSet::kAcceleration};
  for (int set = 0; set < 3; ++set)
    add_jacobian_transposed(d, set, 0.5 * h / weight, l.columns[sets[set]], l.costate.rows);
  const auto matrix = d.at(l.costate.matrix);
  for (int r = 0; r < 2 * n; ++r) {
    const auto slope = d.at(l.jacobian_columns[r < n ? 1 : 2] + (r % n) * 2 * n);
    for (int c = 0; c < 2 * n; ++c)
      matrix[r * 2 * n + c] = RealOf<D>(r == c ? 1.0 : 0.0) - RealOf<D>(0.5 * h) * slope[c];
  }
  d.fail(!factorise(matrix, d.at(l.costate.pivot), 2 * n), Status::newton_diverged, time);
  if (d.failed()) return;
  solve_factorised_transposed(matrix, d.at(l.costate.pivot), 2 * n, d.at(l.costate.rows),
                              d.plan.objective_count);
}

// Adds the costates to the rows of what they meet, the rates of position and velocity, for `weight`
// instants.
template <class D>
GRADUS_FUNCTION void add_costates(const D& d, double weight) {
  const Layout& l = d.layout;
  add_rows_to(d, l.columns[kVelocity], weight, l.costate.rows);
  add_rows_to(d, l.columns[ColumnSet::kAcceleration], weight, l.costate.rows + row_size(d));
}

// costates += factor * rows of position and velocity.
template <class D>
GRADUS_FUNCTION void advance_costates(const D& d, double factor) {
  const Layout& l = d.layout;
  add_rows_to(d, l.costate.rows, factor, l.columns[kPosition]);
  add_rows_to(d, l.costate.rows + row_size(d), factor, l.columns[kVelocity]);
}

template <class D>
GRADUS_FUNCTION void end_of_step(const D& d, const Evaluation& evaluation, const StepSpan& span) {
  evaluate_end(d, evaluation, span.length, span.end);
  linearise_evaluation(d, evaluation);
}

// Half a step of the trapezoidal rule, at the end of `span`, where the evaluation is linearised.
template <class D>
GRADUS_FUNCTION void half_step_at_end(const D& d, const Evaluation& evaluation,
                                      const StepSpan& span, double factor) {
  clear_rows(d);
  add_objective_rows(d, span.end, factor * span.length, Moment::stage);
  add_costates(d, factor * span.length);
  evaluation_adjoint(d, evaluation, false);
}

// The final time, from the record of the last step: the costates are what values at the end are
// worth to position and velocity there.
template <class D>
GRADUS_FUNCTION void continuous_begin(const D& d, const LaunchArguments& arguments) {
  const Evaluation& evaluation = *arguments.evaluation;
  const Layout& l = d.layout;
  const StepSpan span = restore_base(d);
  copy_array(d, l.held, l.costate.held, d.plan.independent_count);
  end_of_step(d, evaluation, span);
  set_zero(d.at(l.costate.rows), 2 * row_size(d));
  clear_rows(d);
  add_objective_rows(d, span.end, 0.0, Moment::end);
  evaluation_adjoint(d, evaluation, false);
  advance_costates(d, 1.0);
  half_step_at_end(d, evaluation, span, 0.5);
  advance_costates(d, 1.0);
}

// Whether the record's step holds other coordinates, in whatever order, than those that the
// costates belong to.
template <class D>
GRADUS_FUNCTION bool holds_others(const D& d) {
  bool others = false;
  for (int i = 0; i < d.plan.independent_count; ++i) {
    bool held = false;
    for (int j = 0; j < d.plan.independent_count; ++j)
      held = held || value_of(d.at(d.layout.held)[i]) == value_of(d.at(d.layout.costate.held)[j]);
    others = others || !held;
  }
  return others;
}

// At the end of a step with other independent coordinates than the next. Costates of those become
// costates of its own, which is so at the instant itself: the half that this step has of it was
// added in the coordinates of the next, and is taken back first.
template <class D>
GRADUS_FUNCTION void change_independents(const D& d, const Evaluation& evaluation,
                                         const StepSpan& span) {
  const Layout& l = d.layout;
  const int rows = 2 * row_size(d);
  copy_array(d, l.costate.instant, l.costate.rows, rows);
  evaluate_end(d, evaluation, span.length, span.end);
  copy_array(d, l.costate.held, l.held, d.plan.independent_count);
  evaluate_accelerations(d, evaluation, span.end, false);
  linearise_evaluation(d, evaluation);
  half_step_at_end(d, evaluation, span, -0.5);

  restore_base(d);
  copy_array(d, l.held, l.costate.held, d.plan.independent_count);
  end_of_step(d, evaluation, span);
  clear_rows(d);
  add_rows_to(d, l.columns[kPosition], 1.0, l.costate.rows);
  add_rows_to(d, l.columns[kVelocity], 1.0, l.costate.rows + row_size(d));
  evaluation_adjoint(d, evaluation, false);
  set_zero(d.at(l.costate.rows), rows);
  advance_costates(d, 1.0);
  half_step_at_end(d, evaluation, span, 0.5);
  advance_costates(d, 1.0);
}

// From the end of a step to its start, `weight` being that of the instant at the start.
template <class D>
GRADUS_FUNCTION void continuous_step(const D& d, const LaunchArguments& arguments) {
  const Evaluation& evaluation = *arguments.evaluation;
  const StepSpan span = restore_base(d);
  if (holds_others(d)) {
    change_independents(d, evaluation, span);
    restore_base(d);
  }
  const double start = common(d.at(d.layout.integrator.time)[0]);
  const IntegratorLayout& s = d.layout.integrator;
  copy_array(d, s.position, d.layout.position, d.plan.coordinate_count);
  copy_array(d, s.velocity, d.layout.velocity, d.plan.coordinate_count);
  evaluate_accelerations(d, evaluation, start, false);
  linearise_evaluation(d, evaluation);
  clear_rows(d);
  add_objective_rows(d, start, arguments.weight, Moment::stage);
  solve_costate(d, evaluation, span.length, arguments.weight, start);
  copy_array(d, d.layout.costate.rows, d.layout.costate.instant, 2 * row_size(d));
  add_costates(d, arguments.weight);
  evaluation_adjoint(d, evaluation, false);
  if (arguments.last == 0) return advance_costates(d, 0.5 * span.length / arguments.weight);
  // The start: rows of its position and velocity.
  clear_rows(d);
  add_rows_to(d, d.layout.columns[kPosition], 1.0, d.layout.costate.rows);
  add_rows_to(d, d.layout.columns[kVelocity], 1.0, d.layout.costate.rows + row_size(d));
}

GRADUS_KERNELS_END
