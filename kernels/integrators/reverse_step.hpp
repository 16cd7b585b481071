// The discrete adjoint of the steps of one-step methods, one design and one step at a time, from
// what the steps left: of its stages, and of whole steps. docs/theory.md, section 15.
#pragma once

#include "kernels/integrators/event_adjoint.hpp"
#include "kernels/integrators/implicit_step.hpp"
#include "kernels/integrators/rosenbrock_adjoint.hpp"

GRADUS_KERNELS_BEGIN

// One stage of an explicit method: its acceleration's rows are complete when it is reached.
template <class D>
GRADUS_ROUTINE void explicit_stage_adjoint(const D& d, const Evaluation& evaluation, double start,
                                           double h, int i) {
  const IntegratorLayout& s = d.layout.integrator;
  const StageSum sum = sum_at_stage(d, i, i);
  combine_stages(d, h, sum);
  set_acceleration_rows(d, s.stage_columns + i * row_size(d));
  set_zero(d.at(s.stage_columns + i * row_size(d)), row_size(d));
  take_back(d, evaluation, start + sum.c * h, RealOf<D>(h * tableau(d, d.tableau.quadrature(), i)),
            false);
  combine_stages_adjoint(d, h, sum);
}

// The integrands of an implicit method at its stages, whose accelerations answer to all stages.
template <class D>
GRADUS_FUNCTION void implicit_integrands_adjoint(const D& d, const Evaluation& evaluation,
                                                 double start, double h) {
  const TableauView& t = d.tableau;
  for (int i = t.known; i < t.stages && !d.failed(); ++i) {
    const StageSum sum = sum_at_stage(d, i, t.stages);
    combine_stages(d, h, sum);
    clear_rows(d);
    take_back(d, evaluation, start + sum.c * h, RealOf<D>(h * tableau(d, t.quadrature(), i)),
              false);
    combine_stages_adjoint(d, h, sum);
  }
}

// The accelerations of implicit stages depend on each other: their rows meet the Jacobian at the
// solution, transposed, and then go each through its own evaluation to the base of the step.
template <class D>
GRADUS_ROUTINE void implicit_stages_adjoint(const D& d, const Evaluation& evaluation, double h,
                                            double end) {
  const IntegratorLayout& s = d.layout.integrator;
  const TableauView& t = d.tableau;
  const int size = row_size(d);
  for (int i = t.known; i < t.stages && !d.failed(); ++i) {
    evaluate_stage(d, evaluation, h, i);
    differentiate_stage(d, evaluation, i);
  }
  if (d.failed()) return;
  factorise_stages(d, h, end);
  copy_array(d, s.stage_columns + t.known * size, s.newton_columns, unknown_stages(d) * size);
  set_zero(d.at(s.stage_columns + t.known * size), unknown_stages(d) * size);
  solve_factorised_transposed(d.at(s.newton_matrix), d.at(s.newton_pivot),
                              unknown_stages(d) * d.plan.coordinate_count, d.at(s.newton_columns),
                              d.plan.objective_count);
  for (int i = t.known; i < t.stages && !d.failed(); ++i) {
    combine_stages(d, h, sum_at_stage(d, i, t.stages));
    set_acceleration_rows(d, s.newton_columns + (i - t.known) * size);
    take_back(d, evaluation, common(d.at(s.time)[0]) + tableau(d, t.c(), i) * h, RealOf<D>(0),
              false);
    combine_stages_adjoint(d, h, sum_at_stage(d, i, t.known));
  }
}

// update_algorithmic() backwards.
template <class D>
GRADUS_FUNCTION void update_algorithmic_adjoint(const D& d) {
  using Real = typename D::Real;
  const double* share = d.tableau.algorithmic;
  const auto rows = d.at(d.layout.integrator.stage_columns);
  const int size = row_size(d);
  for (int i = 0; i < size; ++i) {
    const Real worth = rows[i];
    for (int j = 0; j < 3; ++j)
      rows[j * size + i] = (j == 0 ? Real(0) : rows[j * size + i]) + Real(share[j]) * worth;
  }
}

// The base of a step behind a sample, from its rows to those of the motion before the sample, which
// evaluate() puts back.
template <class D, class Evaluate>
GRADUS_ROUTINE void sample_adjoint(const D& d, const Evaluation& evaluation, double time,
                                   Moment moment, const Evaluate& evaluate) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  evaluate();
  sample_states(d, time);
  evaluate_accelerations(d, evaluation, time, false);
  prepare_rows(d, evaluation);
  take_base_rows(d);
  if (d.tableau.known > 1) {
    add_rows_to(d, l.columns[kAcceleration], 1.0, s.stage_columns);
    set_zero(d.at(s.stage_columns), row_size(d));
  }
  add_objective_rows(d, time, common(d.at(s.pending)[0]), moment);
  evaluation_adjoint(d, evaluation, false);
  copy_array(d, l.columns[kPosition], s.position_columns, row_size(d));
  copy_array(d, l.columns[kVelocity], s.velocity_columns, row_size(d));
  evaluate();
}

// Whether integrands are all that the end of a step means to objectives.
template <class D>
GRADUS_FUNCTION bool is_plain_end(const D& d, const StepSpan& span, Moment moment) {
  return d.plan.search_count == 0 && span.event == 0 && !samples_at(d, span.end) &&
         !counts(d, span.end, 0.0, moment);
}

template <class D>
GRADUS_ROUTINE void plain_end_adjoint(const D& d, const Evaluation& evaluation, double h,
                                      double end) {
  combine_stages(d, h, sum_at_end(d));
  take_base_rows(d);
  if (d.tableau.known > 1) update_algorithmic_adjoint(d);
  take_back(d, evaluation, end, d.at(d.layout.integrator.pending)[0], true);
  combine_stages_adjoint(d, h, sum_at_end(d));
}

// The end of the step, from where the rows of the next step's base take over.
template <class D>
GRADUS_ROUTINE void end_adjoint(const D& d, const Evaluation& evaluation, const StepSpan& span,
                                Moment moment) {
  const double h = span.length, end = span.end;
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const TableauView& t = d.tableau;
  if (is_plain_end(d, span, moment)) return plain_end_adjoint(d, evaluation, h, end);
  const auto evaluate = [&] { evaluate_end(d, evaluation, h, end); };
  const bool samples = span.event == 0 && samples_at(d, end);
  if (span.event != 0)
    event_adjoint_alone(d, evaluation, d.plan.events[span.event - 1], end, moment, evaluate);
  else if (samples)
    sample_adjoint(d, evaluation, end, moment, evaluate);
  else
    evaluate();
  if (d.failed()) return;
  prepare_rows(d, evaluation);
  take_base_rows(d);
  if (samples)
    sample_state_rows(d, end);
  else if (span.event == 0)
    add_objective_rows(d, end, common(d.at(s.pending)[0]), moment);
  if (t.known > 1) update_algorithmic_adjoint(d);
  evaluation_adjoint(d, evaluation, true);
  combine_stages_adjoint(d, h, sum_at_end(d));
}

// Steps taken differ from design to design: whether the adjoint has come to step `step` of this
// one, and what its end is to the objectives.
template <class D>
GRADUS_FUNCTION bool has_taken(const D& d, int step) {
  return static_cast<double>(step) <= largest_lane(d, d.layout.integrator.taken);
}
template <class D>
GRADUS_FUNCTION Moment moment_of_step(const D& d, int step) {
  return moment_of(has_taken(d, step + 1) ? 0 : 1);
}

// What the end of a step is to objectives if more changes at its instant: values are those behind
// the last of it.
template <class D>
GRADUS_FUNCTION Moment moment_before(const D& d, const StepSpan& span, Moment moment) {
  if (!has_events(d)) return moment;
  const auto followed = d.at(d.layout.event.followed);
  const bool more_follows = common(followed[0]) != 0.0;
  followed[0] = RealOf<D>(span.length == 0.0 ? 1 : 0);
  return more_follows ? Moment::stage : moment;
}

// One step, the record of which is at hand.
template <class D>
GRADUS_FUNCTION void reverse_step(const D& d, const LaunchArguments& arguments) {
  if (!has_taken(d, arguments.step)) return;
  const Evaluation& evaluation = *arguments.evaluation;
  const TableauView& t = d.tableau;
  const StepSpan span = restore_base(d);
  end_adjoint(d, evaluation, span, moment_before(d, span, moment_of_step(d, arguments.step)));
  if (span.length == 0.0) {  // stand_still()
    d.at(d.layout.integrator.pending)[0] = RealOf<D>(0);
    return;
  }
  const double start = common(d.at(d.layout.integrator.time)[0]);
  if (t.linear != 0) {
    rosenbrock_adjoint(d, evaluation, span.length, span.end);
  } else if (t.implicit != 0) {
    if (d.plan.objective_count > 0) implicit_integrands_adjoint(d, evaluation, start, span.length);
    implicit_stages_adjoint(d, evaluation, span.length, span.end);
  } else {
    for (int i = t.stages - 1; i >= 1 && !d.failed(); --i)
      explicit_stage_adjoint(d, evaluation, start, span.length, i);
  }
  const double weight = t.known > 0 ? tableau(d, t.quadrature(), t.known - 1) : 0.0;
  d.at(d.layout.integrator.pending)[0] = RealOf<D>(span.length * weight);
}

// The base of the first step: its evaluation at the start, from the state that the start problems
// left.
template <class D>
GRADUS_FUNCTION void reverse_begin(const D& d, const LaunchArguments& arguments) {
  const IntegratorLayout& s = d.layout.integrator;
  const Evaluation& evaluation = *arguments.evaluation;
  if (renews_independents(evaluation)) begin_independents(d);
  const int n = d.plan.coordinate_count;
  copy_array(d, d.layout.position, s.position, n);
  copy_array(d, d.layout.velocity, s.velocity, n);
  const auto evaluate = [&] {
    copy_array(d, s.position, d.layout.position, n);
    copy_array(d, s.velocity, d.layout.velocity, n);
    evaluate_accelerations(d, evaluation, 0.0, true);
  };
  const bool samples = samples_at(d, 0.0);
  if (samples)
    sample_adjoint(d, evaluation, 0.0, moment_of_step(d, 0), evaluate);
  else
    evaluate();
  prepare_rows(d, evaluation);
  take_base_rows(d);
  // The algorithmic acceleration begins as the true one.
  if (d.tableau.known > 1) add_rows_to(d, d.layout.columns[kAcceleration], 1.0, s.stage_columns);
  if (samples)
    sample_state_rows(d, 0.0);
  else
    add_objective_rows(d, 0.0, common(d.at(s.pending)[0]), moment_of_step(d, 0));
  evaluation_adjoint(d, evaluation, true);
  silence_impulses(d, d.layout.columns[kVelocity], d.plan.objective_count);
}

// A driven mechanism at one instant, all of which follows from the constraints.
template <class D>
GRADUS_FUNCTION void reverse_instant(const D& d, const LaunchArguments& arguments) {
  const auto record = d.record(0);
  for (int c = 0; c < d.plan.coordinate_count; ++c) d.at(d.layout.position)[c] = record[c];
  evaluate_accelerations(d, *arguments.evaluation, arguments.time, false);
  prepare_rows(d, *arguments.evaluation);
  add_objective_rows(d, arguments.time, arguments.weight, moment_of(arguments.last));
  evaluation_adjoint(d, *arguments.evaluation, false);
}

GRADUS_KERNELS_END
