// Times of whole runs.
#include "src/study/benchmark/measurement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gradus {
namespace {

// Rows of `width` entries, the first `rows` of both.
double largest_deviation(const std::vector<double>& found, const std::vector<double>& expected,
                         std::size_t rows, std::size_t width) {
  double largest = 0.0;
  for (std::size_t row = 0; row < rows; ++row) {
    double scale = 0.0;
    double difference = 0.0;
    for (std::size_t k = row * width; k < (row + 1) * width; ++k) {
      scale = std::max(scale, std::abs(expected[k]));
      difference = std::max(difference, std::abs(found[k] - expected[k]));
    }
    if (difference > 0.0) largest = std::max(largest, difference / scale);
  }
  return largest;
}

}  // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

Result run_once(const Model& model, const Options& options) {
  return options.method == "none" ? simulate(model, options) : gradient(model, options);
}

double deviation(const Result& result, const Result& reference) {
  if (!result.all_ok() || !reference.all_ok()) return std::numeric_limits<double>::infinity();
  const std::size_t objectives = reference.objectives.size();
  if (reference.gradient.empty())
    return largest_deviation(result.objective_values, reference.objective_values, objectives, 1);
  return largest_deviation(result.gradient, reference.gradient, objectives,
                           reference.parameters.size());
}

std::vector<double> time_runs(const Model& model, const Options& options, std::size_t repeats) {
  std::vector<double> seconds;
  for (std::size_t k = 0; k < repeats; ++k)
    seconds.push_back(run_once(model, options).timing.total_s);
  return seconds;
}

}  // namespace gradus
