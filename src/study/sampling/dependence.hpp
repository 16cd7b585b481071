// Parameters of a sweep that depend on each other.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gradus/sweep.hpp"

namespace gradus {

// The Cholesky factor of a correlation matrix, which makes independent normal scores dependent.
class DependenceFactor {
 public:
  // No dependence.
  DependenceFactor() = default;
  // Throws InputError, opened by `where`: parameters that are not in the sweep or named twice, a
  // covariance of parameters that are not normal, a matrix that is not positive definite.
  DependenceFactor(const Sweep& sweep, const std::string& where);

  const std::vector<std::size_t>& parameters() const { return parameters_; }  // of the sweep
  // Replaces the independent scores of these parameters by dependent ones.
  void apply(std::span<double> scores) const;

 private:
  std::vector<std::size_t> parameters_;
  std::vector<double> factor_;  // [row, column <= row], lower triangle row by row
};

// The distributions of the parameters of a sweep, with the standard deviations that its covariance
// sets.
std::vector<Distribution> distributions_of(const Sweep& sweep);

}  // namespace gradus
