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

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
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

const BreakEvenTable& built_in_break_even() {
  static const BreakEvenTable table{"NVIDIA H200",
                                    16,
                                    {{"direct", 4, 5, 821, 1, 131072},
                                     {"direct", 8, 32, 1646, 1, 16384},
                                     {"direct", 32, 128, {}, 1, 1024}}};
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
      counted(point.bodies, "body", "bodies") + ", " +
      (point.method == "none"
           ? std::string("motion alone")
           : counted(point.parameters, "parameter", "parameters") + ", " + point.method);
  if (!point.designs) return size + ": not with up to " + counted(point.most, "design", "designs");
  return size + ": from " + counted(*point.designs, "design", "designs") + " on";
}

}  // namespace gradus
