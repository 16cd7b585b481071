// The designs of a sweep: each depends only on the study and its own number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradus/sweep.hpp"
#include "src/study/sampling/random_numbers.hpp"

namespace gradus {

inline constexpr std::uint64_t most_designs = 100'000'000;  // of a sweep

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

// Grids enumerate all combinations, the last axis fastest; lists are taken as given. Samples draw a
// point of the unit cube, whose coordinates are probabilities, and take the quantiles of the
// parameters there. The points are independent random numbers; a Latin hypercube, whose slices are
// visited in random order; or Sobol's sequence with a random digital shift (exclusive or with
// random bits, one number per coordinate), which makes every point uniformly distributed and leaves
// the points as evenly spread. For dependent parameters, the normal scores of these probabilities
// are multiplied by the Cholesky factor of their correlation.
class Sampler {
 public:
  // Throws InputError for sweeps that cannot be sampled: empty or reversed ranges, deviations that
  // are not positive, truncation that leaves nothing, a matrix that is not positive definite, more
  // dimensions than the sequence has, no designs or too many. `where` opens the message.
  explicit Sampler(const Sweep& sweep, const std::string& where = "sweep");

  std::size_t designs() const { return designs_; }
  // The values of the parameters of the sweep, in its order, of design `index`.
  void sample(std::size_t index, std::span<double> values) const;

 private:
  std::size_t count_designs(const std::string& where) const;
  double probability(std::size_t index, std::size_t parameter) const;
  void sample_distributions(std::size_t index, std::span<double> values) const;

  Sweep sweep_;
  std::size_t designs_ = 0;
  std::vector<Distribution> distributions_;
  DependenceFactor dependence_;
  std::vector<Permutation> strata_;     // of Latin hypercubes, one per parameter
  std::optional<SobolSequence> sobol_;  // of Sobol's sequence
};

}  // namespace gradus
