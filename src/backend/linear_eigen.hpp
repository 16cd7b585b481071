// The solver made of Eigen's factorisations, in host memory.
#pragma once

#include "src/backend/linear.hpp"

namespace gradus {

std::unique_ptr<BatchedSolver> make_eigen_solver(const LinearBatch& batch);

}  // namespace gradus
