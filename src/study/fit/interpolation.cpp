// Lagrange's polynomials.
#include "src/study/fit/interpolation.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {
namespace {

// Times that differ by less than this part of a step are equal.
constexpr double kSameTime = 1e-9;

double lagrange(const double* times, std::size_t count, std::size_t k, double time) {
  double product = 1.0;
  for (std::size_t j = 0; j < count; ++j)
    if (j != k) product *= (time - times[j]) / (times[k] - times[j]);
  return product;
}

}  // namespace

TimeWeights weights_at(const std::vector<double>& times, double time) {
  const auto after =
      static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
  const std::size_t last = times.size() - 1;
  const std::size_t left = std::min(after == 0 ? 0 : after - 1, last == 0 ? 0 : last - 1);
  const std::size_t right = std::min(left + 1, last);
  const double same = kSameTime * (times[right] - times[left]);
  for (const std::size_t k : {left, right})
    if (std::abs(time - times[k]) <= same) return {k, 1, {1.0, 0.0, 0.0, 0.0}};
  TimeWeights result;
  result.count = std::min<std::size_t>(4, times.size());
  result.first = std::min(left == 0 ? 0 : left - 1, times.size() - result.count);
  for (std::size_t k = 0; k < result.count; ++k)
    result.weight[k] = lagrange(times.data() + result.first, result.count, k, time);
  return result;
}

}  // namespace gradus
