// Headers and rows of recorded motions.
#include "src/results/motion_csv.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "src/results/csv.hpp"

namespace gradus::results {
namespace {

std::string heading(const std::string& kind, const std::string& name, const std::string& unit) {
  return kind + " " + name + " [" + (unit.empty() ? "1" : unit) + "]";
}

// "m/kg", "(m/s)/(kg m^2)", "1/m"
std::string quotient(const std::string& unit, const std::string& by) {
  const auto factor = [](const std::string& text) {
    if (text.empty()) return std::string("1");
    return text.find_first_of(" /") == std::string::npos ? text : "(" + text + ")";
  };
  return factor(unit) + "/" + factor(by);
}

void add_headings(const std::string& kind, const std::vector<NamedUnit>& things,
                  const std::string& by, std::vector<std::string>& to) {
  for (const NamedUnit& thing : things)
    to.push_back(heading(kind, thing.name, by.empty() ? thing.unit : quotient(thing.unit, by)));
}

// Derivatives of each of `things` by all parameters.
void add_derivative_headings(const std::string& kind, const std::vector<NamedUnit>& things,
                             const std::vector<NamedUnit>& parameters,
                             std::vector<std::string>& to) {
  for (const NamedUnit& thing : things)
    for (const NamedUnit& parameter : parameters)
      to.push_back(heading(kind, thing.name + " by " + parameter.name,
                           quotient(thing.unit, parameter.unit)));
}

std::vector<std::string> first_headings(bool several_designs) {
  std::vector<std::string> names;
  if (several_designs) names.push_back("design");
  names.push_back("time [s]");
  return names;
}

// The numbers of one row of an array whose first axis is time.
std::span<const double> row_of(const std::vector<double>& values, std::size_t row,
                               std::size_t n_time) {
  const std::size_t width = values.size() / n_time;
  return std::span(values).subspan(row * width, width);
}

// Rows up to the last that holds a number: a design that ended early is filled up with NaN.
std::size_t rows_reached(std::span<const double> rows, std::size_t width) {
  const auto last =
      std::find_if(rows.rbegin(), rows.rend(), [](double v) { return std::isfinite(v); });
  const auto numbers = static_cast<std::size_t>(rows.rend() - last);
  return (numbers + width - 1) / width;
}

}  // namespace

void write_motions_csv(const Result& result, const Sink& sink) {
  const bool several = result.n_design > 1;
  std::vector<std::string> names = first_headings(several);
  add_headings("coordinate", result.coordinates, "", names);
  add_headings("rate", result.coordinates, "s", names);
  add_headings("acceleration", result.coordinates, "s^2", names);
  add_headings("sensor", result.sensor_components, "", names);
  if (result.has_sensor_columns)
    add_derivative_headings("sensor", result.sensor_components, result.parameters, names);
  if (result.has_objective_history) {
    add_headings("objective", result.objectives, "", names);
    if (result.has_sensor_columns)
      add_derivative_headings("objective", result.objectives, result.parameters, names);
  }
  CsvStream stream(sink);
  stream.row(names);
  for (const Trajectory& motion : result.trajectories) {
    const std::size_t n_time = motion.time.size();
    for (std::size_t i = 0; i < n_time; ++i) {
      if (several) stream.cell(motion.design);
      stream.cells(row_of(motion.time, i, n_time));
      for (const auto* values :
           {&motion.coordinates, &motion.rates, &motion.accelerations, &motion.sensors,
            &motion.sensor_columns, &motion.objective_history, &motion.gradient_history})
        stream.cells(row_of(*values, i, n_time));
      stream.end_row();
    }
  }
  stream.finish();
}

void write_motions_csv(const SweepResult& result, const SweepPieces& pieces, const Sink& sink) {
  std::vector<std::string> names = first_headings(true);
  add_headings("sensor", pieces.sensor_components, "", names);
  CsvStream stream(sink);
  stream.row(names);
  const std::size_t width = pieces.sensor_components.size();
  std::vector<double> rows(pieces.time.size() * width);  // of one design
  const std::size_t bytes = rows.size() * sizeof(double);
  std::size_t design = 0;
  for (const std::span<const std::byte> piece : pieces.sensors)
    for (std::size_t at = 0; at < piece.size(); at += bytes, ++design) {
      std::memcpy(rows.data(), piece.data() + at, bytes);
      const std::size_t reached =
          result.status[design].ok ? pieces.time.size() : rows_reached(rows, width);
      for (std::size_t i = 0; i < reached; ++i) {
        stream.cell(design);
        stream.cells(std::span(pieces.time).subspan(i, 1));
        stream.cells(std::span(rows).subspan(i * width, width));
        stream.end_row();
      }
    }
  stream.finish();
}

}  // namespace gradus::results
