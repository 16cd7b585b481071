// Parameters of a sweep that depend on each other.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gradus/sweep.hpp"

namespace gradus {

// The factor of a correlation matrix: makes independent normal scores dependent.
class DependenceFactor {
 public:
  // Nothing depends on anything.
  DependenceFactor() = default;
  // Throws InputError, opened by `where`: parameters that are not in the sweep or named twice, a
  // covariance of what is not normal, a matrix that is none.
  DependenceFactor(const Sweep& sweep, const std::string& where);

  const std::vector<std::size_t>& parameters() const { return parameters_; }  // of the sweep
  // Scores of these parameters; the results take their place.
  void apply(std::span<double> scores) const;

 private:
  std::vector<std::size_t> parameters_;
  std::vector<double> factor_;  // [row, column <= row], lower triangle row by row
};

// The distributions of the parameters of a sweep: those they have, with the standard deviations of
// its covariance.
std::vector<Distribution> distributions_of(const Sweep& sweep);

}  // namespace gradus
