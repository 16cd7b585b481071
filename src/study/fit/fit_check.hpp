// Checks the gradient of a fit by central differences, which share no derivatives with it.
#pragma once

#include <functional>
#include <vector>

#include "src/study/fit/levenberg_marquardt.hpp"

namespace gradus {

inline constexpr double largest_fit_deviation = 1e-5;  // what central differences can confirm

// Sums of squares at points, NaN where there is none.
using SumsOfSquares =
    std::function<std::vector<double>(const std::vector<std::vector<double>>& points)>;

// Largest deviation of the gradient of the sum of squares, as `ask` has it, from central
// differences of `sums`, each at the best of a few steps, relative to the largest entry that
// residuals of their size can have. Points outside the bounds are not evaluated: near a bound, the
// gradient is checked one step inside. Infinite if the sums cannot be evaluated.
double gradient_deviation(const LeastSquaresProblem& problem, const std::vector<double>& point,
                          const Ask& ask, const SumsOfSquares& sums);

}  // namespace gradus
