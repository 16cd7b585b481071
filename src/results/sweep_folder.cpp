// SweepResult -> arrays, JSON and tables.
#include <algorithm>
#include <limits>

#include "src/results/array_files.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/motion_checks.hpp"
#include "src/results/motion_csv.hpp"
#include "src/results/study_folders.hpp"

namespace gradus {

GRADUS_JSON(NamedUnit, name, unit)
GRADUS_JSON(Estimate, value, low, high)
GRADUS_JSON(Driver, parameter, mean_derivative, mean_square_derivative, first_order, total_bound,
            linear_share)
GRADUS_JSON(Quantile, probability, value)
GRADUS_JSON(Histogram, edges, counts)

static void to_json(nlohmann::ordered_json& json, const ObjectiveStatistics& s) {
  json = {{"objective", s.objective.name},
          {"unit", s.objective.unit},
          {"count", s.count},
          {"mean", s.mean},
          {"variance", s.variance},
          {"minimum", s.minimum},
          {"maximum", s.maximum},
          {"quantiles", s.quantiles},
          {"histogram", s.histogram},
          {"drivers", s.drivers}};
}

namespace results {
namespace {

void write_designs(ArrayWriter& writer, const SweepResult& result, const SweepPieces& pieces) {
  const Axis design("design", result.designs);
  const Axis parameter("parameter", result.parameters);
  const Axis objective("objective", result.objectives);
  writer.add_numbers("parameter_values", {{design, parameter}}, result.parameter_values);
  writer.add_numbers("objective_values", {{design, objective}}, result.objective_values);
  if (result.sweep.gradients)
    writer.add_pieces("gradient", {{design, objective, parameter}}, pieces.gradient);
  writer.add_numbers("constraint_violation", {{design, {"level", 3}}}, result.constraint_violation);
  writer.add_numbers("singular_passage", {{design}, "s"}, result.singular_passage);
  if (!result.splines_extrapolated.empty())
    writer.add_numbers("splines_extrapolated", {{design}}, result.splines_extrapolated);
  if (result.run.stiff_designs > 0) writer.add_numbers("switched", {{design}}, result.switched);
  add_statuses(writer, result.status);
  add_names(writer, "parameter", result.parameters);
  add_names(writer, "objective", result.objectives);
}

void write_trajectories(ArrayWriter& writer, const SweepResult& result, const SweepPieces& pieces) {
  const Axis design("design", result.designs);
  const Axis time("time", pieces.time.size());
  const Axis sensor("sensor", pieces.sensor_components);
  writer.add_numbers("time", {{time}, "s"}, pieces.time);
  writer.add_pieces("sensors", {{design, time, sensor}}, pieces.sensors);
  add_names(writer, "sensor", pieces.sensor_components);
}

// summary.json ----------------------------------------------------------------------------------

constexpr std::size_t most_failures = 100;  // that are listed; designs.npz has all

Json distribution_json(const Distribution& d) {
  Json json{{"distribution", Distribution::names[static_cast<std::size_t>(d.kind)]}};
  if (d.kind == Distribution::Kind::uniform)
    json.update({{"from", d.from}, {"to", d.to}});
  else if (d.kind == Distribution::Kind::normal)
    json.update({{"mean", d.mean}, {"standard_deviation", d.standard_deviation}});
  else
    json.update({{"median", d.median}, {"log_standard_deviation", d.standard_deviation}});
  if (d.truncated) json["truncated"] = *d.truncated;
  return json;
}

Json parameters_json(const SweepResult& result) {
  Json list = Json::array();
  const auto& varied = result.sweep.parameters;
  for (std::size_t p = 0; p < result.parameters.size(); ++p) {
    const NamedUnit& parameter = result.parameters[p];
    const auto found = std::find_if(varied.begin(), varied.end(), [&](const SweepParameter& v) {
      return v.name == parameter.name;
    });
    Json json{
        {"name", parameter.name}, {"unit", parameter.unit}, {"varies", found != varied.end()}};
    if (found == varied.end())
      json["value"] = number_at(result.parameter_values, p);
    else if (result.sweep.sampling == Sampling::grid)
      json["values"] = found->values;
    else if (result.sweep.is_sample())
      json.update(distribution_json(found->distribution));
    list.push_back(std::move(json));
  }
  return list;
}

Json failures_json(const SweepResult& result) {
  Json list = Json::array();
  for (std::size_t d = 0; d < result.status.size() && list.size() < most_failures; ++d)
    if (!result.status[d].ok)
      list.push_back(
          {{"design", d}, {"time", result.status[d].time}, {"message", result.status[d].message}});
  return list;
}

Json dependence_json(const Dependence& dependence) {
  return {{"kind", dependence.is_covariance ? "covariance" : "correlation"},
          {"parameters", dependence.parameters},
          {"matrix", dependence.matrix}};
}

std::string document_of(const SweepResult& result) {
  StudyRun run = result.run;
  if (!result.sweep.gradients) run.method = "none";
  Json document = study_head("gradus-sweep/1", result.failed() < result.designs, run);
  document["sampling"] = sampling_names[static_cast<std::size_t>(result.sweep.sampling)];
  if (result.sweep.is_sample()) document["seed"] = result.sweep.seed;
  document["designs"] = result.designs;
  document["failed"] = result.failed();
  document["failures"] = failures_json(result);
  add_motion_checks(result.constraint_violation, result.singular_passage, document);
  add_extrapolations(result.splines_extrapolated, document);
  document["parameters"] = parameters_json(result);
  if (result.sweep.dependence) document["dependence"] = dependence_json(*result.sweep.dependence);
  document["objectives"] = result.objectives;
  document["confidence"] = result.sweep.statistics.confidence;
  document["statistics"] = result.statistics;
  return to_text(document);
}

// Tables ----------------------------------------------------------------------------------------

std::string statistics_table(const SweepResult& result) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::string text = csv_row({"objective", "unit", "statistic", "value", "low", "high"});
  for (const ObjectiveStatistics& s : result.statistics) {
    const auto add = [&](const std::string& what, const Estimate& e) {
      text += csv_row_of(s.objective.name, s.objective.unit, what, e.value, e.low, e.high);
    };
    add("count", {static_cast<double>(s.count), none, none});
    add("mean", s.mean);
    add("variance", s.variance);
    add("minimum", {s.minimum, none, none});
    add("maximum", {s.maximum, none, none});
    for (const Quantile& quantile : s.quantiles)
      add("quantile " + csv_field(quantile.probability), quantile.value);
  }
  return text;
}

std::string drivers_table(const SweepResult& result) {
  std::string text = csv_row({"objective", "parameter", "measure", "value", "low", "high"});
  for (const ObjectiveStatistics& s : result.statistics)
    for (const Driver& driver : s.drivers) {
      const auto add = [&](const char* what, const Estimate& e) {
        text += csv_row_of(s.objective.name, driver.parameter, what, e.value, e.low, e.high);
      };
      add("mean_derivative", driver.mean_derivative);
      add("mean_square_derivative", driver.mean_square_derivative);
      add("first_order", driver.first_order);
      add("total_bound", driver.total_bound);
      add("linear_share", driver.linear_share);
    }
  return text;
}

}  // namespace

void write_sweep(const std::filesystem::path& folder, const SweepResult& result,
                 const SweepPieces& pieces, FileFormats formats) {
  remove_file(folder / "summary.json");
  write_arrays(folder / "designs", formats.hdf5,
               [&](ArrayWriter& writer) { write_designs(writer, result, pieces); });
  if (!result.sweep.record.empty()) {
    write_arrays(folder / "trajectories", formats.hdf5,
                 [&](ArrayWriter& writer) { write_trajectories(writer, result, pieces); });
    if (formats.csv)
      write_file(folder / "trajectories.csv",
                 [&](const Sink& sink) { write_motions_csv(result, pieces, sink); });
  }
  write_file(folder / "statistics.csv", statistics_table(result));
  if (result.sweep.gradients) write_file(folder / "drivers.csv", drivers_table(result));
  write_file(folder / "summary.json", document_of(result));
}

}  // namespace results
}  // namespace gradus
