// A random permutation of 0 to size - 1 of which single places are computed, without a table.
#pragma once

#include <cstdint>

#include "src/study/sampling/philox.hpp"

namespace gradus {

// A Feistel network over the next power of four, whose round function is Philox. What leaves the
// range goes through it again, which ends, since a permutation returns to where it began.
class Permutation {
 public:
  // `stream` tells permutations of the same seed and purpose apart. At most 2^32 places.
  Permutation(std::uint64_t size, std::uint64_t seed, std::uint32_t stream, RandomPurpose purpose);

  std::uint64_t operator()(std::uint64_t place) const;

 private:
  std::uint64_t once(std::uint64_t place) const;

  std::uint64_t size_;
  std::uint64_t seed_;
  std::uint32_t stream_;
  RandomPurpose purpose_;
  unsigned half_bits_ = 0;
};

}  // namespace gradus
