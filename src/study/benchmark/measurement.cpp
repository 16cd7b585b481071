// Times of whole runs, the machine they were measured on, and break-even points.
#include "src/study/benchmark/measurement.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <thread>

#include "src/backend/break_even.hpp"
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

bool same_size(const BenchmarkRow& a, const BenchmarkRow& b) {
  return a.model == b.model && a.method == b.method && a.bodies == b.bodies &&
         a.parameters == b.parameters;
}

// The fastest of the rows of a batch that `accepts` takes; null if there is none.
template <class Accepts>
const BenchmarkRow* fastest(const std::vector<BenchmarkRow>& rows, const BenchmarkRow& like,
                            const Accepts& accepts) {
  const BenchmarkRow* best = nullptr;
  for (const BenchmarkRow& row : rows)
    if (row.measured() && same_size(row, like) && row.designs == like.designs && accepts(row) &&
        (best == nullptr || row.seconds < best->seconds))
      best = &row;
  return best;
}

// "cpu:4" and whatever a backend says after it.
bool uses_all_threads(const BenchmarkRow& row, const Machine& machine) {
  const std::string all = "cpu:" + std::to_string(machine.threads);
  return row.backend_ran.rfind(all, 0) == 0 &&
         row.backend_ran.find_first_of("0123456789", all.size()) != all.size();
}

const auto is_cpu = [](const BenchmarkRow& row) { return row.backend_ran.starts_with("cpu:"); };
// `auto` takes the first GPU.
const auto is_gpu = [](const BenchmarkRow& row) { return row.backend_ran.starts_with("cuda:0"); };

// What keeps the report from break-even points; empty if nothing does.
std::string obstacle_of(const BenchmarkReport& report) {
  const auto measured = [&](const auto& accepts) {
    return std::any_of(report.rows.begin(), report.rows.end(),
                       [&](const BenchmarkRow& row) { return row.measured() && accepts(row); });
  };
  for (const auto& [backend, reason] : report.obstacles)
    if (backend.rfind("cuda", 0) == 0) return reason;
  if (!measured(is_gpu)) return "no GPU was measured (backend cuda)";
  if (!measured([&](const BenchmarkRow& row) { return uses_all_threads(row, report.machine); }))
    return "all threads of the CPU were not measured (backend cpu)";
  return "";
}

// Of one size of mechanism, that of `like`.
std::vector<TimePair> time_pairs(const BenchmarkReport& report, BenchmarkRow like) {
  std::vector<TimePair> pairs;
  for (const std::size_t designs : report.settings.designs) {
    like.designs = designs;
    const BenchmarkRow* gpu = fastest(report.rows, like, is_gpu);
    const BenchmarkRow* cpu = fastest(report.rows, like, is_cpu);
    if (gpu != nullptr && cpu != nullptr) pairs.push_back({designs, cpu->seconds, gpu->seconds});
  }
  return pairs;
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
  if (options.method != "none") return gradient(model, options);
  Options motion = options;
  motion.method = Options().method;
  return simulate(model, motion);
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

void add_break_even(BenchmarkReport& report) {
  report.no_break_even = obstacle_of(report);
  if (!report.no_break_even.empty()) return;
  for (auto row = report.rows.begin(); row != report.rows.end(); ++row) {
    if (std::any_of(report.rows.begin(), row,
                    [&](const BenchmarkRow& before) { return same_size(before, *row); }))
      continue;
    const std::vector<TimePair> pairs = time_pairs(report, *row);
    if (pairs.empty()) continue;
    BreakEven point{row->method, row->bodies, row->parameters, {}, 0, 0};
    find_break_even(pairs, point);
    report.break_even.push_back(point);
  }
}

double BenchmarkReport::ratio(const BenchmarkRow& row) const {
  if (!row.measured()) return 0.0;
  for (const BenchmarkRow& first : rows)
    if (first.measured() && same_size(first, row) && first.designs == row.designs)
      return first.seconds / row.seconds;
  return 0.0;
}

}  // namespace gradus
