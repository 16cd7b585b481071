// SweepResult -> arrays and tables.
#include "src/results/sweep_folder.hpp"

#include "src/results/array_files.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/csv.hpp"
#include "src/results/status_arrays.hpp"

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
  write_file(folder / "summary.json", sweep_document(result));
}

}  // namespace gradus::results
