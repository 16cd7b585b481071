// The solver of gradus itself, on any device.
#pragma once

#include "src/backend/linear.hpp"

namespace gradus {

std::unique_ptr<BatchedSolver> make_native_solver(Device& device, const LinearBatch& batch);

}  // namespace gradus
