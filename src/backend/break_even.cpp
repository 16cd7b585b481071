// Break-even points.
#include "src/backend/break_even.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {
namespace {

double log_of(std::size_t count) {
  return std::log(static_cast<double>(count));
}

// Of the mechanisms, squared. A motion alone has no parameters.
double distance(const BreakEven& point, const Work& work) {
  const double bodies = log_of(std::max<std::size_t>(point.bodies, 1)) -
                        log_of(std::max<std::size_t>(work.bodies, 1));
  const double parameters = log_of(point.parameters + 1) - log_of(work.parameters + 1);
  return bodies * bodies + parameters * parameters;
}

std::string amount_of(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

// Direct gradients by ali3p: bench/results/2026-11-20-h200-throughput.json, times of 16 threads,
// each with one design at a time, and of one NVIDIA H200.
struct Record {
  std::size_t bodies, parameters;
  double gain;  // of 8 lanes
  std::vector<TimePair> pairs;
};

constexpr std::size_t kRecordedThreads = 16;

const std::vector<Record>& records() {
  static const std::vector<Record> all{
      {4,
       5,
       5.4,
       {{128, 0.0095, 0.0648},
        {1024, 0.0829, 0.0659},
        {16384, 1.38, 0.116},
        {131072, 9.26, 0.512}}},
      {8, 32, 4.6, {{128, 0.00608, 0.0449}, {1024, 0.037, 0.0498}, {16384, 0.59, 0.14}}},
      {32, 128, 1.5, {{1, 0.00732, 0.336}, {1024, 0.44, 1.71}}}};
  return all;
}

// What lanes gain (docs/performance.md). Fewer than 8 were measured with the five-bar only; they
// gain no more there than here.
double gain_of(const Record& record, int lanes) {
  if (lanes >= 8) return record.gain;
  return std::min(record.gain, lanes >= 4 ? 3.7 : lanes >= 2 ? 1.8 : 1.0);
}

// Threads share designs evenly; only as many designs as fill all lanes gain by them.
std::vector<TimePair> pairs_on(const Record& record, std::size_t threads, int lanes) {
  std::vector<TimePair> pairs = record.pairs;
  for (TimePair& pair : pairs) {
    const auto busy = [&](std::size_t of) {
      return static_cast<double>(std::min(of, pair.designs));
    };
    pair.cpu *= busy(kRecordedThreads) / busy(threads);
    if (pair.designs >= threads * static_cast<std::size_t>(lanes))
      pair.cpu /= gain_of(record, lanes);
  }
  return pairs;
}

}  // namespace

void find_break_even(std::vector<TimePair> pairs, BreakEven& point) {
  std::sort(pairs.begin(), pairs.end(),
            [](const TimePair& a, const TimePair& b) { return a.designs < b.designs; });
  point.fewest = pairs.front().designs;
  point.most = pairs.back().designs;
  const auto last = std::find_if(pairs.rbegin(), pairs.rend(),
                                 [](const TimePair& pair) { return !(pair.cpu > pair.gpu); });
  if (last == pairs.rend()) {
    point.designs = point.fewest;
    return;
  }
  if (last == pairs.rbegin()) {
    point.designs.reset();
    return;
  }
  const TimePair& before = *last;
  const TimePair& after = *(last - 1);
  const double from = std::log(before.cpu / before.gpu);
  const double to = std::log(after.cpu / after.gpu);
  const double designs =
      std::exp(log_of(before.designs) +
               from / (from - to) * (log_of(after.designs) - log_of(before.designs)));
  point.designs = std::clamp(static_cast<std::size_t>(std::ceil(designs * (1.0 - 1e-12))),
                             before.designs, after.designs);
}

BreakEvenTable built_in_break_even(std::size_t threads, int lanes) {
  BreakEvenTable table{"NVIDIA H200", threads, {}};
  for (const Record& record : records()) {
    BreakEven point{"direct", record.bodies, record.parameters, {}, 0, 0};
    find_break_even(pairs_on(record, threads, lanes), point);
    table.points.push_back(point);
  }
  return table;
}

const BreakEven* nearest_point(const BreakEvenTable& table, const Work& work) {
  const bool known =
      std::any_of(table.points.begin(), table.points.end(),
                  [&](const BreakEven& point) { return point.method == work.method; });
  const BreakEven* nearest = nullptr;
  for (const BreakEven& point : table.points) {
    if (known && point.method != work.method) continue;
    if (nearest == nullptr || distance(point, work) < distance(*nearest, work)) nearest = &point;
  }
  return nearest;
}

bool pays(const BreakEven& point, const Work& work) {
  return point.designs.has_value() && work.designs >= *point.designs;
}

std::string to_text(const BreakEven& point) {
  const std::string size =
      amount_of(point.bodies, "body", "bodies") + ", " +
      (point.method == "none"
           ? std::string("motion alone")
           : amount_of(point.parameters, "parameter", "parameters") + ", " + point.method);
  if (!point.designs)
    return size + ": not with up to " + amount_of(point.most, "design", "designs");
  return size + ": from " + amount_of(*point.designs, "design", "designs") + " on";
}

}  // namespace gradus
