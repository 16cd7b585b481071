// FitResult -> tables.
#include "src/cli/fit_report.hpp"

#include <algorithm>
#include <cmath>

#include "src/cli/printable.hpp"
#include "src/cli/starts_footer.hpp"
#include "src/cli/tables.hpp"

namespace gradus::cli {
namespace {

constexpr std::size_t shown_correlations = 10;  // parameters of a matrix that fits a terminal

// Of what may have no value; number_text would say that it failed.
std::string number_or_dash(double value, std::string (*text)(double)) {
  return std::isnan(value) ? "-" : text(value);
}

std::string header(const FitResult& result) {
  std::size_t count = 0;
  for (const Measurement& measurement : result.fit.measurements) count += measurement.time.size();
  return printable(result.run.study) + ": " + std::to_string(result.fit.variables.size()) +
         " parameters of " + printable(result.run.model) + " fitted to " + std::to_string(count) +
         " measurements of " + std::to_string(result.fit.measurements.size()) +
         " sensor components, backend " + result.run.backend + "\n";
}

std::string parameters_table(const FitResult& result) {
  Table table;
  table.column("parameter", Align::left);
  table.column("start", Align::right);
  table.column("value", Align::right);
  table.column("standard error", Align::right);
  const std::string interval = short_text(100.0 * result.fit.confidence) + " % from";
  table.column(interval, Align::right);
  table.column("to", Align::right);
  table.column("unit", Align::left);
  for (const FittedParameter& p : result.parameters)
    table.row({p.parameter.name, number_text(p.start), number_text(p.value),
               p.at_bound ? "at bound" : number_or_dash(p.standard_error, short_text),
               number_or_dash(p.low, number_text), number_or_dash(p.high, number_text),
               p.parameter.unit});
  return "\n" + table.text();
}

std::string correlation_table(const FitResult& result) {
  const std::size_t n = result.parameters.size();
  if (n < 2 || n > shown_correlations) return "";
  Table table;
  table.column("correlation", Align::left);
  for (const FittedParameter& p : result.parameters) table.column(p.parameter.name, Align::right);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::string> cells = {result.parameters[i].parameter.name};
    for (std::size_t j = 0; j < n; ++j)
      cells.push_back(number_or_dash(result.correlation[i * n + j], short_text));
    table.row(cells);
  }
  return "\n" + table.text();
}

std::string starts_table(const FitResult& result) {
  Table table;
  table.column("start", Align::right);
  table.column("sum of squares", Align::right);
  table.column("iterations", Align::right);
  table.column("ended because", Align::left);
  const std::size_t count = std::min(result.starts.size(), shown_starts);
  for (std::size_t k = 0; k < count; ++k) {
    const FitStart& start = result.starts[k];
    table.row({std::to_string(k), number_text(start.sum_of_squares),
               std::to_string(start.iterations),
               start.reason + (start.converged ? "" : " (not converged)")});
  }
  return "\n" + table.text() + starts_footer(result.starts.size(), result.best);
}

std::string quality_lines(const FitResult& result) {
  return "\nsum of squares " + number_text(result.sum_of_squares) + ", residual deviation " +
         number_or_dash(result.residual_deviation, short_text) + "\ngradient " +
         number_or_dash(result.gradient_norm, short_text) +
         " of that at the start; it differs from central differences by " +
         number_or_dash(result.check_deviation, short_text) + "\n";
}

}  // namespace

std::string fit_report(const FitResult& result) {
  std::string text = header(result);
  if (result.parameters.empty()) return text;
  text += parameters_table(result) + correlation_table(result) + starts_table(result) +
          quality_lines(result);
  for (const std::string& warning : result.warnings)
    text += "warning: " + printable(warning) + "\n";
  return text + (result.succeeded ? "" : "\nthe fit did not succeed\n");
}

}  // namespace gradus::cli
