// Direction numbers come from Boost's engine (Joe and Kuo's table), points from their sums.
#include "src/study/sampling/sobol_sequence.hpp"

#include <boost/random/sobol.hpp>

namespace gradus {

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
