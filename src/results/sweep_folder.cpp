// SweepResult -> arrays, JSON and tables.
#include <algorithm>

#include "src/results/array_files.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/csv.hpp"
#include "src/results/status_arrays.hpp"
#include "src/results/study_folders.hpp"

namespace gradus::results {
namespace {

void write_designs(ArrayWriter& writer, const SweepResult& result, const SweepPieces& pieces) {
  const Axis design("design", result.designs);
  const Axis parameter("parameter", result.parameters);
  const Axis objective("objective", result.objectives);
  writer.add_numbers("parameter_values", {{design, parameter}}, result.parameter_values);
  writer.add_numbers("objective_values", {{design, objective}}, result.objective_values);
  if (result.sweep.gradients)
    writer.add_pieces("gradient", {{design, objective, parameter}}, pieces.gradient);
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

Json estimate_json(const Estimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

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

Json driver_json(const Driver& driver) {
  return {{"parameter", driver.parameter},
          {"mean_derivative", estimate_json(driver.mean_derivative)},
          {"mean_square_derivative", estimate_json(driver.mean_square_derivative)},
          {"first_order", estimate_json(driver.first_order)},
          {"total_bound", estimate_json(driver.total_bound)},
          {"linear_share", estimate_json(driver.linear_share)}};
}

Json statistics_json(const ObjectiveStatistics& s) {
  Json quantiles = Json::array(), drivers = Json::array();
  for (const Quantile& quantile : s.quantiles)
    quantiles.push_back(
        {{"probability", quantile.probability}, {"value", estimate_json(quantile.value)}});
  for (const Driver& driver : s.drivers) drivers.push_back(driver_json(driver));
  return {{"objective", s.objective.name},
          {"unit", s.objective.unit},
          {"count", s.count},
          {"mean", estimate_json(s.mean)},
          {"variance", estimate_json(s.variance)},
          {"minimum", s.minimum},
          {"maximum", s.maximum},
          {"quantiles", quantiles},
          {"histogram", {{"edges", s.histogram.edges}, {"counts", s.histogram.counts}}},
          {"drivers", drivers}};
}

Json dependence_json(const Dependence& dependence) {
  return {{"kind", dependence.is_covariance ? "covariance" : "correlation"},
          {"parameters", dependence.parameters},
          {"matrix", dependence.matrix}};
}

std::string document_of(const SweepResult& result) {
  StudyRun run = result.run;
  if (!result.sweep.gradients) run.method = "none";
  Json objectives = Json::array(), statistics = Json::array();
  for (const NamedUnit& objective : result.objectives)
    objectives.push_back({{"name", objective.name}, {"unit", objective.unit}});
  for (const ObjectiveStatistics& s : result.statistics) statistics.push_back(statistics_json(s));
  Json document = study_head("gradus-sweep/1", result.failed() < result.designs, run);
  document["sampling"] = sampling_names[static_cast<std::size_t>(result.sweep.sampling)];
  if (result.sweep.is_sample()) document["seed"] = result.sweep.seed;
  document["designs"] = result.designs;
  document["failed"] = result.failed();
  document["failures"] = failures_json(result);
  document["parameters"] = parameters_json(result);
  if (result.sweep.dependence) document["dependence"] = dependence_json(*result.sweep.dependence);
  document["objectives"] = objectives;
  document["confidence"] = result.sweep.statistics.confidence;
  document["statistics"] = statistics;
  return to_text(document);
}

// Tables ----------------------------------------------------------------------------------------

std::vector<std::string> numbers(const Estimate& estimate) {
  return {csv_number(estimate.value), csv_number(estimate.low), csv_number(estimate.high)};
}

std::string line(std::vector<std::string> fields, const std::vector<std::string>& more) {
  fields.insert(fields.end(), more.begin(), more.end());
  return csv_row(fields);
}

std::string statistics_table(const SweepResult& result) {
  std::string text = csv_row({"objective", "unit", "statistic", "value", "low", "high"});
  for (const ObjectiveStatistics& s : result.statistics) {
    const auto add = [&](const std::string& what, const Estimate& estimate) {
      text += line({s.objective.name, s.objective.unit, what}, numbers(estimate));
    };
    const auto add_number = [&](const std::string& what, double value) {
      text += csv_row({s.objective.name, s.objective.unit, what, csv_number(value), "", ""});
    };
    add_number("count", static_cast<double>(s.count));
    add("mean", s.mean);
    add("variance", s.variance);
    add_number("minimum", s.minimum);
    add_number("maximum", s.maximum);
    for (const Quantile& quantile : s.quantiles)
      add("quantile " + csv_number(quantile.probability), quantile.value);
  }
  return text;
}

std::string drivers_table(const SweepResult& result) {
  std::string text = csv_row({"objective", "parameter", "measure", "value", "low", "high"});
  for (const ObjectiveStatistics& s : result.statistics)
    for (const Driver& driver : s.drivers) {
      const auto add = [&](const char* what, const Estimate& estimate) {
        text += line({s.objective.name, driver.parameter, what}, numbers(estimate));
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
                 const SweepPieces& pieces, bool hdf5) {
  remove_file(folder / "summary.json");
  write_arrays(folder / "designs", hdf5,
               [&](ArrayWriter& writer) { write_designs(writer, result, pieces); });
  if (!result.sweep.record.empty())
    write_arrays(folder / "trajectories", hdf5,
                 [&](ArrayWriter& writer) { write_trajectories(writer, result, pieces); });
  write_file(folder / "statistics.csv", statistics_table(result));
  if (result.sweep.gradients) write_file(folder / "drivers.csv", drivers_table(result));
  write_file(folder / "summary.json", document_of(result));
}

}  // namespace gradus::results
