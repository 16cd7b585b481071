// Whether arrays of a caller are what they should be. Throw InputError.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>

#include "gradus/error.hpp"

namespace gradus {

inline constexpr const char* kNoStartStates = "a mechanism whose exchange has no start states";

inline void check_finite(std::span<const double> numbers, const char* what) {
  for (const double x : numbers)
    if (!std::isfinite(x))
      throw InputError(std::string(what) + ": found a number that is not finite");
}

// The same of rows, one for each design, whose numbers are called so.
inline void check_finite_rows(std::span<const double> rows, std::size_t width, const char* what,
                              const char* number) {
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (!std::isfinite(rows[k]))
      throw InputError(std::string(what) + ": found a number that is not finite (design " +
                       std::to_string(width > 0 ? k / width : k) + ", " + number + " " +
                       std::to_string(width > 0 ? k % width : 0) + ")");
}

inline void check_size(std::size_t found, std::size_t expected, const char* what,
                       const char* shape) {
  if (found != expected)
    throw InputError(std::string(what) + ": found " + std::to_string(found) +
                     " numbers, expected " + std::to_string(expected) + " for " + shape);
}

// Arrays that may be left out.
inline void check_optional(std::span<const double> array, std::size_t expected, const char* what,
                           const char* shape) {
  if (!array.empty()) check_size(array.size(), expected, what, shape);
}

}  // namespace gradus
