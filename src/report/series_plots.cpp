// Lines over time, and over the evaluations of optimisers.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <system_error>

#include "src/report/pages.hpp"
#include "src/study/sweep/sweep_statistics.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t most_times_of_bands = 400;
constexpr std::array probabilities{0.05, 0.5, 0.95};

// Single elements of an array that may be larger than memory.
class Elements {
 public:
  explicit Elements(const results::ArrayView& array) : array_(array) {
    if (array.type != "<f8" || array.fortran_order) converted_ = array.numbers();
  }
  double operator[](std::size_t index) const {
    if (!converted_.empty()) return converted_[index];
    double value = 0.0;
    std::memcpy(&value, array_.bytes.data() + index * sizeof value, sizeof value);
    return value;
  }

 private:
  const results::ArrayView& array_;
  std::vector<double> converted_;
};

// Recorded numbers: designs, times, components.
struct Recording {
  Elements values;
  std::size_t designs, times, components;

  double at(std::size_t design, std::size_t time, std::size_t component) const {
    return values[(design * times + time) * components + component];
  }
};

// An array [(design,) time, extents...], whose last axes become one.
Recording recording_of(const results::NpzReader& archive, const std::string& name,
                       std::size_t times, const results::Shape& extents) {
  const results::Shape& found = archive.at(name).shape;
  const bool is_batch = found.size() == extents.size() + 2;
  const std::size_t designs = is_batch ? found[0] : 1;
  results::Shape shape{times};
  if (is_batch) shape.insert(shape.begin(), designs);
  shape.insert(shape.end(), extents.begin(), extents.end());
  std::size_t components = 1;
  for (const std::size_t extent : extents) components *= extent;
  return {Elements(array_of(archive, name, shape)), designs, times, components};
}

Json line_of(const Recording& recording, std::size_t component, const std::string& label,
             const std::vector<std::size_t>& times, double factor = 1.0) {
  std::vector<double> values;
  for (const std::size_t time : times) values.push_back(factor * recording.at(0, time, component));
  return {{"label", label}, {"y", numbers(values)}};
}

Json band_of(const Recording& recording, std::size_t component, const std::string& label,
             const std::vector<std::size_t>& times) {
  std::array<std::vector<double>, 3> rows;
  std::vector<double> values;
  for (const std::size_t time : times) {
    values.clear();
    for (std::size_t design = 0; design < recording.designs; ++design)
      if (const double value = recording.at(design, time, component); std::isfinite(value))
        values.push_back(value);
    std::sort(values.begin(), values.end());
    for (std::size_t i = 0; i < 3; ++i) rows[i].push_back(quantile_of(values, probabilities[i]));
  }
  return {{"label", label},
          {"y", numbers(rows[1])},
          {"low", numbers(rows[0])},
          {"high", numbers(rows[2])}};
}

// Components of one sensor follow each other: "r2.x", "r2.y", "r2.z".
std::string sensor_of(const std::string& component) {
  return component.substr(0, component.find('.'));
}

// A line of a choice: its component, its label, what its numbers are multiplied by.
struct Line {
  std::size_t component;
  std::string label;
  double factor = 1.0;
};

constexpr std::size_t most_lines = 12;  // of one choice

// A choice that shows some components in the unit of one thing.
Json course_over_time(const Recording& recording, const std::vector<Line>& lines,
                      const NamedUnit& thing, const std::vector<double>& time) {
  const bool many = recording.designs > 1;
  const std::vector<std::size_t> times =
      thinned(time.size(), many ? most_times_of_bands : most_samples);
  Json series = Json::array();
  for (const Line& line : lines)
    series.push_back(many ? band_of(recording, line.component, line.label, times)
                          : line_of(recording, line.component, line.label, times, line.factor));
  return {{"label", thing.name},
          {"x", {{"label", "time"}, {"unit", "s"}}},
          {"y", {{"label", thing.name}, {"unit", thing.unit}}},
          {"times", numbers_at(time, times)},
          {"series", std::move(series)}};
}

Json choices_of(const Recording& recording, const std::vector<NamedUnit>& components,
                const std::vector<double>& time) {
  Json choices = Json::array();
  for (std::size_t first = 0; first < components.size();) {
    const std::string sensor = sensor_of(components[first].name);
    std::vector<Line> lines;
    for (; first < components.size() && sensor_of(components[first].name) == sensor; ++first)
      lines.push_back({first, components[first].name});
    choices.push_back(
        course_over_time(recording, lines, {sensor, components[first - 1].unit}, time));
  }
  return choices;
}

std::string note_on(const Recording& recording, std::size_t n_time) {
  std::string note;
  const std::size_t most = recording.designs > 1 ? most_times_of_bands : most_samples;
  if (recording.designs > 1)
    note = "Lines are medians, bands hold 90 % of " + std::to_string(recording.designs) +
           " designs (5 to 95 %, time by time). ";
  if (n_time > most)
    note += std::to_string(most) + " of " + std::to_string(n_time) + " recorded times are shown.";
  return note;
}

// Histories. --------------------------------------------------------------------------------------
constexpr std::size_t most_starts = 100;

struct Course {
  std::vector<double> x, y;
};

std::map<std::size_t, Course> courses(const TextTable& history, const std::string& count,
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

Json course_of(const Course& course, const std::string& label, bool is_best) {
  const std::vector<std::size_t> indices = thinned(course.x.size(), most_samples);
  return {{"label", label},
          {"x", numbers_at(course.x, indices)},
          {"y", numbers_at(course.y, indices)},
          {"style", is_best ? "strong" : "faint"},
          {"color", is_best ? 0 : 6}};
}

}  // namespace

Json sensor_plots(const std::filesystem::path& file) {
  std::error_code unused;
  if (!std::filesystem::exists(file, unused)) return nullptr;
  const results::NpzReader archive(file);
  const std::vector<NamedUnit> components = named_units(archive, "sensor");
  const std::vector<double> time = archive.at("time").numbers();
  const Recording recording = recording_of(archive, "sensors", time.size(), {components.size()});
  if (components.empty() || recording.designs == 0) return nullptr;
  return plot("lines", "Sensors over time", choices_of(recording, components, time),
              note_on(recording, time.size()));
}

Json objective_plots(const std::filesystem::path& file) {
  std::error_code unused;
  if (!std::filesystem::exists(file, unused)) return nullptr;
  const results::NpzReader archive(file);
  if (!archive.has("objective_history")) return nullptr;
  const std::vector<NamedUnit> objectives = named_units(archive, "objective");
  const std::vector<double> time = archive.at("time").numbers();
  const Recording recording =
      recording_of(archive, "objective_history", time.size(), {objectives.size()});
  if (recording.designs == 0) return nullptr;
  Json choices = Json::array();
  for (std::size_t o = 0; o < objectives.size(); ++o)
    choices.push_back(course_over_time(recording, {{o, objectives[o].name}}, objectives[o], time));
  return plot("lines", "Objectives over time", std::move(choices), note_on(recording, time.size()));
}

// Times their parameters, so that they can be compared; of the first design.
Json gradient_plots(const std::filesystem::path& file, const std::vector<double>& values) {
  std::error_code unused;
  if (!std::filesystem::exists(file, unused)) return nullptr;
  const results::NpzReader archive(file);
  if (!archive.has("gradient_history")) return nullptr;
  const std::vector<NamedUnit> objectives = named_units(archive, "objective"),
                               parameters = named_units(archive, "parameter");
  const std::vector<double> time = archive.at("time").numbers();
  Recording recording = recording_of(archive, "gradient_history", time.size(),
                                     {objectives.size(), parameters.size()});
  if (recording.designs == 0 || values.size() < parameters.size()) return nullptr;
  recording.designs = 1;
  Json choices = Json::array();
  const std::size_t shown = std::min(parameters.size(), most_lines);
  for (std::size_t o = 0; o < objectives.size(); ++o) {
    std::vector<Line> lines;
    for (std::size_t p = 0; p < shown; ++p)
      lines.push_back({o * parameters.size() + p, parameters[p].name, values[p]});
    choices.push_back(course_over_time(
        recording, lines, {"d " + objectives[o].name + " per relative change", objectives[o].unit},
        time));
  }
  return plot("lines", "Gradient over time", std::move(choices),
              first_shown(shown, parameters.size(), "parameters"));
}

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
      series.push_back(course_of(course, first ? "other starts" : "", false));
      first = false;
    }
    if (const auto found = all.find(best); found != all.end())
      series.push_back(
          course_of(found->second, all.size() == 1 ? "" : "start " + std::to_string(best), true));
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

}  // namespace gradus::report
