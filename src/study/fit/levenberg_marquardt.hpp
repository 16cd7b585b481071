// Bounded nonlinear least squares by the method of Levenberg and Marquardt, from sums alone: the
// size of an answer does not depend on the number of residuals.
#pragma once

#include <cstddef>
#include <vector>

#include "gradus/fit.hpp"
#include "src/study/together.hpp"

namespace gradus {

// An Answer about n variables with residuals r and their Jacobian J holds S = r . r, then the n
// entries of J^T r, then the n * n of J^T J.
struct LeastSquaresSums {
  double sum = 0.0;
  std::vector<double> gradient;  // [n] J^T r, half the gradient of the sum
  std::vector<double> normal;    // [n, n] J^T J
};

// False for an answer that is empty or not finite.
bool unpack(const Answer& answer, std::size_t variables, LeastSquaresSums& sums);
Answer pack(const LeastSquaresSums& sums);

struct LeastSquaresProblem {
  std::vector<double> start;         // [n] within the bounds
  std::vector<double> lower, upper;  // [n] may be infinite
  double tolerance = 1e-10;          // relative, on steps and on the decrease of the sum
  double round_off = 0.0;            // a sum below this is round-off of its residuals, or what the
                                     // tolerance of an integrator leaves of them
  std::size_t iterations = 100;      // limit on the steps tried
};

// The sum is NaN if the start could not be evaluated.
struct LeastSquaresSolution : FitStart {
  LeastSquaresSums sums;  // at the point; empty if the start could not be evaluated
  double start_gradient_norm = 0.0;
  double gradient_norm = 0.0;  // of the sum by scaled variables, those held at bounds left out
  std::vector<FitHistoryRow> history;  // sums and norms are those of the best point so far
};

// The size of one scaled unit of each variable: |start|, so that units do not matter; for a start
// at 0 the distance or size of finite bounds, or else 1.
std::vector<double> variable_scales(const LeastSquaresProblem& problem);

// The size that changes of a variable are relative to; its scale keeps it away from 0.
double size_at(double point, double scale);

// Variables at a bound beyond which the sum would decrease.
std::vector<bool> held_at_bounds(const LeastSquaresProblem& problem,
                                 const std::vector<double>& point,
                                 const std::vector<double>& gradient);

// One step of the method, cut at bounds.
struct DampedStep {
  std::vector<double> step;   // [n]
  std::vector<double> point;  // [n] where it leads, within the bounds
  double decrease = 0.0;      // of the sum, predicted by the linearised residuals
};

// Solves (J^T J + damping * diagonal) step = -J^T r for the variables that are not held at bounds.
// Variables whose step would leave the bounds are put on them, and the others solved for again.
DampedStep damped_step(const LeastSquaresProblem& problem, const std::vector<double>& point,
                       const LeastSquaresSums& sums, const std::vector<double>& scales,
                       double damping);

// Goes from the start to a minimum within the bounds. A point that cannot be evaluated rejects the
// step; if the start cannot be evaluated, nothing is found.
LeastSquaresSolution levenberg_marquardt(const LeastSquaresProblem& problem, const Ask& ask);

}  // namespace gradus
