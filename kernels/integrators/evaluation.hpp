// One evaluation of an acceleration formulation at the current time, position and velocity, with
// its columns if they are wanted. docs/theory.md, section 13.
#pragma once

#include "kernels/passes/reactions.hpp"
#include "kernels/stages/acceleration.hpp"
#include "kernels/stages/algebraic_rows.hpp"
#include "kernels/stages/normalise.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_CALL void run_evaluation_step(const D& d, EvaluationStep step, double time,
                                     bool& factors_ready) {
  switch (step) {
    case EvaluationStep::close_position:
      return close_position(d, time);
    case EvaluationStep::close_velocity:
      close_velocity(d, time);
      factors_ready = true;
      return;
    case EvaluationStep::accelerate:
      return accelerate(d, time, factors_ready);
    case EvaluationStep::accelerate_recursively:
      return accelerate_recursively(d, time);
    case EvaluationStep::accelerate_by_penalty:
      return accelerate_by_penalty(d, time);
    case EvaluationStep::close_tied_position:
      return close_tied_position(d, time);
    case EvaluationStep::close_tied_velocity:
      return close_tied_velocity(d, time);
    case EvaluationStep::normalise:
      return normalise(d);
  }
}

// Does work(d), unless a program made for the mechanism does.
template <class D, class Work>
GRADUS_FUNCTION void do_part(const D& d, EvaluationPart part, double time, const Work& work) {
#if !defined(__CUDA_ARCH__)
  if (d.programs != nullptr && !d.has_failed_lane()) {
    const Taken taken = d.programs->take(part, time, d.memory.data);
    if (taken == Taken::whole) return;
    if (taken != Taken::by_parts) {
      D general(d);
      general.programs = nullptr;
      work(general);
      if (taken == Taken::shown && !d.has_failed_lane()) d.programs->show(d.memory.data);
      return;
    }
  }
#endif
  work(d);
}

template <class D, class Time>
GRADUS_CALL void accelerate_at(const D& d, const Evaluation& evaluation, const Time& time,
                               bool project) {
  bool factors_ready = false;
  d.at(d.layout.time)[0] = RealOf<D>(time);
  const double plain = plain_time(time);
  if (project)
    for (int k = 0; k < evaluation.projection_count && !d.failed(); ++k)
      run_evaluation_step(d, evaluation.projections[k], plain, factors_ready);
  for (int k = 0; k < evaluation.operation_count && !d.failed(); ++k)
    run_evaluation_step(d, evaluation.operations[k], plain, factors_ready);
  // Reactions are made of the forces at these accelerations.
  if (has_reactions(d) && !d.failed()) evaluate_forces_at_accelerations(d);
}

// Accelerations at the current state. `project`: the state is the end of a step. The time may carry
// a derivative.
template <class D, class Time>
GRADUS_INLINE void evaluate_accelerations(const D& d, const Evaluation& evaluation,
                                          const Time& time, bool project) {
  if constexpr (std::is_same<Time, ClockOf<D>>::value || std::is_same<Time, double>::value) {
    // Programs for lanes with clocks of their own find the time here.
    if (D::kLanes > 1) d.at(d.layout.time)[0] = RealOf<D>(time);
    do_part(d, project ? EvaluationPart::projected : EvaluationPart::accelerations,
            plain_time(time), [&](const D& own) { accelerate_at(own, evaluation, time, project); });
  } else {
    accelerate_at(d, evaluation, time, project);
  }
}

// Whether the step is among the first `count`.
GRADUS_FUNCTION bool contains(const EvaluationStep* steps, int count, EvaluationStep step) {
  for (int k = 0; k < count; ++k)
    if (steps[k] == step) return true;
  return false;
}

template <class D>
GRADUS_FUNCTION void treat_columns_alike(const D& d, int array, int rows) {
  const int columns = d.plan.column_count;
  for (int i = 0; i < rows; ++i) {
    const auto row = d.at(array).from(i * columns);
    treat_alike(
        row[0], [&](int c) -> auto& { return row[c]; }, columns);
  }
}

template <class D>
GRADUS_FUNCTION void treat_partials_alike(const D& d) {
  treat_columns_alike(d, d.layout.residual_partial[kDynamics], d.plan.coordinate_count);
  for (int level = 0; level < kConstraintLevels; ++level)
    treat_columns_alike(d, d.layout.constraint_partial[level], d.plan.constraint_rows);
}

// Derivatives of an evaluation, and the factors that its columns need; with those by parameters at
// a given state.
template <class D>
GRADUS_CALL void linearise_evaluation(const D& d, const Evaluation& evaluation,
                                      bool with_partials = false) {
  linearise_acceleration(d);
  if (contains(evaluation.operations, evaluation.operation_count,
               EvaluationStep::accelerate_recursively))
    factorise_accelerations(d);
  if (with_partials) parameter_partials(d);
  if (has_algebraic(d)) prepare_algebraic(d, with_partials && d.settings.with_adjoint == 0);
  if (with_partials) treat_partials_alike(d);
}

// The columns of an evaluation, from those of position and velocity.
template <class D>
GRADUS_CALL void solve_evaluation(const D& d, const Evaluation& evaluation,
                                  const ColumnSpace& space, bool project) {
  for (int k = 0; project && k < evaluation.projection_count; ++k)
    if (evaluation.projections[k] == EvaluationStep::normalise)
      normalise_columns(d, space);
    else
      solve_columns(d, evaluation.projection_tangents[k], space);
  for (int k = 0; k < evaluation.tangent_count; ++k)
    solve_columns(d, evaluation.tangents[k], space);
  if (has_algebraic(d)) add_algebraic_columns(d, space);
}

// The evaluation's Jacobian, by what it was given: closed position and velocity, and acceleration,
// each [n, 2 n]. After linearise_evaluation().
template <class D>
GRADUS_ROUTINE void evaluation_jacobian(const D& d, const Evaluation& evaluation) {
  const int n = d.plan.coordinate_count;
  for (int set = 0; set < 2; ++set) {
    const auto columns = d.at(d.layout.jacobian_columns[set]);
    set_zero(columns, 2 * n * n);
    for (int c = 0; c < n; ++c) columns[c * 2 * n + set * n + c] = RealOf<D>(1);
  }
  solve_evaluation(d, evaluation, {2 * n, true}, false);
}

// The same with what it needs first.
template <class D>
GRADUS_FUNCTION void differentiate_evaluation(const D& d, const Evaluation& evaluation) {
  do_part(d, EvaluationPart::jacobian, plain_time(d.at(d.layout.time)[0]), [&](const D& own) {
    linearise_evaluation(own, evaluation);
    evaluation_jacobian(own, evaluation);
  });
}

// What parameters do to an evaluation at a given state. After linearise_evaluation() without them.
template <class D>
GRADUS_FUNCTION void evaluation_partials(const D& d) {
  parameter_partials(d);
  if (has_algebraic(d) && d.settings.with_adjoint == 0) algebraic_partials(d);
  treat_partials_alike(d);
}

// The columns of an evaluation from those of position and velocity, with what they need first.
template <class D>
GRADUS_FUNCTION void evaluate_columns(const D& d, const Evaluation& evaluation, bool project) {
  if (d.settings.with_columns == 0 || d.failed()) return;
  do_part(d, project ? EvaluationPart::projected_columns : EvaluationPart::columns,
          plain_time(d.at(d.layout.time)[0]), [&](const D& own) {
            linearise_evaluation(own, evaluation, true);
            solve_evaluation(own, evaluation, parameter_columns(own), project);
          });
}

// Whether penalties stand for the constraints, whose Jacobian nothing splits then.
GRADUS_FUNCTION bool goes_by_penalty(const Evaluation& evaluation) {
  return contains(evaluation.operations, evaluation.operation_count,
                  EvaluationStep::accelerate_by_penalty);
}

// Whether positions are closed by coordinates that are chosen on the way.
GRADUS_FUNCTION bool renews_independents(const Evaluation& evaluation) {
  return evaluation.chooses_independents != 0 ||
         contains(evaluation.projections, evaluation.projection_count,
                  EvaluationStep::close_position) ||
         contains(evaluation.projections, evaluation.projection_count,
                  EvaluationStep::close_tied_position);
}

GRADUS_KERNELS_END
