// Arrays of numbers that are compared to the bit.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "kernels/base/view.hpp"
#include "kernels/linear/team.hpp"
#include "tests/support/linear_systems.hpp"

namespace gradus::test {

using Numbers = std::vector<double>;
using Array = kernels::View<double, false>;

inline Array view(Numbers& numbers) {
  return Array(numbers.data());
}

inline kernels::Square<Array> square(Numbers& numbers, int size) {
  return {view(numbers), size};
}

inline Numbers numbers_of(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

// Signs of zeros and undefined numbers count as well.
inline void expect_same_bits(const Numbers& a, const Numbers& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k)
    ASSERT_EQ(std::memcmp(&a[k], &b[k], sizeof(double)), 0)
        << what << "[" << k << "]: " << a[k] << " and " << b[k];
}

}  // namespace gradus::test
