// Noise by third differences, errors of differences by their sweep.
#include "src/sensitivity/difference_errors.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {
namespace {

constexpr double kTruncationLeft = 0.1;
constexpr double kTruncationSafety = 4.0;

}  // namespace

void note_scatter(const std::vector<double>& numbers, std::vector<double>& noise) {
  const std::size_t size = noise.size();
  for (std::size_t at = 0; at + 3 * size < numbers.size(); ++at) {
    const double difference = numbers[at] - 3.0 * numbers[at + size] +
                              3.0 * numbers[at + 2 * size] - numbers[at + 3 * size];
    double& largest = noise[at % size];
    if (std::isfinite(difference)) largest = std::max(largest, std::abs(difference));
  }
}

BestDifference best_difference(const std::vector<CentralDifference>& sweep, double noise) {
  std::vector<BestDifference> found;
  for (std::size_t s = 0; s < sweep.size(); ++s) {
    const double slope = sweep[s].slope;
    // The coarsest of all has none coarser to be compared with.
    const bool is_first = s == 0 || !std::isfinite(sweep[s - 1].slope);
    if (is_first && s + 1 == sweep.size()) continue;
    const double other = sweep[is_first ? s + 1 : s - 1].slope;
    const double change = std::abs(slope - other) * (is_first ? 1.0 : kTruncationLeft);
    const double scatter = 2.0 * noise / sweep[s].width;
    found.push_back({slope, sweep[s].step, kTruncationSafety * change + kLargestScatter * scatter});
  }
  BestDifference best;
  for (const BestDifference& one : found)
    if (one.error < best.error) best = one;  // not if it is NaN
  const double claimed = best.error;
  for (const BestDifference& one : found) {
    const double apart = std::abs(one.slope - best.slope);
    if (apart > claimed + one.error) best.error = std::max(best.error, apart + one.error);
  }
  return best;
}

}  // namespace gradus
