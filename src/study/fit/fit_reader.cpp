// Reads the section "fit" of a study and the tables of measurements that it names.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"
#include "src/study/fit/fit_model.hpp"
#include "src/study/study_keys.hpp"
#include "src/study/study_reader.hpp"

namespace gradus {
namespace {

class TableReader {
 public:
  TableReader(const StudyContext& context, const SensorComponents& sensors)
      : context_(context), sensors_(sensors) {}

  // Appends the measurements of one table.
  void read(const JsonElement& element, std::vector<Measurement>& measurements) {
    std::optional<JsonElement> columns;
    std::string time = "time";
    JsonElement name = element;
    if (element.is_object()) {
      element.require_keys(keys::fit_data);
      name = element.at("file");
      if (const auto key = element.find("time")) time = key->text();
      columns = element.find("columns");
    }
    file_ = name.text();
    if (file_.empty()) name.reject_value("the name of a table of measurements");
    table_ = read_numbers(context_.read_file(file_), file_);
    if (table_.rows.empty())
      reject(file_, "found no rows", "they hold the measurements", "add some below the header");
    time_column_ = find_time(time);
    if (columns)
      read_named(*columns, measurements);
    else
      read_known(measurements);
  }

 private:
  std::size_t find_time(const std::string& time) const {
    if (const auto column = table_.text.find(time)) return *column;
    reject(file_, "found no column " + in_quotes(time), "measurements need their times in seconds",
           "name the column with the key \"time\"; " + suggestion(time, table_.text.columns));
  }

  double value(std::size_t row, std::size_t column) const {
    const double number = table_.rows[row][column];
    if (std::isnan(number))
      reject(table_.cell(row, column), "found an empty cell",
             "every row measures all columns that are used",
             "leave the row out, or give the column a file of its own without it");
    return number;
  }

  void read_named(const JsonElement& columns, std::vector<Measurement>& measurements) {
    for (const auto& [column, element] : columns.named()) {
      const auto index = table_.text.find(column);
      if (!index)
        throw InputError(element.where() + ": " + in_quotes(file_) + " has no such column; " +
                         suggestion(column, table_.text.columns));
      std::string sensor = column;
      double deviation = 1.0;
      if (element.is_object()) {
        element.require_keys(keys::fit_column);
        if (const auto key = element.find("sensor")) sensor = key->text();
        if (const auto key = element.find("deviation")) {
          deviation = key->constant();
          if (!(deviation > 0.0) || std::isinf(deviation))
            key->reject_value("a finite number above 0");
        }
      } else {
        sensor = element.text();
      }
      add(*index, sensor, deviation, element.where(), measurements);
    }
    if (columns.named().empty()) columns.reject_value("one column at least");
  }

  // All columns that have the names of components.
  void read_known(std::vector<Measurement>& measurements) {
    const std::size_t before = measurements.size();
    for (std::size_t column = 0; column < table_.text.columns.size(); ++column) {
      const std::string& name = table_.text.columns[column];
      const bool known = std::count(sensors_.names.begin(), sensors_.names.end(), name) > 0;
      if (column == time_column_ || !known) continue;
      add(column, name, 1.0, file_ + ": column " + in_quotes(name), measurements);
    }
    if (measurements.size() > before) return;
    std::vector<std::string> others = table_.text.columns;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(time_column_));
    const std::string& first = others.empty() ? std::string() : others.front();
    throw InputError(file_ + ": no column has the name of a component of a sensor (found " +
                     (others.empty() ? "none but the time" : quoted_list(others)) +
                     "), name sensors with the key \"columns\"; " +
                     suggestion(first, sensors_.names));
  }

  void add(std::size_t column, const std::string& sensor, double deviation,
           const std::string& where, std::vector<Measurement>& measurements) const {
    check_sensor(sensor, sensors_, where);
    Measurement measurement;
    measurement.sensor = sensor;
    measurement.column = table_.text.columns[column];
    measurement.deviation = deviation;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      measurement.time.push_back(value(row, time_column_));
      measurement.value.push_back(value(row, column));
    }
    check_times(measurement.time, duration_of(context_.study),
                [&](std::size_t row) { return table_.cell(row, time_column_); });
    measurements.push_back(std::move(measurement));
  }

  const StudyContext& context_;
  const SensorComponents& sensors_;
  std::string file_;
  NumberTable table_;
  std::size_t time_column_ = 0;
};

}  // namespace

std::vector<Measurement> read_measurements(const JsonElement& data, const StudyContext& context) {
  const SensorComponents sensors = sensor_components(context.study.model);
  TableReader reader(context, sensors);
  std::vector<Measurement> measurements;
  if (data.is_array()) {
    for (const JsonElement& element : data.elements()) reader.read(element, measurements);
    if (measurements.empty()) data.reject_value("one table at least");
  } else {
    reader.read(data, measurements);
  }
  return measurements;
}

Fit read_fit(const JsonElement& element, const StudyContext& context) {
  element.require_keys(keys::fit);
  Fit fit;
  fit.variables = read_variables(element.at("parameters"), context);
  fit.measurements = read_measurements(element.at("data"), context);
  if (const auto key = element.find("deviations_known")) fit.deviations_known = key->boolean();
  if (const auto key = element.find("tolerance")) fit.tolerance = key->constant();
  if (const auto key = element.find("iterations")) fit.iterations = whole_number(*key, 1);
  if (const auto key = element.find("starts")) fit.starts = whole_number(*key, 1);
  if (const auto key = element.find("seed")) fit.seed = whole_number(*key, 0);
  if (const auto key = element.find("confidence")) fit.confidence = key->constant();
  check_fit(fit, context.study.model, element.where());
  return fit;
}

void check_sensor(const std::string& sensor, const SensorComponents& sensors,
                  const std::string& where) {
  const std::vector<std::string>& names = sensors.names;
  const auto found = std::find(names.begin(), names.end(), sensor);
  if (found == names.end())
    throw InputError(where + ": found the sensor " + in_quotes(sensor) +
                     ", which the model does not have as one component; " +
                     suggestion(sensor, names));
}

void check_times(const std::vector<double>& times, double duration,
                 const std::function<std::string(std::size_t row)>& place) {
  const double slack = 1e-9 * duration;  // rounding allowed beyond the ends
  for (std::size_t row = 0; row < times.size(); ++row) {
    if (!(times[row] >= -slack && times[row] <= duration + slack))
      reject(place(row), "found " + to_text(times[row]),
             "the motion lasts from 0 to " + to_text(duration) + " s",
             "leave the row out, or give the motion a longer \"duration\" in \"options\"");
    if (row > 0 && !(times[row] > times[row - 1]))
      reject(place(row), "found " + to_text(times[row]) + " after " + to_text(times[row - 1]),
             "times ascend", "sort the rows, and give repeated measurements a file of their own");
  }
}

void check_fit(const Fit& fit, const Model& model, const std::string& where) {
  check_fraction(fit.tolerance, where, "tolerance");
  check_fraction(fit.confidence, where, "confidence");
  check_count(fit.iterations, std::numeric_limits<std::size_t>::max(), where, "iterations");
  check_count(fit.starts, most_starts, where, "starts");
  check_variables(fit.variables, model, fit.starts, where + "/parameters");
  std::size_t count = 0;
  for (const Measurement& measurement : fit.measurements) count += measurement.time.size();
  if (count < fit.variables.size())
    reject(where + "/data", "found " + std::to_string(count) + " measurements",
           "there are " + std::to_string(fit.variables.size()) + " parameters to find",
           "measure more, or find fewer");
}

}  // namespace gradus
