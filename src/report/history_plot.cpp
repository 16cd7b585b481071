// Lines and designs over the evaluations of optimisers and the iterations of fits.
#include <algorithm>
#include <cmath>
#include <map>

#include "src/report/pages.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t most_starts = 100;

struct Course {
  std::vector<double> x, y;
  std::vector<Outcome> states;
};

// How each evaluation went; folders of earlier versions do not say what is feasible.
std::vector<Outcome> states_of(const TextTable& history) {
  if (!history.has("objective")) return {};
  std::vector<Outcome> states;
  const std::vector<double> objectives = history.numbers("objective");
  const std::vector<std::string> feasible = history.has("feasible")
                                                ? history.texts("feasible")
                                                : std::vector<std::string>(objectives.size());
  for (std::size_t i = 0; i < objectives.size(); ++i)
    states.push_back(!std::isfinite(objectives[i]) ? Outcome::failed
                     : feasible[i] == "false"      ? Outcome::infeasible
                                                   : Outcome::fine);
  return states;
}

std::map<std::size_t, Course> courses(const TextTable& history, const std::string& count,
                                      const std::string& column) {
  const std::vector<double> starts = history.numbers("start"), x = history.numbers(count),
                            y = history.numbers(column);
  const std::vector<Outcome> states = states_of(history);
  std::map<std::size_t, Course> all;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (!(starts[i] >= 0.0) || !(starts[i] < 1e9)) continue;
    Course& course = all[static_cast<std::size_t>(starts[i])];
    course.x.push_back(x[i]);
    course.y.push_back(y[i]);
    if (!states.empty()) course.states.push_back(states[i]);
  }
  return all;
}

// Whether to use a logarithmic axis: for values that are positive (or exactly zero, which it omits)
// and spread over decades.
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

// `legend` is empty where another line stands for this one.
Json course_of(const Course& course, std::size_t start, const std::string& legend, bool is_best) {
  const std::vector<std::size_t> indices = thinned(course.x.size(), most_samples);
  Json series = {{"label", legend},
                 {"name", "start " + std::to_string(start)},
                 {"x", numbers_at(course.x, indices)},
                 {"y", numbers_at(course.y, indices)},
                 {"style", is_best ? "strong" : "faint"},
                 {"color", is_best ? 0 : 6}};
  if (!course.states.empty())
    for (const std::size_t i : indices) series["states"].push_back(course.states[i]);
  return series;
}

}  // namespace

Json history_plot(const Folder& folder, const std::string& count,
                  const std::vector<HistoryColumn>& columns) {
  const TextTable history(folder.path / "history.csv");
  const std::size_t best = best_start(folder.summary);
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
      series.push_back(course_of(course, start, first ? "other starts" : "", false));
      first = false;
    }
    if (const auto found = all.find(best); found != all.end())
      series.push_back(course_of(found->second, best,
                                 all.size() == 1 ? "" : "start " + std::to_string(best), true));
    choices.push_back(
        {{"label", column.label},
         {"x", {{"label", count}, {"unit", ""}}},
         {"y", {{"label", column.label}, {"unit", ""}, {"log", wants_logarithm(all)}}},
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

Json evaluation_plot(const Folder& folder) {
  const TextTable history(folder.path / "history.csv");
  const std::vector<Outcome> all = states_of(history);
  const std::vector<std::size_t> rows = thinned(all.size(), most_lines_across);
  const auto picked = [&](const std::string& column) {
    const std::vector<double> values = history.numbers(column);
    std::vector<double> some;
    for (const std::size_t row : rows) some.push_back(values[row]);
    return some;
  };
  std::vector<ParallelAxis> axes;
  for (const Json& variable : member(folder.summary, "variables")) {
    const std::string name = text_of(variable, "name");
    if (!history.has("at " + name)) return nullptr;  // a folder of an earlier version
    axes.push_back({{name, text_of(variable, "unit")}, picked("at " + name), true});
  }
  axes.push_back({{"objective", ""}, picked("objective"), false});
  const Json& constraints = member(folder.summary, "constraints");
  if (constraints.is_array() && !constraints.empty())
    axes.push_back({{"constraint violation", ""}, picked("constraint_violation"), false});
  const std::vector<std::string> starts = history.texts("start"),
                                 evaluations = history.texts("evaluation");
  std::vector<Outcome> states;
  std::vector<std::string> labels;
  for (const std::size_t row : rows) {
    states.push_back(all[row]);
    labels.push_back("start " + starts[row] + ", evaluation " + evaluations[row]);
  }
  return parallel_plot("Evaluations", axes, states, labels, all.size());
}

}  // namespace gradus::report
