// Making room for an outcome, and the columns of a trajectory.
#pragma once

#include "src/motion/request.hpp"

namespace gradus {

// Arrays of the right sizes, trajectories included if recording is asked for.
MotionOutcome make_outcome(const MotionRequest& request);
// The same into an outcome of an earlier run: nothing is allocated where sizes are equal.
void renew_outcome(const MotionRequest& request, MotionOutcome& outcome);

// Room for the sensitivities of the sensors of all designs, which runs with some of the parameters
// each fill.
void make_room_for_columns(const MotionRequest& request, MotionOutcome& outcome);

// Entries of the Gauss-Newton matrices of a design.
std::size_t gauss_newton_size(const MotionRequest& request);

// Whether step k is recorded, and as which row.
bool is_recorded(const MotionRequest& request, std::size_t k);
std::size_t recorded_row(const MotionRequest& request, std::size_t k);

// Leaves the first `rows` recorded times of a trajectory.
void keep_rows(const Plan& plan, std::size_t rows, Trajectory& trajectory);

}  // namespace gradus
