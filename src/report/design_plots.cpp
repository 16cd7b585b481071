// The designs of a sweep: as points, and as lines across parallel axes.
#include <cmath>

#include "src/report/pages.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t most_points = 5000;  // of the scatter plot
constexpr std::size_t most_slopes = 60;
constexpr std::size_t most_axes = 30;  // parameters to choose from

Json axis(const NamedUnit& thing, const std::vector<double>& values, std::size_t column,
          std::size_t width, const std::vector<std::size_t>& indices) {
  std::vector<double> picked;
  for (const std::size_t i : indices) picked.push_back(values[i * width + column]);
  return {{"name", thing.name}, {"unit", thing.unit}, {"values", numbers(picked)}};
}

// Derivatives at some of the shown designs: [objective][parameter][point].
void add_slopes(const Designs& designs, const std::vector<std::size_t>& indices,
                const std::vector<std::size_t>& axes, Json& block) {
  const std::size_t p = designs.parameters.size(), o = designs.objectives.size();
  const std::vector<std::size_t> points = thinned(indices.size(), most_slopes);
  Json slopes = Json::array();
  for (std::size_t i = 0; i < o; ++i) {
    Json rows = Json::array();
    for (const std::size_t k : axes) {
      std::vector<double> row;
      for (const std::size_t point : points)
        row.push_back(designs.gradient[(indices[point] * o + i) * p + k]);
      rows.push_back(numbers(row));
    }
    slopes.push_back(std::move(rows));
  }
  block["slopes"] = std::move(slopes);
  block["slope_points"] = points;
}

}  // namespace

Json scatter_plot(const Designs& designs, const std::vector<std::size_t>& varied) {
  if (varied.empty() || designs.objectives.empty() || designs.count == 0) return nullptr;
  const std::vector<std::size_t> indices = thinned(designs.count, most_points);
  std::vector<std::size_t> axes = varied;
  if (axes.size() > most_axes) axes.resize(most_axes);
  std::string note;
  if (indices.size() < designs.count)
    note = std::to_string(indices.size()) + " of " + std::to_string(designs.count) +
           " designs are shown. ";
  if (axes.size() < varied.size())
    note += "The first " + std::to_string(axes.size()) + " of " + std::to_string(varied.size()) +
            " parameters can be chosen. ";
  if (!designs.gradient.empty()) note += "Strokes are exact derivatives at some of the designs.";
  Json block = {{"kind", "scatter"}, {"title", "Designs"}, {"note", note}, {"designs", indices}};
  for (const std::size_t k : axes)
    block["x"].push_back(axis(designs.parameters[k], designs.parameter_values, k,
                              designs.parameters.size(), indices));
  for (std::size_t i = 0; i < designs.objectives.size(); ++i)
    block["y"].push_back(axis(designs.objectives[i], designs.objective_values, i,
                              designs.objectives.size(), indices));
  if (!designs.gradient.empty()) add_slopes(designs, indices, axes, block);
  return block;
}

// A design without its objectives has failed.
Json parallel_designs(const Designs& designs, const std::vector<std::size_t>& varied) {
  const std::size_t p = designs.parameters.size(), o = designs.objectives.size();
  const std::vector<std::size_t> drawn = thinned(designs.count, most_lines_across);
  const auto column = [&](const std::vector<double>& values, std::size_t width, std::size_t k) {
    std::vector<double> picked;
    for (const std::size_t n : drawn) picked.push_back(values[n * width + k]);
    return picked;
  };
  std::vector<ParallelAxis> axes;
  std::vector<Outcome> states(drawn.size(), Outcome::fine);
  for (const std::size_t k : varied)
    axes.push_back({designs.parameters[k], column(designs.parameter_values, p, k), true});
  for (std::size_t i = 0; i < o; ++i) {
    axes.push_back({designs.objectives[i], column(designs.objective_values, o, i), false});
    for (std::size_t n = 0; n < drawn.size(); ++n)
      if (!std::isfinite(axes.back().values[n])) states[n] = Outcome::failed;
  }
  std::vector<std::string> labels;
  for (const std::size_t n : drawn) labels.push_back("design " + std::to_string(n));
  if (o == 0) return nullptr;
  return parallel_plot("Designs in parallel", axes, states, labels, designs.count);
}

}  // namespace gradus::report
