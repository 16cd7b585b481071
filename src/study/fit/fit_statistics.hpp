// What measurements say about fitted parameters, and what they leave open.
#pragma once

#include <string>
#include <vector>

#include "gradus/fit.hpp"

namespace gradus {

// What a fit found, from which its statistics follow.
struct FittedPoint {
  std::vector<NamedUnit> variables;
  std::vector<double> start;   // [n_variable]
  std::vector<double> point;   // [n_variable]
  std::vector<bool> at_bound;  // [n_variable]
  double sum_of_squares = 0.0;
  std::vector<double> jacobian;  // [n_residual, n_variable] of (computed - measured) / deviation
};

// Which start found most: the least sum. Of those with the same sum but for round-off, which is all
// of it below `round_off`, the first that converged, or else the first. NaN is never the least.
std::size_t best_fit_start(const std::vector<FitStart>& starts, double round_off);

// Fills parameters, covariance, correlation, singular values, residual deviation and warnings by
// linearisation at the point. What cannot be identified has NaN and a warning.
void add_statistics(const FittedPoint& fitted, FitResult& result);

}  // namespace gradus
