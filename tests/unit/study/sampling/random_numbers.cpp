// Random words against the published vectors of Random123, and permutations that are ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "src/study/sampling/random_numbers.hpp"

namespace gradus::test {
namespace {

TEST(Philox, GivesTheKnownAnswers) {
  // kat_vectors of Random123: philox4x32 10.
  EXPECT_EQ(philox({0, 0, 0, 0}, 0), (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, 0xffffffffffffffff),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, GivesNumbersInsideTheUnitInterval) {
  EXPECT_EQ(unit_interval(0), 0x1p-53);
  EXPECT_EQ(unit_interval(~std::uint64_t{0}), 1.0 - 0x1p-53);
  double sum = 0.0, squares = 0.0;
  constexpr int count = 100000;
  for (int k = 0; k < count; ++k) {
    const double value =
        unit_interval(random_bits(7, static_cast<std::uint64_t>(k), 3, RandomPurpose::value));
    sum += value / count;
    squares += value * value / count;
  }
  EXPECT_NEAR(sum, 0.5, 0.004);  // four standard errors
  EXPECT_NEAR(squares, 1.0 / 3.0, 0.004);
}

TEST(Philox, TellsDesignsParametersPurposesAndSeedsApart) {
  const std::uint64_t bits = random_bits(1, 2, 3, RandomPurpose::value);
  EXPECT_EQ(bits, random_bits(1, 2, 3, RandomPurpose::value));
  EXPECT_NE(bits, random_bits(2, 2, 3, RandomPurpose::value));
  EXPECT_NE(bits, random_bits(std::uint64_t{1} << 32 | 1, 2, 3, RandomPurpose::value));
  EXPECT_NE(bits, random_bits(1, 3, 3, RandomPurpose::value));
  EXPECT_NE(bits, random_bits(1, std::uint64_t{1} << 32 | 2, 3, RandomPurpose::value));
  EXPECT_NE(bits, random_bits(1, 2, 4, RandomPurpose::value));
  EXPECT_NE(bits, random_bits(1, 2, 3, RandomPurpose::jitter));
}

std::vector<std::uint64_t> places(std::uint64_t size, std::uint64_t seed, std::uint32_t stream) {
  const Permutation permutation(size, seed, stream, RandomPurpose::permutation);
  std::vector<std::uint64_t> all;
  for (std::uint64_t k = 0; k < size; ++k) all.push_back(permutation(k));
  return all;
}

TEST(Permutation, VisitsEveryPlaceOnce) {
  for (const std::uint64_t size : {1, 2, 3, 4, 5, 16, 17, 1000, 1023, 1024, 1025}) {
    std::vector<std::uint64_t> all = places(size, 5, 1);
    std::sort(all.begin(), all.end());
    for (std::uint64_t k = 0; k < size; ++k) ASSERT_EQ(all[k], k) << size;
  }
}

TEST(Permutation, DiffersBySeedStreamAndPurpose) {
  EXPECT_NE(places(1000, 1, 1), places(1000, 2, 1));
  EXPECT_NE(places(1000, 1, 1), places(1000, 1, 2));
  const Permutation other(1000, 1, 1, RandomPurpose::group);
  std::size_t equal = 0;
  for (std::uint64_t k = 0; k < 1000; ++k) equal += other(k) == places(1000, 1, 1)[k] ? 1 : 0;
  EXPECT_LT(equal, 10U);  // one is expected
}

// All permutations of three places come up equally often.
TEST(Permutation, IsAnyOneEquallyLikely) {
  std::map<std::vector<std::uint64_t>, int> counts;
  for (std::uint32_t stream = 0; stream < 6000; ++stream) ++counts[places(3, 1, stream)];
  ASSERT_EQ(counts.size(), 6U);
  for (const auto& [permutation, count] : counts) EXPECT_NEAR(count, 1000, 120);
}

// Neighbours do not stay neighbours: rank correlations of a place with its image are those of
// chance, 1 / sqrt(n).
TEST(Permutation, ForgetsTheOrder) {
  constexpr std::uint64_t size = 4000;
  for (std::uint32_t stream = 0; stream < 20; ++stream) {
    const std::vector<std::uint64_t> all = places(size, 3, stream);
    double sum = 0.0;
    for (std::uint64_t k = 0; k < size; ++k)
      sum += (static_cast<double>(k) - 1999.5) * (static_cast<double>(all[k]) - 1999.5);
    EXPECT_LT(std::abs(sum / (size * (size * 1.0 * size - 1.0) / 12.0)), 0.06);
  }
}

}  // namespace
}  // namespace gradus::test
