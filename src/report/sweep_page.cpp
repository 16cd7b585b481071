// The page of a sweep: statistics, distributions, what causes the spread, all designs.
#include <algorithm>
#include <cmath>

#include "src/report/pages.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t most_drivers = 60;

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

std::vector<std::string> driver_names(const Json& drivers) {
  std::vector<std::string> names;
  for (const Json& driver : drivers) names.push_back(text_of(driver, "parameter"));
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
  Json block = bars(objective, "", driver_names(drivers), series);
  block["axis"] = "share of the variance of " + objective;
  return block;
}

// What causes the spread, the largest first.
Json share_plot(const Json& statistics) {
  Json shares = Json::array();
  Shown shown;
  std::string left_out;
  for (const Json& one : statistics) {
    if (!member(one, "drivers").is_array() || member(one, "drivers").empty()) continue;
    const Json drivers = sorted(member(one, "drivers"));
    if (drivers.size() < member(one, "drivers").size())
      left_out = " " + first_shown(drivers.size(), member(one, "drivers").size(), "parameters");
    if (Json block = share_bars(drivers, text_of(one, "objective"), shown); !block.is_null())
      shares.push_back(std::move(block));
  }
  if (shares.empty()) return nullptr;
  return plot("bars", "What causes the spread", std::move(shares), shown.note() + left_out);
}

// The standard deviation that a summary states for a parameter: of a log-normal one that of the
// parameter itself. Nothing of uniform ones, of grids and lists.
double deviation_of(const Json& parameter) {
  const double logarithm = number_of(parameter, "log_standard_deviation");
  if (!std::isfinite(logarithm)) return number_of(parameter, "standard_deviation");
  const double square = logarithm * logarithm;
  return number_of(parameter, "median") * std::exp(square / 2) * std::sqrt(std::expm1(square));
}

double width_of(const Json& parameter) {
  std::vector<double> values = numbers_of(member(parameter, "values"));
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return number_of(parameter, "to") - number_of(parameter, "from");
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

// The mean of each parameter is what its derivatives are scaled by where nothing else is known.
double mean_of(const Designs& designs, const std::string& name) {
  double total = 0.0;
  for (std::size_t k = 0; k < designs.parameters.size(); ++k)
    for (std::size_t n = 0; designs.parameters[k].name == name && n < designs.count; ++n)
      total += designs.parameter_values[n * designs.parameters.size() + k];
  return total / static_cast<double>(designs.count);
}

Json mean_gradient_plot(const Json& summary, const Designs& designs) {
  std::vector<ScaledParameter> parameters;
  std::map<std::string, std::size_t> columns;
  for (const Json& parameter : member(summary, "parameters")) {
    const std::string name = text_of(parameter, "name");
    if (!parameter.value("varies", false)) continue;
    columns[name] = parameters.size();
    parameters.push_back(scaled_parameter({name, text_of(parameter, "unit")},
                                          deviation_of(parameter), width_of(parameter),
                                          mean_of(designs, name)));
  }
  std::vector<Slopes> objectives;
  for (const Json& one : member(summary, "statistics")) {
    const std::string name = text_of(one, "objective");
    const std::vector<double> none(parameters.size(), missing);
    objectives.push_back({{name, text_of(one, "unit")}, name, none, none, none});
    for (const Json& driver : member(one, "drivers")) {
      const auto column = columns.find(text_of(driver, "parameter"));
      if (column == columns.end()) continue;
      const Json& mean = member(driver, "mean_derivative");
      objectives.back().values[column->second] = number_of(mean, "value");
      objectives.back().low[column->second] = number_of(mean, "low");
      objectives.back().high[column->second] = number_of(mean, "high");
    }
  }
  return gradient_plot("Mean gradient", parameters, objectives,
                       "Mean of the derivatives over all designs.");
}

}  // namespace

std::vector<Json> sweep_blocks(const Folder& folder) {
  const Designs designs(folder.path / "designs.npz");
  const Json& statistics = member(folder.summary, "statistics");
  std::vector<Json> blocks{sweep_head(folder)};
  blocks.push_back(histograms(statistics));
  blocks.push_back(statistics_table(statistics));
  blocks.push_back(quantile_table(statistics));
  blocks.push_back(share_plot(statistics));
  blocks.push_back(mean_gradient_plot(folder.summary, designs));
  const std::vector<std::size_t> varied = varied_parameters(folder.summary, designs);
  blocks.push_back(scatter_plot(designs, varied));
  blocks.push_back(parallel_designs(designs, varied));
  blocks.push_back(sensor_plots(folder.path / "trajectories.npz"));
  blocks.push_back(study_animation(folder, "", {{"the model's own values", ""}}));
  blocks.push_back(failure_table(folder.summary, designs.count));
  return blocks;
}

}  // namespace gradus::report
