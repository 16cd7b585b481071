// The designs of a sweep: each is a function of the study and its own number, whoever computes it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "gradus/sweep.hpp"

namespace gradus {

class Sampler {
 public:
  // Throws InputError for what no sample can be drawn from: empty or reversed ranges, deviations
  // that are not positive, truncation that leaves nothing, a matrix that is not positive definite,
  // more dimensions than the sequence has, no designs or too many.
  explicit Sampler(const Sweep& sweep);
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
