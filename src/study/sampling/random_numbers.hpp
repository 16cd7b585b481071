// Random numbers and low-discrepancy points with random access: each is a function of a counter,
// not of earlier draws.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gradus {

// Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; SC
// 2011).
using PhiloxBlock = std::array<std::uint32_t, 4>;

// The block of random words for a counter and a key.
inline PhiloxBlock philox(PhiloxBlock counter, std::uint64_t key) {
  constexpr int rounds = 10;
  constexpr std::uint64_t first_factor = 0xD2511F53, second_factor = 0xCD9E8D57;
  constexpr std::uint32_t first_step = 0x9E3779B9, second_step = 0xBB67AE85;
  auto first_key = static_cast<std::uint32_t>(key);
  auto second_key = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t first = first_factor * counter[0];
    const std::uint64_t second = second_factor * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ first_key,
               static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ second_key,
               static_cast<std::uint32_t>(first)};
    first_key += first_step;
    second_key += second_step;
  }
  return counter;
}

// What random numbers are for: those of one seed are independent between purposes.
enum class RandomPurpose : std::uint32_t { value, jitter, permutation, shift, group };

// 64 random bits for a design and a parameter.
inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t design, std::uint32_t parameter,
                                 RandomPurpose purpose) {
  const PhiloxBlock words =
      philox({static_cast<std::uint32_t>(design), static_cast<std::uint32_t>(design >> 32),
              parameter, static_cast<std::uint32_t>(purpose)},
             seed);
  return std::uint64_t{words[1]} << 32 | words[0];
}

// A number strictly between 0 and 1, an odd multiple of 2^-53, so that 1 minus it is exact and is
// such a number too.
inline double unit_interval(std::uint64_t bits) {
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

// A random permutation of 0 to size - 1 without a table: a Feistel network over the next power of
// four, with Philox as its round function. Values outside the range pass through it again until
// they return.
class Permutation {
 public:
  // `stream` distinguishes permutations of one seed and purpose. At most 2^32 places.
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

// Sobol's sequence of low discrepancy.
class SobolSequence {
 public:
  static std::size_t most_dimensions();

  explicit SobolSequence(std::size_t dimensions);

  // 64 binary places of a coordinate of point `index` < 2^32. Point 0 is the origin, which Boost's
  // engine skips: its first point is point 1 here.
  std::uint64_t bits(std::size_t index, std::size_t dimension) const;

 private:
  static constexpr std::size_t places = 32;
  std::vector<std::uint64_t> directions_;  // [dimension, place]
};

}  // namespace gradus
