// The page of a run: objectives, gradient, sensors, the batch, the motion of the first design.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <system_error>

#include "gradus/error.hpp"
#include "src/report/pages.hpp"

namespace gradus::report {
namespace {

Json result_head(const Folder& folder, const Designs& designs) {
  const Json& summary = folder.summary;
  const Json& timing = member(summary, "timing");
  Facts facts = common_facts(folder, "Run");
  facts.add("status", text_of(summary, "status"));
  if (designs.count > 1) facts.add("designs", static_cast<double>(designs.count));
  return facts.add("time in all", number_of(timing, "total_s"), "s")
      .add("time of the motion", number_of(timing, "motion_s"), "s")
      .add("time of the sensitivities", number_of(timing, "sensitivity_s"), "s")
      .block();
}

// "Gradient", or of several designs "Gradient of design 0"
std::string title_of(const char* what, const Designs& designs) {
  return std::string(what) + (designs.count > 1 ? " of design 0" : "");
}

// A number for each thing, in a column of its own: of design 0, the first of its rows.
struct ThingColumn {
  std::string title;
  const std::vector<double>& numbers;  // none: there is no such column
};

Json value_table(const std::string& title, const std::string& what,
                 const std::vector<NamedUnit>& things, const std::vector<double>& values,
                 const std::vector<ThingColumn>& others = {}) {
  constexpr std::size_t shown = 100;
  std::vector<Column> columns{{what, "", true}, {"value", ""}, {"unit", "", true}};
  for (const ThingColumn& other : others)
    if (!other.numbers.empty()) columns.push_back({other.title, ""});
  Json rows = Json::array();
  for (std::size_t k = 0; k < std::min(things.size(), shown); ++k) {
    Json row{things[k].name, number(values.at(k)), things[k].unit};
    for (const ThingColumn& other : others)
      if (!other.numbers.empty()) row.push_back(number(other.numbers.at(k)));
    rows.push_back(std::move(row));
  }
  const std::string note = first_shown(rows.size(), things.size(), what + "s");
  return table(title, columns, std::move(rows), note);
}

// Of the model that lies beside the results; none where there is none, or it cannot be read.
std::map<std::string, double> widths_of_bounds(const Folder& folder) try {
  std::map<std::string, double> widths;
  for (const Parameter& parameter : read_model(folder.path / "model.json").parameters)
    if (parameter.bounds) widths[parameter.name] = (*parameter.bounds)[1] - (*parameter.bounds)[0];
  return widths;
} catch (const Error&) {
  return {};
}

Json gradient_of(const Folder& folder, const Designs& designs) {
  if (designs.gradient.empty()) return nullptr;
  const std::size_t p = designs.parameters.size();
  const std::map<std::string, double> widths = widths_of_bounds(folder);
  std::vector<ScaledParameter> parameters;
  for (std::size_t k = 0; k < p; ++k) {
    const auto width = widths.find(designs.parameters[k].name);
    parameters.push_back(scaled_parameter(designs.parameters[k], missing,
                                          width == widths.end() ? missing : width->second,
                                          designs.parameter_values[k]));
  }
  std::vector<Slopes> objectives;
  for (std::size_t i = 0; i < designs.objectives.size(); ++i) {
    const auto first = designs.gradient.begin() + static_cast<std::ptrdiff_t>(i * p);
    objectives.push_back({designs.objectives[i],
                          designs.objectives[i].name,
                          {first, first + static_cast<std::ptrdiff_t>(p)},
                          {},
                          {}});
  }
  return gradient_plot(title_of("Gradient", designs), parameters, objectives);
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

Json histograms(const Designs& designs) {
  const std::size_t o = designs.objectives.size();
  Json choices = Json::array();
  for (std::size_t i = 0; i < o; ++i) {
    std::vector<double> values;
    for (std::size_t n = 0; n < designs.count; ++n)
      values.push_back(designs.objective_values[n * o + i]);
    if (Json histogram = histogram_of(designs.objectives[i], values); !histogram.is_null())
      choices.push_back(std::move(histogram));
  }
  if (choices.empty()) return nullptr;
  return plot("histogram", "Distribution of objectives", std::move(choices));
}

Json design_table(const Designs& designs) {
  constexpr std::size_t shown_designs = 20, shown_parameters = 8;
  const std::size_t o = designs.objectives.size(), p = designs.parameters.size();
  std::vector<Column> columns{{"design", ""}};
  for (std::size_t k = 0; k < std::min(p, shown_parameters); ++k)
    columns.push_back({designs.parameters[k].name, designs.parameters[k].unit});
  for (const NamedUnit& objective : designs.objectives)
    columns.push_back({objective.name, objective.unit});
  Json rows = Json::array();
  for (std::size_t n = 0; n < std::min(designs.count, shown_designs); ++n) {
    Json row = Json::array({n});
    for (std::size_t k = 0; k < std::min(p, shown_parameters); ++k)
      row.push_back(number(designs.parameter_values[n * p + k]));
    for (std::size_t i = 0; i < o; ++i) row.push_back(number(designs.objective_values[n * o + i]));
    rows.push_back(std::move(row));
  }
  const std::string note = first_shown(rows.size(), designs.count, "designs");
  return table("Designs", columns, std::move(rows), note);
}

Options options_of(const Folder& folder, const Designs& designs) {
  const Json& options = member(folder.summary, "options");
  Options result;
  const auto text = [&options](const char* name, std::optional<std::string>& value) {
    if (const std::string found = text_of(options, name); !found.empty()) value = found;
  };
  const auto number_to = [&options](const char* name, std::optional<double>& value) {
    if (const double found = number_of(options, name); std::isfinite(found)) value = found;
  };
  text("formulation", result.formulation);
  text("integrator", result.integrator);
  text("coordinates", result.coordinates);
  text("reference", result.reference);
  number_to("step", result.step);
  number_to("duration", result.duration);
  number_to("tolerance", result.tolerance);
  number_to("rtol", result.rtol);
  number_to("atol", result.atol);
  number_to("max_steps", result.max_steps);
  number_to("penalty", result.penalty);
  text("projections", result.projections);
  text("stabilisation", result.stabilisation);
  text("iteration", result.iteration);
  text("singular", result.singular);
  if (options.contains("columns_in_error"))
    result.columns_in_error = options["columns_in_error"].get<bool>();
  for (std::size_t k = 0; k < designs.parameters.size(); ++k)
    result.set[designs.parameters[k].name] = designs.parameter_values.at(k);
  return result;
}

// The plug-ins that bring forces of the model: unlike a study, a run keeps no copies of them, with
// which they could be compared.
std::string plugins_of_run(const Model& model) {
  std::set<std::string> names;
  for (const auto& [type, plugin] : force_types())
    for (const Force& force : model.forces)
      if (!plugin.empty() && force.type == type)
        names.insert(std::filesystem::path(plugin).filename().string());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

Json motion_block(const Folder& folder, const Designs& designs) {
  const std::filesystem::path file = folder.path / "model.json";
  std::error_code unused;
  if (!std::filesystem::exists(file, unused))
    return notice("information", "The motion is not shown: the folder has no model.json.");
  try {
    const Model model = read_model(file);
    Options options = options_of(folder, designs);
    // The step of a motion that chose its steps is the first of them, not what was asked for.
    if (folder.summary.contains("steps_taken") && !options.rtol) options.rtol = model.analysis.rtol;
    Json block = animation({motion("design 0", model, options)});
    if (const std::string plugins = plugins_of_run(model); !plugins.empty())
      block["title"] = "Motion (with " + plugins + " as it is now)";
    return block;
  } catch (const Error& error) {
    return notice("warning", std::string("The motion is not shown: ") + error.what());
  }
}

// What happened at once, and when.
Json passed_events(const Folder& folder) {
  constexpr std::size_t shown = 100;
  const Json& events = member(folder.summary, "events");
  if (!events.is_array() || events.empty()) return nullptr;
  Json rows = Json::array();
  for (std::size_t k = 0; k < std::min(events.size(), shown); ++k)
    rows.push_back({text_of(events[k], "event"), number(number_of(events[k], "time"))});
  const std::string note = first_shown(rows.size(), events.size(), "events");
  return table("Events", {{"event", "", true}, {"time", "s"}}, std::move(rows), note);
}

}  // namespace

std::vector<Json> result_blocks(const Folder& folder) {
  const Designs designs(folder.path / "gradient.npz");
  if (designs.count == 0) return {result_head(folder, designs)};
  std::vector<Json> blocks;
  if (const std::string error = text_of(member(folder.summary, "error"), "message"); !error.empty())
    blocks.push_back(notice("error", error));
  blocks.push_back(motion_block(folder, designs));
  blocks.push_back(result_head(folder, designs));
  if (!designs.objectives.empty())
    blocks.push_back(value_table(title_of("Objectives", designs), "objective", designs.objectives,
                                 designs.objective_values,
                                 {{"estimated error", designs.objective_errors},
                                  {"estimated error of its gradient", designs.gradient_errors}}));
  if (!designs.parameters.empty())
    blocks.push_back(value_table(title_of("Parameters", designs), "parameter", designs.parameters,
                                 designs.parameter_values));
  blocks.push_back(gradient_of(folder, designs));
  blocks.push_back(passed_events(folder));
  blocks.push_back(friction_table(folder.summary));
  blocks.push_back(halved_table(folder.summary, designs));
  blocks.push_back(objective_plots(folder.path / "trajectory.npz"));
  blocks.push_back(gradient_plots(folder.path / "trajectory.npz", designs.parameter_values));
  blocks.push_back(sensor_plots(folder.path / "trajectory.npz"));
  if (designs.count > 1) {
    blocks.push_back(histograms(designs));
    blocks.push_back(design_table(designs));
  }
  blocks.push_back(failure_table(folder.summary, designs.count));
  return blocks;
}

}  // namespace gradus::report
