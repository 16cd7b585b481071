// trajectory.npz and trajectories.npz -> plots.
#include "src/report/trajectories.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <system_error>

#include "gradus/error.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t most_times_of_bands = 400;
constexpr std::array probabilities{0.05, 0.5, 0.95};

// Single elements of an array that may be larger than the memory.
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

// Recorded sensors: designs, times, components.
struct Recording {
  Elements values;
  std::size_t designs, times, components;

  double at(std::size_t design, std::size_t time, std::size_t component) const {
    return values[(design * times + time) * components + component];
  }
};

Recording recording_of(const results::NpzReader& archive, std::size_t times,
                       std::size_t components) {
  const results::ArrayView& sensors = archive.at("sensors");
  const std::size_t designs = sensors.shape.size() == 3 ? sensors.shape[0] : 1;
  if (sensors.shape.size() != 2) array_of(archive, "sensors", {designs, times, components});
  return {
      Elements(array_of(archive, "sensors",
                        sensors.shape.size() == 2 ? results::Shape{times, components}
                                                  : results::Shape{designs, times, components})),
      designs, times, components};
}

// Interpolated between sorted values that are finite.
double quantile(const std::vector<double>& sorted, double probability) {
  if (sorted.empty()) return missing;
  const double place = probability * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double share = place - static_cast<double>(below);
  return sorted[below] + share * (sorted[above] - sorted[below]);
}

Json line_of(const Recording& recording, std::size_t component, const std::string& label,
             const std::vector<std::size_t>& times) {
  std::vector<double> values;
  for (const std::size_t time : times) values.push_back(recording.at(0, time, component));
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
    for (std::size_t i = 0; i < 3; ++i) rows[i].push_back(quantile(values, probabilities[i]));
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

Json choices_of(const Recording& recording, const std::vector<NamedUnit>& components,
                const std::vector<double>& time) {
  const bool many = recording.designs > 1;
  const std::vector<std::size_t> times =
      thinned(time.size(), many ? most_times_of_bands : most_samples);
  Json choices = Json::array();
  for (std::size_t first = 0; first < components.size();) {
    const std::string sensor = sensor_of(components[first].name);
    Json series = Json::array();
    std::size_t next = first;
    for (; next < components.size() && sensor_of(components[next].name) == sensor; ++next)
      series.push_back((many ? band_of : line_of)(recording, next, components[next].name, times));
    choices.push_back({{"label", sensor},
                       {"x", {{"label", "time"}, {"unit", "s"}}},
                       {"y", {{"label", sensor}, {"unit", components[first].unit}}},
                       {"times", numbers_at(time, times)},
                       {"series", std::move(series)}});
    first = next;
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

}  // namespace

Json sensor_plots(const std::filesystem::path& file) {
  std::error_code unused;
  if (!std::filesystem::exists(file, unused)) return nullptr;
  const results::NpzReader archive(file);
  const std::vector<NamedUnit> components = named_units(archive, "sensor");
  const std::vector<double> time = archive.at("time").numbers();
  const Recording recording = recording_of(archive, time.size(), components.size());
  if (components.empty() || recording.designs == 0) return nullptr;
  return plot("lines", "Sensors over time", choices_of(recording, components, time),
              note_on(recording, time.size()));
}

}  // namespace gradus::report
