// The kernels a time loop may launch, by name. Each has one body and two launchers: X.cpp runs it
// on the host, X.cu on the device.
#pragma once

#include "kernels/core/arguments.hpp"

// Calls apply(NAME) for every kernel whose designs may travel in lanes.
#define GRADUS_FOR_EACH_LANE_KERNEL(apply)                                                         \
  apply(prepare_numbers) apply(set_start) apply(evaluate_constraints) apply(start_position)        \
      apply(start_velocity) apply(start_acceleration) apply(start_partials) apply(predict)         \
          apply(solve_position) apply(project_velocity) apply(project_acceleration)                \
              apply(linearise) apply(solve_columns) apply(accumulate_objectives)                   \
                  apply(begin_integration) apply(advance) apply(interpolate) apply(kinematic_step) \
                      apply(evaluate_signals) apply(poison_failures) apply(sensor_columns)         \
                          apply(add_objective_rows) apply(solve_adjoint) apply(keep_step)          \
                              apply(keep_projected) apply(restore_step) apply(reverse_step)        \
                                  apply(reverse_begin) apply(reverse_instant)                      \
                                      apply(gather_elements) apply(gather_gradient)

// And for every kernel: those that go alone, and what devices do for slices of columns.
#define GRADUS_FOR_EACH_KERNEL(apply)                                                           \
  GRADUS_FOR_EACH_LANE_KERNEL(apply)                                                            \
  apply(continuous_begin) apply(continuous_step) apply(continuous_clear) apply(continuous_keep) \
      apply(continuous_final) apply(continuous_instant) apply(continuous_correct)               \
          apply(start_columns) apply(linearise_columns) apply(accumulate_gradients)             \
              apply(advance_clock) apply(reduce_matrix) apply(prepare_columns)                  \
                  apply(finish_columns)

namespace gradus::kernels {

enum class KernelId : int {
#define GRADUS_NAME(NAME) NAME,
  GRADUS_FOR_EACH_KERNEL(GRADUS_NAME)
#undef GRADUS_NAME
};

}  // namespace gradus::kernels
