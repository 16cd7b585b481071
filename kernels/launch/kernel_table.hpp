// The kernels a time loop may launch, said once. From this table come their names, the sources that
// compile them for the host and the device (cmake/GradusKernels.cmake reads it), the launchers and
// what benchmarks count.
//
// GRADUS_KERNELS_OF_X lists the kernels of X.hpp: apply(name, runs, places), where `places` is one
// of launch/body.hpp, and `runs` says how they run.
#pragma once

#include "kernels/core/arguments.hpp"

// clang-format off
#define GRADUS_KERNELS_OF_advance(apply) \
  apply(begin_integration, all, designs) \
  apply(advance, all, designs) \
  apply(interpolate, all, designs) \
  apply(kinematic_step, all, designs)
#define GRADUS_KERNELS_OF_reverse_step(apply) \
  apply(reverse_begin, real, designs) \
  apply(reverse_step, real, designs) \
  apply(reverse_instant, real, designs)
#define GRADUS_KERNELS_OF_continuous_step(apply) \
  apply(continuous_begin, alone, designs) \
  apply(continuous_step, alone, designs)
#define GRADUS_KERNELS_OF_start(apply) \
  apply(set_start, all, designs) \
  apply(evaluate_constraints, all, designs) \
  apply(start_position, all, designs) \
  apply(start_velocity, all, designs) \
  apply(start_acceleration, all, designs) \
  apply(start_partials, all, designs) \
  apply(start_columns, slices, slices)
#define GRADUS_KERNELS_OF_sample(apply) \
  apply(sample, all, designs) \
  apply(sample_columns, slices, slices) \
  apply(sample_rows, real, designs)
#define GRADUS_KERNELS_OF_equilibrium(apply) \
  apply(find_equilibrium, all, designs) \
  apply(linearise_rest, real, designs) \
  apply(rest_columns, slices, slices)
#define GRADUS_KERNELS_OF_restore_step(apply) \
  apply(keep_step, real, every) \
  apply(keep_projected, real, every) \
  apply(restore_kept, real, designs) \
  apply(restore_step, real, designs)
#define GRADUS_KERNELS_OF_objective_elements(apply) \
  apply(add_objective_rows, real, designs)
#define GRADUS_KERNELS_OF_objectives(apply) \
  apply(accumulate_objectives, all, designs) \
  apply(evaluate_signals, all, designs) \
  apply(objective_history, all, designs) \
  apply(accumulate_gradients, slices, slices)
#define GRADUS_KERNELS_OF_solve_position(apply) \
  apply(solve_position, all, designs)
#define GRADUS_KERNELS_OF_linearise(apply) \
  apply(linearise, all, designs) \
  apply(linearise_columns, slices, slices)
#define GRADUS_KERNELS_OF_sensor_columns(apply) \
  apply(sensor_columns, real, designs)
#define GRADUS_KERNELS_OF_solve_adjoint(apply) \
  apply(solve_adjoint, real, designs) \
  apply(gather_elements, real, designs) \
  apply(gather_gradient, real, designs)
#define GRADUS_KERNELS_OF_continuous_instant(apply) \
  apply(continuous_clear, alone, designs) \
  apply(continuous_keep, alone, designs) \
  apply(continuous_final, alone, designs) \
  apply(continuous_instant, alone, designs) \
  apply(continuous_correct, alone, designs)
#define GRADUS_KERNELS_OF_projections(apply) \
  apply(project_velocity, all, designs) \
  apply(project_acceleration, all, designs)
#define GRADUS_KERNELS_OF_solve_columns(apply) \
  apply(solve_columns, all, slices)
#define GRADUS_KERNELS_OF_solve_apart(apply) \
  apply(reduce_matrix, slices, designs) \
  apply(prepare_columns, slices, slices) \
  apply(finish_columns, slices, slices)
#define GRADUS_KERNELS_OF_numbers(apply) \
  apply(prepare_numbers, all, every) \
  apply(advance_clock, slices, once)
#define GRADUS_KERNELS_OF_predict(apply) \
  apply(predict, all, designs)

// All of them; those that take longest to compile come first.
#define GRADUS_FOR_EACH_KERNEL(apply) \
  GRADUS_KERNELS_OF_advance(apply) \
  GRADUS_KERNELS_OF_reverse_step(apply) \
  GRADUS_KERNELS_OF_continuous_step(apply) \
  GRADUS_KERNELS_OF_start(apply) \
  GRADUS_KERNELS_OF_sample(apply) \
  GRADUS_KERNELS_OF_equilibrium(apply) \
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

// Each way includes those before it.
enum class Runs : int {
  slices,  // interleaved only: what devices do for slices of columns, and their clock
  alone,   // designs one after another
  real,    // in packs
  all,     // in dual numbers, which carry columns at the start only, and no adjoints
};

#define GRADUS_NAME(NAME, RUNS, PLACES) NAME,
enum class KernelId : int { GRADUS_FOR_EACH_KERNEL(GRADUS_NAME) };
#undef GRADUS_NAME

// The name of a kernel, as the table has it.
inline const char* kernel_name(KernelId kernel) {
#define GRADUS_NAME(NAME, RUNS, PLACES) #NAME,
  static constexpr const char* kNames[] = {GRADUS_FOR_EACH_KERNEL(GRADUS_NAME)};
#undef GRADUS_NAME
  return kNames[static_cast<int>(kernel)];
}

}  // namespace gradus::kernels
