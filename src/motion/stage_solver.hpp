// Who solves the reduced systems of the columns on a device: the kernel that forms them, or,
// between two kernels, a solver of batched linear systems.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/backend/choice.hpp"
#include "src/backend/device.hpp"
#include "src/motion/request.hpp"

namespace gradus {

// "auto", "kernel", and the solvers that run on devices.
std::vector<std::string> stage_solver_names();

// Whether the request names a solver apart from the kernels, by name or by precision.
bool asks_for_stage_solver(const MotionRequest& request);

// Throws BackendError or InputError where no such solver can serve the request.
void check_stage_solver(const MotionRequest& request, const BackendChoice& backend);

// Whether a solver apart from the kernels serves the request.
bool uses_stage_solver(const MotionRequest& request, const Device& device);

// Whether the columns of a stage are its work: those of leading matrices in the motion.
bool is_for_stage_solver(const kernels::StageTangent& stage);

// Numbers that it keeps for each motion and each slice of `columns`.
struct SolverRoom {
  std::size_t motion = 0;
  std::size_t slice = 0;
};
SolverRoom stage_solver_room(const MotionRequest& request, int columns);

// The solver for a batch whose systems have so many right-hand sides in all.
std::unique_ptr<BatchedSolver> make_stage_solver(const MotionRequest& request, Device& device,
                                                 LinearBatch batch, int columns);

}  // namespace gradus
