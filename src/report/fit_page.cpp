// The page of a fit: parameters and how well they are known, what was measured and computed.

#include "src/report/pages.hpp"

namespace gradus::report {
namespace {

Json fit_head(const Folder& folder) {
  const Json& summary = folder.summary;
  return common_facts(folder, "Fit")
      .add("status", text_of(summary, "status"))
      .add("sum of squares", number_of(summary, "sum_of_squares"))
      .add("deviation of residuals", number_of(summary, "residual_deviation"))
      .add("relative gradient", number_of(summary, "gradient_norm"))
      .add("gradient against differences", number_of(summary, "check_deviation"))
      .add("error of differences", number_of(summary, "check_error"))
      .add("starts", static_cast<double>(member(summary, "starts").size()))
      .block();
}

Json parameter_table(const Json& summary) {
  const std::vector<Column> columns{text_column("parameter", "name"),
                                    text_column("unit", "unit"),
                                    number_column("start", "start"),
                                    {"value", "", false, estimate_cell},
                                    number_column("standard error", "standard_error"),
                                    number_column("lower bound", "lower"),
                                    number_column("upper bound", "upper"),
                                    {"", "", true, [](const Json& parameter) {
                                       return parameter.value("at_bound", false) ? "at its bound"
                                                                                 : "";
                                     }}};
  return table(
      "Parameters", columns, rows_of(member(summary, "parameters"), columns),
      "Brackets hold intervals of " + percent(number_of(summary, "confidence")) + " confidence.");
}

Json correlation_plot(const Json& summary) {
  std::vector<std::string> names;
  for (const Json& parameter : member(summary, "parameters"))
    names.push_back(text_of(parameter, "name"));
  std::vector<double> values;
  for (const Json& row : member(summary, "correlation"))
    for (const double value : numbers_of(row)) values.push_back(value);
  if (names.size() < 2 || values.size() != names.size() * names.size()) return nullptr;
  Json shown = {{"label", "correlation"}, {"names", names}, {"values", numbers(values)}};
  return plot("heatmap", "Correlation of the parameters", Json::array({std::move(shown)}));
}

struct Residuals {
  std::vector<double> time, measured, computed, residual;
};

std::vector<std::pair<std::string, Residuals>> residuals_of(const TextTable& file) {
  const std::vector<std::string> sensors = file.texts("sensor");
  const std::vector<double> time = file.numbers("time"), measured = file.numbers("measured"),
                            computed = file.numbers("computed"),
                            residual = file.numbers("residual");
  std::vector<std::pair<std::string, Residuals>> all;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    const auto [entry, is_new] = known.emplace(sensors[i], all.size());
    if (is_new) all.emplace_back(sensors[i], Residuals{});
    Residuals& one = all[entry->second].second;
    one.time.push_back(time[i]);
    one.measured.push_back(measured[i]);
    one.computed.push_back(computed[i]);
    one.residual.push_back(residual[i]);
  }
  return all;
}

Json dots(const std::string& label, const std::vector<double>& x, const std::vector<double>& y,
          const std::vector<std::size_t>& indices, bool are_dots) {
  Json series = {{"label", label}, {"x", numbers_at(x, indices)}, {"y", numbers_at(y, indices)}};
  if (are_dots)
    series["dots"] = true;
  else
    series.update({{"style", "strong"}, {"color", 1}});
  return series;
}

void add_residual_plots(const Folder& folder, std::vector<Json>& blocks) {
  const std::map<std::string, std::string> units = sensor_units(folder);
  Json courses = Json::array(), residuals = Json::array(), pairs = Json::array();
  bool is_thinned = false;
  for (const auto& [sensor, one] : residuals_of(TextTable(folder.path / "residuals.csv"))) {
    const auto found = units.find(sensor);
    const std::string unit = found == units.end() ? "" : found->second;
    const std::vector<std::size_t> indices = thinned(one.time.size(), most_samples);
    is_thinned = is_thinned || indices.size() < one.time.size();
    const Json time = time_axis();
    courses.push_back({{"label", sensor},
                       {"x", time},
                       {"y", {{"label", sensor}, {"unit", unit}}},
                       {"series",
                        {dots("measured", one.time, one.measured, indices, true),
                         dots("computed", one.time, one.computed, indices, false)}}});
    residuals.push_back({{"label", sensor},
                         {"x", time},
                         {"y", {{"label", "residual of " + sensor}, {"unit", unit}}},
                         {"zero", true},
                         {"series", {dots("", one.time, one.residual, indices, true)}}});
    pairs.push_back({{"label", sensor},
                     {"x", {{"label", sensor + " measured"}, {"unit", unit}}},
                     {"y", {{"label", sensor + " computed"}, {"unit", unit}}},
                     {"diagonal", true},
                     {"series", {dots("", one.measured, one.computed, indices, true)}}});
  }
  if (courses.empty()) return;
  const std::string note = is_thinned ? "At most " + std::to_string(most_samples) +
                                            " measurements of a sensor are shown."
                                      : "";
  blocks.push_back(plot("lines", "Measured and computed", std::move(courses), note));
  for (Json block : {plot("lines", "Residuals", std::move(residuals), note),
                     plot("lines", "Computed against measured", std::move(pairs), note)}) {
    block["narrow"] = true;
    blocks.push_back(std::move(block));
  }
}

}  // namespace

std::vector<Json> fit_blocks(const Folder& folder) {
  const Json& summary = folder.summary;
  std::vector<Json> blocks{
      study_animation(folder, "parameters", {{"fitted", "value"}, {"start", "start"}}),
      fit_head(folder), correlation_plot(summary)};
  for (const Json& warning : member(summary, "warnings"))
    if (warning.is_string()) blocks.push_back(notice("warning", warning.get<std::string>()));
  blocks.push_back(parameter_table(summary));
  add_residual_plots(folder, blocks);
  blocks.push_back(history_plot(folder, "iteration",
                                {{"sum_of_squares", "sum of squares"},
                                 {"gradient_norm", "norm of the gradient"},
                                 {"damping", "damping"}}));
  blocks.push_back(start_table(summary, {number_column("sum of squares", "sum_of_squares"),
                                         number_column("iterations", "iterations")}));
  return blocks;
}

}  // namespace gradus::report
