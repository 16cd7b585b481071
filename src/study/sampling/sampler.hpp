// The designs of a sweep: each is a function of the study and its own number, whoever computes it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "gradus/sweep.hpp"

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
  ~Sampler();
  Sampler(Sampler&&) noexcept;

  std::size_t designs() const;
  // The values of the parameters of the sweep, in its order, of design `index`.
  void sample(std::size_t index, std::span<double> values) const;

 private:
  struct Content;
  std::unique_ptr<const Content> content_;
};

}  // namespace gradus
