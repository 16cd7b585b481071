// The page of a run: objectives, gradient, sensors, the batch, the motion of the first design.
#include <algorithm>
#include <cmath>
#include <system_error>

#include "gradus/error.hpp"
#include "src/report/motion.hpp"
#include "src/report/pages.hpp"
#include "src/report/trajectories.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t most_bars = 60;

struct Run {
  const Folder& folder;
  results::NpzReader arrays;
  std::vector<NamedUnit> parameters, objectives;
  std::size_t designs;
  std::vector<double> parameter_values, objective_values, gradient;
};

Run run_of(const Folder& folder) {
  Run run{folder, results::NpzReader(folder.path / "gradient.npz"), {}, {}, 0, {}, {}, {}};
  run.parameters = named_units(run.arrays, "parameter");
  run.objectives = named_units(run.arrays, "objective");
  const results::Shape& shape = run.arrays.at("objective_values").shape;
  run.designs = shape.empty() ? 0 : shape[0];
  const std::size_t n = run.designs, p = run.parameters.size(), o = run.objectives.size();
  run.parameter_values = array_of(run.arrays, "parameter_values", {n, p}).numbers();
  run.objective_values = array_of(run.arrays, "objective_values", {n, o}).numbers();
  if (run.arrays.has("gradient"))
    run.gradient = array_of(run.arrays, "gradient", {n, o, p}).numbers();
  return run;
}

Json head(const Run& run) {
  const Json& summary = run.folder.summary;
  const Json& timing = member(summary, "timing");
  Facts facts = common_facts(run.folder, "Run");
  facts.add("status", text_of(summary, "status"));
  if (run.designs > 1) facts.add("designs", static_cast<double>(run.designs));
  facts.add("largest constraint violation",
            number_of(member(summary, "constraint_violation"), "position"));
  return facts.add("time in all", number_of(timing, "total_s"), "s")
      .add("time of the motion", number_of(timing, "motion_s"), "s")
      .add("time of the sensitivities", number_of(timing, "sensitivity_s"), "s")
      .block();
}

Json objective_table(const Run& run) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < run.objectives.size(); ++i)
    rows.push_back(
        {run.objectives[i].name, number(run.objective_values.at(i)), run.objectives[i].unit});
  return table(run.designs > 1 ? "Objectives of design 0" : "Objectives",
               {{"objective", "", true}, {"value", ""}, {"unit", "", true}}, std::move(rows));
}

Json parameter_table(const Run& run) {
  constexpr std::size_t shown = 100;
  const std::size_t count = std::min(run.parameters.size(), shown);
  Json rows = Json::array();
  for (std::size_t k = 0; k < count; ++k)
    rows.push_back(
        {run.parameters[k].name, number(run.parameter_values.at(k)), run.parameters[k].unit});
  return table(run.designs > 1 ? "Parameters of design 0" : "Parameters",
               {{"parameter", "", true}, {"value", ""}, {"unit", "", true}}, std::move(rows),
               count < run.parameters.size()
                   ? "The first " + std::to_string(count) + " of " +
                         std::to_string(run.parameters.size()) + " parameters are shown."
                   : "");
}

// The parameters with the largest entries, in their own order.
std::vector<std::size_t> largest(const double* row, std::size_t count) {
  std::vector<std::size_t> indices(count);
  for (std::size_t k = 0; k < count; ++k) indices[k] = k;
  if (count <= most_bars) return indices;
  std::stable_sort(indices.begin(), indices.end(), [row](std::size_t a, std::size_t b) {
    return std::abs(row[a]) > std::abs(row[b]);
  });
  indices.resize(most_bars);
  std::sort(indices.begin(), indices.end());
  return indices;
}

// Entries themselves, whose units differ, and times their parameter, which compares them.
Json gradient_plot(const Run& run) {
  const std::size_t p = run.parameters.size();
  Json choices = Json::array();
  for (const bool relative : {true, false})
    for (std::size_t i = 0; i < run.objectives.size(); ++i) {
      std::vector<double> row(run.gradient.begin() + static_cast<std::ptrdiff_t>(i * p),
                              run.gradient.begin() + static_cast<std::ptrdiff_t>((i + 1) * p));
      if (relative)
        for (std::size_t k = 0; k < p; ++k) row[k] *= run.parameter_values[k];
      std::vector<std::string> names;
      BarSeries series;
      for (const std::size_t k : largest(row.data(), p)) {
        const std::string& unit = run.parameters[k].unit;
        names.push_back(run.parameters[k].name +
                        (relative || unit.empty() ? "" : " [" + unit + "]"));
        series.values.push_back(row[k]);
      }
      const NamedUnit& objective = run.objectives[i];
      choices.push_back(bars(relative ? "d " + objective.name + " per relative change"
                                      : "d " + objective.name + " per parameter",
                             relative || objective.unit.empty()
                                 ? objective.unit
                                 : objective.unit + " per unit of the parameter",
                             names, {series}));
    }
  return plot("bars", run.designs > 1 ? "Gradient of design 0" : "Gradient", std::move(choices),
              p > most_bars ? "The " + std::to_string(most_bars) + " largest of " +
                                  std::to_string(p) + " entries are shown."
                            : "");
}

// Bins of equal width by the rule of Rice.
Json histogram_of(const NamedUnit& objective, std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.size() < 2) return nullptr;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (!(*high > *low)) return nullptr;
  const auto bins =
      static_cast<std::size_t>(std::ceil(2.0 * std::cbrt(static_cast<double>(values.size()))));
  const double width = (*high - *low) / static_cast<double>(bins);
  std::vector<double> edges, counts(bins, 0.0);
  for (std::size_t b = 0; b <= bins; ++b) edges.push_back(*low + width * static_cast<double>(b));
  for (const double value : values)
    ++counts[std::min(bins - 1, static_cast<std::size_t>((value - *low) / width))];
  return {{"label", objective.name},
          {"unit", objective.unit},
          {"edges", numbers(edges)},
          {"counts", numbers(counts)},
          {"marks", Json::array()}};
}

void add_batch(const Run& run, std::vector<Json>& blocks) {
  const std::size_t o = run.objectives.size(), p = run.parameters.size();
  Json choices = Json::array();
  for (std::size_t i = 0; i < o; ++i) {
    std::vector<double> values;
    for (std::size_t n = 0; n < run.designs; ++n) values.push_back(run.objective_values[n * o + i]);
    if (Json histogram = histogram_of(run.objectives[i], values); !histogram.is_null())
      choices.push_back(std::move(histogram));
  }
  if (!choices.empty())
    blocks.push_back(plot("histogram", "Distribution of objectives", std::move(choices)));

  constexpr std::size_t shown_designs = 20, shown_parameters = 8;
  std::vector<Column> columns{{"design", ""}};
  for (std::size_t k = 0; k < std::min(p, shown_parameters); ++k)
    columns.push_back({run.parameters[k].name, run.parameters[k].unit});
  for (const NamedUnit& objective : run.objectives)
    columns.push_back({objective.name, objective.unit});
  Json rows = Json::array();
  for (std::size_t n = 0; n < std::min(run.designs, shown_designs); ++n) {
    Json row = Json::array({n});
    for (std::size_t k = 0; k < std::min(p, shown_parameters); ++k)
      row.push_back(number(run.parameter_values[n * p + k]));
    for (std::size_t i = 0; i < o; ++i) row.push_back(number(run.objective_values[n * o + i]));
    rows.push_back(std::move(row));
  }
  blocks.push_back(table("Designs", columns, std::move(rows),
                         run.designs > shown_designs
                             ? "The first " + std::to_string(shown_designs) + " of " +
                                   std::to_string(run.designs) + " designs are shown."
                             : ""));
}

Options options_of(const Run& run) {
  const Json& options = member(run.folder.summary, "options");
  Options result;
  const auto text = [&options](const char* name, std::optional<std::string>& value) {
    if (const std::string found = text_of(options, name); !found.empty()) value = found;
  };
  const auto number_to = [&options](const char* name, std::optional<double>& value) {
    if (const double found = number_of(options, name); std::isfinite(found)) value = found;
  };
  text("formulation", result.formulation);
  text("integrator", result.integrator);
  text("reference", result.reference);
  number_to("step", result.step);
  number_to("duration", result.duration);
  number_to("tolerance", result.tolerance);
  for (std::size_t k = 0; k < run.parameters.size(); ++k)
    result.set[run.parameters[k].name] = run.parameter_values.at(k);
  return result;
}

Json motion_block(const Run& run) {
  const std::filesystem::path file = run.folder.path / "model.json";
  std::error_code unused;
  if (!std::filesystem::exists(file, unused))
    return notice("information", "The motion is not shown: the folder has no model.json.");
  try {
    return animation({motion("design 0", read_model(file), options_of(run))});
  } catch (const Error& error) {
    return notice("warning", std::string("The motion is not shown: ") + error.what());
  }
}

}  // namespace

std::vector<Json> result_blocks(const Folder& folder) {
  const Run run = run_of(folder);
  std::vector<Json> blocks{head(run)};
  if (run.designs == 0) return blocks;
  if (const std::string error = text_of(member(folder.summary, "error"), "message"); !error.empty())
    blocks.push_back(notice("error", error));
  if (!run.objectives.empty()) blocks.push_back(objective_table(run));
  if (!run.parameters.empty()) blocks.push_back(parameter_table(run));
  if (!run.gradient.empty()) blocks.push_back(gradient_plot(run));
  blocks.push_back(motion_block(run));
  blocks.push_back(sensor_plots(folder.path / "trajectory.npz"));
  if (run.designs > 1) add_batch(run, blocks);
  blocks.push_back(failure_table(folder.summary, run.designs));
  return blocks;
}

}  // namespace gradus::report
