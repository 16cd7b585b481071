// Sobol's sequence of low discrepancy, any point of it at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gradus {

class SobolSequence {
 public:
  static std::size_t most_dimensions();

  explicit SobolSequence(std::size_t dimensions);

  // 64 binary places of a coordinate of point `index` < 2^32. Point 0 is the origin, which Boost's
  // engine leaves out: its first point is point 1 here.
  std::uint64_t bits(std::size_t index, std::size_t dimension) const;

 private:
  static constexpr std::size_t places = 32;
  std::vector<std::uint64_t> directions_;  // [dimension, place]
};

}  // namespace gradus
