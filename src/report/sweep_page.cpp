// The page of a sweep: statistics, distributions, what causes the spread, all designs.
#include <algorithm>
#include <cmath>

#include "src/report/pages.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t most_points = 5000;  // of the scatter plot
constexpr std::size_t most_drivers = 60;
constexpr std::size_t most_slopes = 60;
constexpr std::size_t most_axes = 30;  // parameters to choose from

std::vector<std::size_t> varied_parameters(const Json& summary, const Designs& designs) {
  std::vector<std::size_t> varied;
  for (const Json& parameter : member(summary, "parameters"))
    for (std::size_t k = 0; k < designs.parameters.size(); ++k)
      if (designs.parameters[k].name == text_of(parameter, "name") &&
          parameter.value("varies", false))
        varied.push_back(k);
  return varied;
}

Json sweep_head(const Folder& folder) {
  const Json& summary = folder.summary;
  Facts facts = common_facts(folder, "Sweep");
  facts.add("status", text_of(summary, "status"))
      .add("sampling", text_of(summary, "sampling"))
      .add("designs", number_of(summary, "designs"))
      .add("failed", number_of(summary, "failed"));
  if (text_of(summary, "sampling") != "grid" && text_of(summary, "sampling") != "list")
    facts.add("seed", number_of(summary, "seed"));
  return facts.block();
}

bool has_interval(const Json& estimate) {
  return std::isfinite(number_of(estimate, "low")) && std::isfinite(number_of(estimate, "high"));
}

Json estimate_of(const Json& object, const char* name) {
  return estimate_cell(member(object, name));
}

Json statistics_table(const Json& statistics) {
  if (statistics.empty()) return nullptr;
  bool has_brackets = false;
  for (const Json& one : statistics)
    has_brackets =
        has_brackets || has_interval(member(one, "mean")) || has_interval(member(one, "variance"));
  const std::vector<Column> columns{
      text_column("objective", "objective"),
      text_column("unit", "unit"),
      number_column("designs", "count"),
      {"mean", "", false, [](const Json& one) { return estimate_of(one, "mean"); }},
      {"standard deviation", "", false,
       [](const Json& one) {
         return number(std::sqrt(number_of(member(one, "variance"), "value")));
       }},
      {"variance", "", false, [](const Json& one) { return estimate_of(one, "variance"); }},
      number_column("minimum", "minimum"),
      number_column("maximum", "maximum")};
  return table("Statistics", columns, rows_of(statistics, columns),
               has_brackets ? "Brackets hold confidence intervals." : "");
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

Json histograms(const Json& statistics) {
  Json choices = Json::array();
  for (const Json& one : statistics) {
    const Json& histogram = member(one, "histogram");
    const std::vector<double> edges = numbers_of(member(histogram, "edges"));
    const std::vector<double> counts = numbers_of(member(histogram, "counts"));
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

// What causes the spread: shares of the variance, and the mean gradient. --------------------------

BarSeries series_of(const Json& drivers, const std::string& label, const std::string& what) {
  BarSeries series;
  series.label = label;
  for (const Json& driver : drivers) {
    const Json& estimate = member(driver, what);
    series.values.push_back(number_of(estimate, "value"));
    series.low.push_back(number_of(estimate, "low"));
    series.high.push_back(number_of(estimate, "high"));
  }
  return series;
}

bool any_finite(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value); });
}

// What drivers are sorted by, as in the tables of the program: a share of the variance, or the size
// of the derivatives.
double weight(const Json& driver) {
  for (const char* share : {"first_order", "linear_share"})
    if (const double value = number_of(member(driver, share), "value"); std::isfinite(value))
      return value;
  const double square = number_of(member(driver, "mean_square_derivative"), "value");
  return std::isfinite(square) ? square : 0.0;
}

// The largest first.
Json sorted(const Json& drivers) {
  std::vector<Json> list(drivers.begin(), drivers.end());
  std::stable_sort(list.begin(), list.end(),
                   [](const Json& a, const Json& b) { return weight(a) > weight(b); });
  if (list.size() > most_drivers) list.resize(most_drivers);
  return list;
}

// What the plots of shares show.
struct Shown {
  bool first_order = false, bound = false, linear = false, whiskers = false;

  std::string note() const {
    std::string text = "Shares of the variance";
    text += linear && !first_order && !bound ? " that a linear model explains" : "";
    text += bound ? "; the total, with all interactions, is at most its bound." : ".";
    return text + (whiskers ? " Whiskers are confidence intervals." : "");
  }
};

std::vector<std::string> driver_names(const Json& drivers, const Json& parameters) {
  std::vector<std::string> names;
  for (const Json& driver : drivers) {
    const std::string name = text_of(driver, "parameter");
    std::string unit;
    for (const Json& parameter : parameters)
      if (unit.empty() && text_of(parameter, "name") == name) unit = text_of(parameter, "unit");
    names.push_back(with_unit(name, unit));
  }
  return names;
}

// The shares of the variance of an objective; null if none is known.
Json share_bars(const Json& drivers, const std::string& objective, Shown& shown) {
  std::vector<BarSeries> series;
  const auto add = [&](const char* label, const char* what, bool& is_shown) {
    BarSeries one = series_of(drivers, label, what);
    if (!any_finite(one.values)) return;
    is_shown = true;
    shown.whiskers = shown.whiskers || any_finite(one.low);
    series.push_back(std::move(one));
  };
  add("first order", "first_order", shown.first_order);
  add("bound of the total", "total_bound", shown.bound);
  add("linear", "linear_share", shown.linear);
  if (series.empty()) return nullptr;
  Json block = bars(objective, "", driver_names(drivers, nullptr), series);
  block["axis"] = "share of the variance of " + objective;
  return block;
}

// Plots of the "drivers" of statistics, the largest first.
std::vector<Json> driver_blocks(const Json& parameters, const Json& statistics) {
  Json shares = Json::array(), means = Json::array();
  Shown shown;
  std::string left_out;
  for (const Json& one : statistics) {
    if (!member(one, "drivers").is_array() || member(one, "drivers").empty()) continue;
    const Json drivers = sorted(member(one, "drivers"));
    if (drivers.size() < member(one, "drivers").size())
      left_out = " " + first_shown(drivers.size(), member(one, "drivers").size(), "parameters");
    const std::string objective = text_of(one, "objective"), unit = text_of(one, "unit");
    if (Json block = share_bars(drivers, objective, shown); !block.is_null())
      shares.push_back(std::move(block));
    const BarSeries mean = series_of(drivers, "", "mean_derivative");
    if (!any_finite(mean.values)) continue;
    means.push_back(bars(objective, unit.empty() ? "" : unit + " per unit of the parameter",
                         driver_names(drivers, parameters), {mean}));
    means.back()["axis"] = "mean derivative of " + objective;
  }
  std::vector<Json> blocks;
  if (!shares.empty())
    blocks.push_back(
        plot("bars", "What causes the spread", std::move(shares), shown.note() + left_out));
  if (!means.empty())
    blocks.push_back(plot("bars", "Mean gradient", std::move(means),
                          "Mean of the derivatives over all designs." + left_out));
  return blocks;
}

// The designs. ------------------------------------------------------------------------------------

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

Json scatter(const Designs& designs, const std::vector<std::size_t>& varied) {
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

}  // namespace

std::vector<Json> sweep_blocks(const Folder& folder) {
  const Designs designs(folder.path / "designs.npz");
  const Json& statistics = member(folder.summary, "statistics");
  std::vector<Json> blocks{sweep_head(folder)};
  blocks.push_back(histograms(statistics));
  blocks.push_back(statistics_table(statistics));
  blocks.push_back(quantile_table(statistics));
  for (Json& block : driver_blocks(member(folder.summary, "parameters"), statistics))
    blocks.push_back(std::move(block));
  blocks.push_back(scatter(designs, varied_parameters(folder.summary, designs)));
  blocks.push_back(sensor_plots(folder.path / "trajectories.npz"));
  blocks.push_back(study_animation(folder, "", {{"the model's own values", ""}}));
  blocks.push_back(failure_table(folder.summary, designs.count));
  return blocks;
}

}  // namespace gradus::report
