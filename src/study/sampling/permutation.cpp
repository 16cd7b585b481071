// The rounds of the network, and the walk back into the range.
#include "src/study/sampling/permutation.hpp"

namespace gradus {

Permutation::Permutation(std::uint64_t size, std::uint64_t seed, std::uint32_t stream,
                         RandomPurpose purpose)
    : size_(size), seed_(seed), stream_(stream), purpose_(purpose) {
  while ((std::uint64_t{1} << (2 * half_bits_)) < size) ++half_bits_;
}

std::uint64_t Permutation::once(std::uint64_t place) const {
  constexpr std::uint32_t rounds = 8;  // few bits a half take more than the four that many need
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

}  // namespace gradus
