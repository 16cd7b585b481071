// The page of a sweep: statistics, distributions, what causes the spread, all designs.
#include <algorithm>
#include <cmath>

#include "src/report/pages.hpp"
#include "src/report/trajectories.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t most_slopes = 60;
constexpr std::size_t most_axes = 30;  // parameters to choose from

struct Designs {
  std::vector<NamedUnit> parameters, objectives;
  std::vector<std::size_t> varied;  // of the parameters
  std::size_t count = 0;
  std::vector<double> parameter_values, objective_values, gradient;
};

std::vector<std::size_t> varied_parameters(const Json& summary, const Designs& designs) {
  std::vector<std::size_t> varied;
  for (const Json& parameter : member(summary, "parameters"))
    for (std::size_t k = 0; k < designs.parameters.size(); ++k)
      if (designs.parameters[k].name == text_of(parameter, "name") &&
          parameter.value("varies", false))
        varied.push_back(k);
  return varied;
}

Designs designs_of(const Folder& folder) {
  const results::NpzReader archive(folder.path / "designs.npz");
  Designs designs;
  designs.parameters = named_units(archive, "parameter");
  designs.objectives = named_units(archive, "objective");
  designs.varied = varied_parameters(folder.summary, designs);
  const results::Shape& shape = archive.at("objective_values").shape;
  const std::size_t n = shape.empty() ? 0 : shape[0];
  const std::size_t p = designs.parameters.size(), o = designs.objectives.size();
  designs.count = n;
  designs.parameter_values = array_of(archive, "parameter_values", {n, p}).numbers();
  designs.objective_values = array_of(archive, "objective_values", {n, o}).numbers();
  if (archive.has("gradient"))
    designs.gradient = array_of(archive, "gradient", {n, o, p}).numbers();
  return designs;
}

Json head(const Folder& folder) {
  const Json& summary = folder.summary;
  Facts facts = common_facts(folder, "Sweep");
  const double seed = number_of(summary, "seed");
  facts.add("status", text_of(summary, "status"))
      .add("sampling", text_of(summary, "sampling"))
      .add("designs", number_of(summary, "designs"))
      .add("failed", number_of(summary, "failed"));
  if (text_of(summary, "sampling") != "grid" && text_of(summary, "sampling") != "list")
    facts.add("seed", seed);
  return facts.block();
}

bool has_interval(const Json& estimate) {
  return std::isfinite(number_of(estimate, "low")) && std::isfinite(number_of(estimate, "high"));
}

Json statistics_table(const Json& statistics) {
  if (statistics.empty()) return nullptr;
  bool has_brackets = false;
  for (const Json& one : statistics)
    has_brackets =
        has_brackets || has_interval(member(one, "mean")) || has_interval(member(one, "variance"));
  Json rows = Json::array();
  for (const Json& one : statistics)
    rows.push_back({text_of(one, "objective"), text_of(one, "unit"),
                    number(number_of(one, "count")), estimate_cell(member(one, "mean")),
                    number(std::sqrt(number_of(member(one, "variance"), "value"))),
                    estimate_cell(member(one, "variance")), number(number_of(one, "minimum")),
                    number(number_of(one, "maximum"))});
  return table("Statistics",
               {{"objective", "", true},
                {"unit", "", true},
                {"designs", ""},
                {"mean", ""},
                {"standard deviation", ""},
                {"variance", ""},
                {"minimum", ""},
                {"maximum", ""}},
               std::move(rows), has_brackets ? "Brackets hold confidence intervals." : "");
}

std::string percent(double probability) {
  const double value = std::round(1e4 * probability) / 100.0;
  std::string text = number(value).dump();
  return text + " %";
}

Json quantile_table(const Json& statistics) {
  std::vector<Column> columns{{"objective", "", true}, {"unit", "", true}};
  if (statistics.empty()) return nullptr;
  for (const Json& quantile : member(statistics[0], "quantiles"))
    columns.push_back({percent(number_of(quantile, "probability")), ""});
  if (columns.size() == 2) return nullptr;
  Json rows = Json::array();
  for (const Json& one : statistics) {
    Json row = Json::array({text_of(one, "objective"), text_of(one, "unit")});
    for (const Json& quantile : member(one, "quantiles"))
      row.push_back(estimate_cell(member(quantile, "value")));
    rows.push_back(std::move(row));
  }
  Json block = table("Quantiles", columns, std::move(rows));
  block["wide"] = true;
  return block;
}

std::vector<double> doubles(const Json& list) {
  std::vector<double> values;
  for (const Json& value : list)
    values.push_back(value.is_number() ? value.get<double>() : missing);
  return values;
}

Json histograms(const Json& statistics) {
  Json choices = Json::array();
  for (const Json& one : statistics) {
    const Json& histogram = member(one, "histogram");
    const std::vector<double> edges = doubles(member(histogram, "edges"));
    const std::vector<double> counts = doubles(member(histogram, "counts"));
    if (counts.empty() || edges.size() != counts.size() + 1) continue;
    Json marks = Json::array();
    for (const Json& quantile : member(one, "quantiles"))
      marks.push_back({{"value", number(number_of(member(quantile, "value"), "value"))},
                       {"label", percent(number_of(quantile, "probability"))}});
    choices.push_back({{"label", text_of(one, "objective")},
                       {"unit", text_of(one, "unit")},
                       {"edges", numbers(edges)},
                       {"counts", numbers(counts)},
                       {"marks", std::move(marks)}});
  }
  if (choices.empty()) return nullptr;
  std::string quantiles;
  for (const Json& mark : choices[0]["marks"])
    quantiles += (quantiles.empty() ? "" : ", ") + text_of(mark, "label");
  return plot("histogram", "Distribution of objectives", std::move(choices),
              quantiles.empty() ? "" : "Dashed lines are quantiles: " + quantiles + ".");
}

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

Json scatter(const Designs& designs) {
  if (designs.varied.empty() || designs.objectives.empty() || designs.count == 0) return nullptr;
  const std::vector<std::size_t> indices = thinned(designs.count, most_points);
  std::vector<std::size_t> axes = designs.varied;
  if (axes.size() > most_axes) axes.resize(most_axes);
  std::string note;
  if (indices.size() < designs.count)
    note = std::to_string(indices.size()) + " of " + std::to_string(designs.count) +
           " designs are shown. ";
  if (axes.size() < designs.varied.size())
    note += "The first " + std::to_string(axes.size()) + " of " +
            std::to_string(designs.varied.size()) + " parameters can be chosen. ";
  if (!designs.gradient.empty()) note += "Strokes are exact derivatives at some of the designs.";
  Json block = {{"kind", "scatter"}, {"title", "Designs"}, {"note", note}};
  for (const std::size_t k : axes)
    block["x"].push_back(axis(designs.parameters[k], designs.parameter_values, k,
                              designs.parameters.size(), indices));
  for (std::size_t i = 0; i < designs.objectives.size(); ++i)
    block["y"].push_back(axis(designs.objectives[i], designs.objective_values, i,
                              designs.objectives.size(), indices));
  if (!designs.gradient.empty()) add_slopes(designs, indices, axes, block);
  return block;
}

Point nominal_point() {
  return {"the model's own values", {}};
}

}  // namespace

std::vector<Json> sweep_blocks(const Folder& folder) {
  const Designs designs = designs_of(folder);
  const Json& statistics = member(folder.summary, "statistics");
  std::vector<Json> blocks{head(folder)};
  blocks.push_back(histograms(statistics));
  blocks.push_back(statistics_table(statistics));
  blocks.push_back(quantile_table(statistics));
  for (Json& block : driver_blocks(member(folder.summary, "parameters"), statistics))
    blocks.push_back(std::move(block));
  blocks.push_back(scatter(designs));
  blocks.push_back(sensor_plots(folder.path / "trajectories.npz"));
  blocks.push_back(study_animation(folder, {nominal_point()}));
  blocks.push_back(failure_table(folder.summary, designs.count));
  return blocks;
}

}  // namespace gradus::report
