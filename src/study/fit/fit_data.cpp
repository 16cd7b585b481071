// Tables -> measurements, and what can be wrong with them.
#include "src/study/fit/fit_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"
#include "src/study/fit/fit_keys.hpp"
#include "src/study/fit/fit_validation.hpp"
#include "src/study/number_table.hpp"

namespace gradus {
namespace {

class TableReader {
 public:
  TableReader(const StudyContext& context, const SensorComponents& sensors)
      : context_(context), sensors_(sensors), sensor_names_(sensors.names()) {}

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
    check_times();
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

  void check_times() const {
    const double duration = duration_of(context_.study);
    const double slack = time_tolerance(duration);
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      const double time = value(row, time_column_);
      if (time < -slack || time > duration + slack)
        reject(table_.cell(row, time_column_), "found " + to_text(time),
               "the motion lasts from 0 to " + to_text(duration) + " s",
               "leave the row out, or give the motion a longer \"duration\" in \"options\"");
      if (row > 0 && !(time > table_.rows[row - 1][time_column_]))
        reject(table_.cell(row, time_column_),
               "found " + to_text(time) + " after " + to_text(table_.rows[row - 1][time_column_]),
               "times ascend", "sort the rows, and give repeated measurements a file of their own");
    }
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
      check_sensor(sensor, element.where());
      add(*index, sensor, deviation, measurements);
    }
    if (columns.named().empty()) columns.reject_value("one column at least");
  }

  // All columns that have the names of components.
  void read_known(std::vector<Measurement>& measurements) {
    const std::size_t before = measurements.size();
    for (std::size_t column = 0; column < table_.text.columns.size(); ++column) {
      const std::string& name = table_.text.columns[column];
      if (column == time_column_ || !is_component(name)) continue;
      check_sensor(name, file_ + ": column " + in_quotes(name));
      add(column, name, 1.0, measurements);
    }
    if (measurements.size() > before) return;
    std::vector<std::string> others = table_.text.columns;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(time_column_));
    const std::string& first = others.empty() ? std::string() : others.front();
    throw InputError(file_ + ": no column has the name of a component of a sensor (found " +
                     (others.empty() ? "none but the time" : quoted_list(others)) +
                     "), name sensors with the key \"columns\"; " +
                     suggestion(first, sensor_names_));
  }

  bool is_component(const std::string& name) const {
    return std::find(sensor_names_.begin(), sensor_names_.end(), name) != sensor_names_.end();
  }

  void check_sensor(const std::string& sensor, const std::string& where) const {
    const auto found = std::find(sensor_names_.begin(), sensor_names_.end(), sensor);
    if (found == sensor_names_.end())
      throw InputError(where + ": found the sensor " + in_quotes(sensor) +
                       ", which the model does not have as one component; " +
                       suggestion(sensor, sensor_names_));
    if (!sensors_.differentiable[static_cast<std::size_t>(found - sensor_names_.begin())])
      reject(where, "found the sensor " + in_quotes(sensor) + ", a reaction",
             "derivatives over time are those of motions, not of forces",
             "measure a motion instead");
  }

  void add(std::size_t column, const std::string& sensor, double deviation,
           std::vector<Measurement>& measurements) const {
    Measurement measurement;
    measurement.sensor = sensor;
    measurement.column = table_.text.columns[column];
    measurement.deviation = deviation;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      measurement.time.push_back(table_.rows[row][time_column_]);
      measurement.value.push_back(value(row, column));
    }
    measurements.push_back(std::move(measurement));
  }

  const StudyContext& context_;
  const SensorComponents& sensors_;
  const std::vector<std::string> sensor_names_;
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

}  // namespace gradus
