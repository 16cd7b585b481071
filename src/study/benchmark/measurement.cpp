// Times of whole runs, and the machine they were measured on.
#include "src/study/benchmark/measurement.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <thread>

#include "gradus/benchmark.hpp"
#include "src/backend/choice.hpp"
#include "src/backend/device.hpp"

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

// Text after the colon of the first line that begins with `key`.
std::string proc_value(const char* file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(key, 0) != 0) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return "unknown";
}

}  // namespace

Machine this_machine() {
  Machine machine;
  machine.processor = proc_value("/proc/cpuinfo", "model name");
  machine.threads = std::max(1U, std::thread::hardware_concurrency());
  machine.memory = proc_value("/proc/meminfo", "MemTotal");
  machine.gpu_obstacle = cuda_obstacle(0);
  if (machine.gpu_obstacle.empty()) machine.gpu = gpu_name();
  return machine;
}

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
