// How well measurements determine the fitted parameters.
#pragma once

#include <string>
#include <vector>

#include "gradus/fit.hpp"

namespace gradus {

// The result of a fit from which its statistics follow.
struct FittedPoint {
  std::vector<NamedUnit> variables;
  std::vector<double> start;   // [n_variable]
  std::vector<double> point;   // [n_variable]
  std::vector<bool> at_bound;  // [n_variable]
  double sum_of_squares = 0.0;
  std::vector<double> jacobian;  // [n_residual, n_variable] of (computed - measured) / deviation
};

// The start with the least sum. Among equal sums (up to round-off; all sums below `round_off` are
// equal) the first that converged, or else the first. NaN never wins.
std::size_t best_fit_start(const std::vector<FitStart>& starts, double round_off);

// Fills parameters, covariance, correlation, singular values, residual deviation and warnings by
// linearisation at the point. What cannot be identified has NaN and a warning.
void add_statistics(const FittedPoint& fitted, FitResult& result);

}  // namespace gradus
