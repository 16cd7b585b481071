// Interpolation between recorded times by the cubic polynomial through the nearest four.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace gradus {

// The value at a time is the sum of weight[k] * value[first + k], k < count.
struct TimeWeights {
  std::size_t first = 0;
  std::size_t count = 0;
  std::array<double, 4> weight{};
};

// `times` are ascending and not empty. At a recorded time only its own value counts. Near and
// beyond the ends the four nearest all lie on one side; with fewer than four, all are used.
TimeWeights weights_at(const std::vector<double>& times, double time);

}  // namespace gradus
