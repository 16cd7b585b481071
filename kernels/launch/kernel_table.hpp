// The kernels a time loop may launch, said once. From this table come their names, the sources that
// compile them for the host and the device (cmake/GradusKernels.cmake reads it), the launchers and
// what benchmarks count.
//
// GRADUS_KERNELS_OF_X lists the bodies of X.hpp: apply(name, body, runs), where `runs` says where:
//   all      designs alone and in packs, in dual numbers, and interleaved
//   real     the same without dual numbers, whose runs carry neither columns nor adjoints
//   alone    the same without packs
//   slices   interleaved only: what devices do for slices of columns, and their clock
#pragma once

#include "kernels/core/arguments.hpp"

// clang-format off
#define GRADUS_KERNELS_OF_advance(apply) \
  apply(begin_integration, BeginIntegration, all) \
  apply(advance, Advance, all) \
  apply(interpolate, Interpolate, all) \
  apply(kinematic_step, KinematicStep, all)
#define GRADUS_KERNELS_OF_reverse_step(apply) \
  apply(reverse_begin, ReverseBegin, real) \
  apply(reverse_step, ReverseStep, real) \
  apply(reverse_instant, ReverseInstant, real)
#define GRADUS_KERNELS_OF_continuous_step(apply) \
  apply(continuous_begin, ContinuousBegin, alone) \
  apply(continuous_step, ContinuousStep, alone)
#define GRADUS_KERNELS_OF_start(apply) \
  apply(set_start, SetStart, all) \
  apply(evaluate_constraints, EvaluateConstraints, all) \
  apply(start_position, StartPosition, all) \
  apply(start_velocity, StartVelocity, all) \
  apply(start_acceleration, StartAcceleration, all) \
  apply(start_partials, StartPartials, real) \
  apply(start_columns, StartColumns, slices)
#define GRADUS_KERNELS_OF_restore_step(apply) \
  apply(keep_step, KeepStep, real) \
  apply(keep_projected, KeepProjected, real) \
  apply(restore_step, RestoreStep, real)
#define GRADUS_KERNELS_OF_objective_elements(apply) \
  apply(add_objective_rows, AddObjectiveRows, real)
#define GRADUS_KERNELS_OF_objectives(apply) \
  apply(accumulate_objectives, AccumulateObjectives, all) \
  apply(evaluate_signals, EvaluateSignals, all) \
  apply(accumulate_gradients, AccumulateGradients, slices)
#define GRADUS_KERNELS_OF_solve_position(apply) \
  apply(solve_position, SolvePosition, all)
#define GRADUS_KERNELS_OF_linearise(apply) \
  apply(linearise, Linearise, real) \
  apply(linearise_columns, LineariseColumns, slices)
#define GRADUS_KERNELS_OF_sensor_columns(apply) \
  apply(sensor_columns, SensorColumns, real)
#define GRADUS_KERNELS_OF_solve_adjoint(apply) \
  apply(solve_adjoint, SolveAdjoint, real) \
  apply(gather_elements, GatherElements, real) \
  apply(gather_gradient, GatherGradient, real)
#define GRADUS_KERNELS_OF_continuous_instant(apply) \
  apply(continuous_clear, ContinuousClear, alone) \
  apply(continuous_keep, ContinuousKeep, alone) \
  apply(continuous_final, ContinuousFinal, alone) \
  apply(continuous_instant, ContinuousInstant, alone) \
  apply(continuous_correct, ContinuousCorrect, alone)
#define GRADUS_KERNELS_OF_projections(apply) \
  apply(project_velocity, ProjectVelocity, all) \
  apply(project_acceleration, ProjectAcceleration, all)
#define GRADUS_KERNELS_OF_solve_columns(apply) \
  apply(solve_columns, SolveColumns, real)
#define GRADUS_KERNELS_OF_solve_apart(apply) \
  apply(reduce_matrix, ReduceMatrix, slices) \
  apply(prepare_columns, PrepareColumns, slices) \
  apply(finish_columns, FinishColumns, slices)
#define GRADUS_KERNELS_OF_numbers(apply) \
  apply(prepare_numbers, PrepareNumbers, all) \
  apply(poison_failures, PoisonFailures, all) \
  apply(advance_clock, AdvanceClock, slices)
#define GRADUS_KERNELS_OF_predict(apply) \
  apply(predict, Predict, all)

// All of them; those that take longest to compile come first.
#define GRADUS_FOR_EACH_KERNEL(apply) \
  GRADUS_KERNELS_OF_advance(apply) \
  GRADUS_KERNELS_OF_reverse_step(apply) \
  GRADUS_KERNELS_OF_continuous_step(apply) \
  GRADUS_KERNELS_OF_start(apply) \
  GRADUS_KERNELS_OF_restore_step(apply) \
  GRADUS_KERNELS_OF_objective_elements(apply) \
  GRADUS_KERNELS_OF_objectives(apply) \
  GRADUS_KERNELS_OF_solve_position(apply) \
  GRADUS_KERNELS_OF_linearise(apply) \
  GRADUS_KERNELS_OF_sensor_columns(apply) \
  GRADUS_KERNELS_OF_solve_adjoint(apply) \
  GRADUS_KERNELS_OF_continuous_instant(apply) \
  GRADUS_KERNELS_OF_projections(apply) \
  GRADUS_KERNELS_OF_solve_columns(apply) \
  GRADUS_KERNELS_OF_solve_apart(apply) \
  GRADUS_KERNELS_OF_numbers(apply) \
  GRADUS_KERNELS_OF_predict(apply)
// clang-format on

namespace gradus::kernels {

enum class KernelId : int {
#define GRADUS_NAME(NAME, BODY, RUNS) NAME,
  GRADUS_FOR_EACH_KERNEL(GRADUS_NAME)
#undef GRADUS_NAME
};

// The name of a kernel, as the table has it.
inline const char* kernel_name(KernelId kernel) {
  switch (kernel) {
#define GRADUS_CASE(NAME, BODY, RUNS) \
  case KernelId::NAME:                \
    return #NAME;
    GRADUS_FOR_EACH_KERNEL(GRADUS_CASE)
#undef GRADUS_CASE
  }
  return "";
}

}  // namespace gradus::kernels
