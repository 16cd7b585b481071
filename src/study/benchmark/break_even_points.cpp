// From the rows of a benchmark to its break-even points.
#include "src/study/benchmark/break_even_points.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "src/backend/break_even.hpp"

namespace gradus {
namespace {

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

// `auto` takes the first GPU.
bool is_gpu(const BenchmarkRow& row) {
  return row.backend_ran.rfind("cuda:0", 0) == 0;
}

bool is_cpu(const BenchmarkRow& row) {
  return row.backend_ran.rfind("cpu:", 0) == 0;
}

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
