// Values between recorded times, by the polynomial through the nearest four of them.
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

// `times` ascend, one at least. At a recorded time its value alone counts. At the ends, and beyond
// them, the four nearest are all on one side; where fewer are recorded, all of them serve.
TimeWeights weights_at(const std::vector<double>& times, double time);

}  // namespace gradus
