// The designs of a sweep: each is a function of the study and its own number, whoever computes it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradus/sweep.hpp"
#include "src/study/sampling/dependence.hpp"
#include "src/study/sampling/random_numbers.hpp"

namespace gradus {

// Grids count like the hands of a clock, the last axis fastest; lists are what they are. Of samples
// the probabilities of all parameters fill the unit cube, and values are the quantiles there:
// independent random numbers; a Latin hypercube, whose slices are visited in random orders; or
// Sobol's sequence with a random digital shift, which is to say that the binary places of each
// coordinate are combined by exclusive or with those of a random number, so that every point is
// equally distributed and the points lie as evenly as before. Of parameters that depend on each
// other the normal scores of these probabilities are multiplied by the factor of their correlation.
class Sampler {
 public:
  // Throws InputError for what no sample can be drawn from: empty or reversed ranges, deviations
  // that are not positive, truncation that leaves nothing, a matrix that is not positive definite,
  // more dimensions than the sequence has, no designs or too many. `where` opens the message.
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
