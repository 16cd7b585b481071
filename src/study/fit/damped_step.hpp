// One step of Levenberg and Marquardt's method, cut at bounds.
#pragma once

#include <vector>

#include "src/study/fit/levenberg_marquardt.hpp"

namespace gradus {

struct DampedStep {
  std::vector<double> step;   // [n]
  std::vector<double> point;  // [n] where it leads, within the bounds
  double decrease = 0.0;      // of the sum, as the linearised residuals promise it
};

// Solves (J^T J + damping * diagonal) step = -J^T r for the variables that are not held at bounds.
// Those whose step would leave the bounds go to them, and the others are solved for once more.
DampedStep damped_step(const LeastSquaresProblem& problem, const std::vector<double>& point,
                       const LeastSquaresSums& sums, const std::vector<double>& scales,
                       double damping);

}  // namespace gradus
