// Permutations by Philox, and Sobol's sequence from the direction numbers of Boost's engine (Joe
// and Kuo's table).
#include "src/study/sampling/random_numbers.hpp"

#include <boost/random/sobol.hpp>

namespace gradus {

Permutation::Permutation(std::uint64_t size, std::uint64_t seed, std::uint32_t stream,
                         RandomPurpose purpose)
    : size_(size), seed_(seed), stream_(stream), purpose_(purpose) {
  while ((std::uint64_t{1} << (2 * half_bits_)) < size) ++half_bits_;
}

std::uint64_t Permutation::once(std::uint64_t place) const {
  constexpr std::uint32_t rounds = 8;  // halves of few bits need more than the usual four
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = place >> half_bits_;
  std::uint64_t right = place & mask;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const PhiloxBlock words = philox(
        {static_cast<std::uint32_t>(right), round, stream_, static_cast<std::uint32_t>(purpose_)},
        seed_);
    const std::uint64_t mixed = (left ^ words[0]) & mask;
    left = right;
    right = mixed;
  }
  return left << half_bits_ | right;
}

std::uint64_t Permutation::operator()(std::uint64_t place) const {
  do place = once(place);
  while (place >= size_);
  return place;
}

std::size_t SobolSequence::most_dimensions() {
  return boost::random::default_sobol_table::max_dimension;
}

SobolSequence::SobolSequence(std::size_t dimensions) : directions_(dimensions * places) {
  boost::random::sobol engine(dimensions);
  for (std::size_t place = 0; place < places; ++place) {
    // The point whose Gray code has this bit alone is the direction itself.
    engine.seed((std::uint64_t{2} << place) - 2);
    for (std::size_t k = 0; k < dimensions; ++k) directions_[k * places + place] = engine();
  }
}

std::uint64_t SobolSequence::bits(std::size_t index, std::size_t dimension) const {
  const std::uint64_t* direction = &directions_[dimension * places];
  std::uint64_t sum = 0;
  for (std::uint64_t gray = index ^ (index >> 1); gray != 0; gray >>= 1, ++direction)
    if (gray & 1) sum ^= *direction;
  return sum;
}

}  // namespace gradus
