// How starts of optimisers came to their ends, as plots over their evaluations.
#include <algorithm>
#include <cmath>
#include <map>

#include "src/report/pages.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t most_starts = 100;

struct Course {
  std::vector<double> x, y;
};

std::map<std::size_t, Course> courses(const CsvTable& history, const std::string& count,
                                      const std::string& column) {
  const std::vector<double> starts = history.numbers("start"), x = history.numbers(count),
                            y = history.numbers(column);
  std::map<std::size_t, Course> all;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (!(starts[i] >= 0.0) || !(starts[i] < 1e9)) continue;
    Course& course = all[static_cast<std::size_t>(starts[i])];
    course.x.push_back(x[i]);
    course.y.push_back(y[i]);
  }
  return all;
}

// Whether a logarithmic axis says more: values that are positive (or exactly zero, which it leaves
// out) and spread over decades.
bool wants_logarithm(const std::map<std::size_t, Course>& all) {
  double low = INFINITY, high = 0.0;
  for (const auto& [start, course] : all)
    for (const double y : course.y) {
      if (y < 0.0) return false;
      if (y > 0.0) low = std::min(low, y);
      if (std::isfinite(y)) high = std::max(high, y);
    }
  return high > 30.0 * low;
}

Json series_of(const Course& course, const std::string& label, bool is_best) {
  const std::vector<std::size_t> indices = thinned(course.x.size(), most_samples);
  return {{"label", label},
          {"x", numbers_at(course.x, indices)},
          {"y", numbers_at(course.y, indices)},
          {"style", is_best ? "strong" : "faint"},
          {"color", is_best ? 0 : 6}};
}

}  // namespace

Json history_plot(const CsvTable& history, const std::string& count, std::size_t best,
                  const std::vector<HistoryColumn>& columns) {
  Json choices = Json::array();
  std::size_t starts = 0;
  for (const HistoryColumn& column : columns) {
    const std::map<std::size_t, Course> all = courses(history, count, column.name);
    starts = all.size();
    if (all.empty()) continue;
    Json series = Json::array();
    bool first = true;
    for (const auto& [start, course] : all) {
      if (start == best) continue;
      if (series.size() + 1 >= most_starts) break;
      series.push_back(series_of(course, first ? "other starts" : "", false));
      first = false;
    }
    if (const auto found = all.find(best); found != all.end())
      series.push_back(
          series_of(found->second, all.size() == 1 ? "" : "start " + std::to_string(best), true));
    choices.push_back(
        {{"label", column.label},
         {"x", {{"label", count}, {"unit", ""}}},
         {"y", {{"label", column.label}, {"unit", column.unit}, {"log", wants_logarithm(all)}}},
         {"series", std::move(series)}});
  }
  if (choices.empty()) return nullptr;
  Json block =
      plot("lines", "History", std::move(choices),
           starts > most_starts ? "The best and " + std::to_string(most_starts - 1) +
                                      " others of " + std::to_string(starts) + " starts are shown."
                                : "");
  block["narrow"] = true;
  return block;
}

}  // namespace gradus::report
