// Proves the gradient of a fit by central differences, which share no derivative with it.
#pragma once

#include <vector>

#include "src/study/fit_model.hpp"

namespace gradus {

inline constexpr double largest_fit_deviation = 1e-5;  // what central differences can confirm

// Largest deviation of the gradient of the sum of squares from central differences of motions, each
// at the best of a few steps, relative to the largest entry that residuals of their size can have.
// `sums` are those at the point. Points outside the bounds are not asked for: close to one, the
// gradient is checked a step further in. Infinite where a motion fails.
double gradient_deviation(const FitModel& model, const LeastSquaresProblem& problem,
                          const std::vector<double>& point);

}  // namespace gradus
