// Signals over time: sensors, objectives and their gradients.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
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

// A signal: its component, its label, the group it is chosen with, its unit, what its numbers are
// multiplied by.
struct Line {
  std::size_t component;
  std::string label, group, unit;
  double factor = 1.0;
};

constexpr std::size_t most_lines = 12;  // of one gradient

// Of lines that are thinned: where each has its extremes in each of so many parts of the motion, so
// that no peak is missing.
std::vector<std::size_t> extremes_of(const Recording& recording, const std::vector<Line>& lines) {
  if (recording.designs > 1 || recording.times <= most_samples) return {};
  const std::size_t parts =
      std::max<std::size_t>(1, most_samples / 4 / std::max<std::size_t>(1, lines.size()));
  std::vector<std::size_t> found;
  for (const Line& line : lines)
    for (std::size_t part = 0; part < parts; ++part) {
      const std::size_t begin = part * recording.times / parts;
      const std::size_t end = (part + 1) * recording.times / parts;
      std::size_t lowest = begin, highest = begin;
      for (std::size_t i = begin; i < end; ++i) {
        const double value = recording.at(0, i, line.component);
        if (value < recording.at(0, lowest, line.component)) lowest = i;
        if (value > recording.at(0, highest, line.component)) highest = i;
      }
      found.insert(found.end(), {lowest, highest});
    }
  return found;
}

Json signals(const std::string& title, const Recording& recording, const std::vector<Line>& lines,
             const std::vector<double>& time, const std::string& note) {
  const bool many = recording.designs > 1;
  const std::vector<std::size_t> times = thinned_with(
      time.size(), many ? most_times_of_bands : most_samples, extremes_of(recording, lines));
  Json list = Json::array();
  for (const Line& line : lines) {
    list.push_back(many ? band_of(recording, line.component, line.label, times)
                        : line_of(recording, line.component, line.label, times, line.factor));
    list.back().update({{"group", line.group}, {"unit", line.unit}});
  }
  return {{"kind", "signals"},          {"title", title},
          {"x", time_axis()},           {"times", numbers_at(time, times)},
          {"signals", std::move(list)}, {"note", note}};
}

std::string note_on(const Recording& recording, std::size_t n_time) {
  std::string note;
  const std::size_t most = recording.designs > 1 ? most_times_of_bands : most_samples;
  if (recording.designs > 1)
    note = "Lines are medians, bands hold 90 % of " + std::to_string(recording.designs) +
           " designs (5 to 95 %, time by time). ";
  if (n_time > most)
    note +=
        recording.designs > 1
            ? std::to_string(most) + " of " + std::to_string(n_time) + " recorded times are shown."
            : "At most " + std::to_string(most) + " of " + std::to_string(n_time) +
                  " recorded times are shown, those of peaks among them.";
  return note;
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
  std::vector<Line> lines;
  for (std::size_t i = 0; i < components.size(); ++i)
    lines.push_back({i, components[i].name, sensor_of(components[i].name), components[i].unit});
  return signals("Sensors over time", recording, lines, time, note_on(recording, time.size()));
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
  std::vector<Line> lines;
  for (std::size_t o = 0; o < objectives.size(); ++o)
    lines.push_back({o, objectives[o].name, objectives[o].name, objectives[o].unit});
  return signals("Objectives over time", recording, lines, time, note_on(recording, time.size()));
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
  const std::size_t shown = std::min(parameters.size(), most_lines);
  std::vector<Line> lines;
  for (std::size_t o = 0; o < objectives.size(); ++o)
    for (std::size_t p = 0; p < shown; ++p)
      lines.push_back({o * parameters.size() + p, parameters[p].name,
                       "d " + objectives[o].name + " per relative change", objectives[o].unit,
                       values[p]});
  return signals("Gradient over time", recording, lines, time,
                 first_shown(shown, parameters.size(), "parameters"));
}

}  // namespace gradus::report
