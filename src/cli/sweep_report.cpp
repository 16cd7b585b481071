// SweepResult -> tables.
#include "src/cli/sweep_report.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "src/cli/printable.hpp"
#include "src/cli/tables.hpp"

namespace gradus::cli {
namespace {

constexpr std::size_t shown_drivers = 12;
constexpr std::size_t shown_failures = 10;

std::string or_nothing(double value) {
  return std::isfinite(value) ? short_text(value) : "";
}

std::string interval_text(const Estimate& estimate) {
  if (!std::isfinite(estimate.low) || !std::isfinite(estimate.high)) return "";
  return short_text(estimate.low) + " to " + short_text(estimate.high);
}

std::string header(const SweepResult& result) {
  const StudyRun& run = result.run;
  return printable(run.study) + ": " + std::to_string(result.designs) + " designs of " +
         printable(run.model) + ", backend " + run.backend + ", formulation " + run.formulation +
         ", " + std::to_string(run.steps) + " steps of " + short_text(run.step) + " s\n";
}

std::string statistics_table(const SweepResult& result) {
  Table table;
  table.column("objective", Align::left);
  table.column("mean", Align::right);
  table.column(short_text(100.0 * result.sweep.statistics.confidence) + " % interval", Align::left);
  table.column("deviation", Align::right);
  table.column("minimum", Align::right);
  for (const double p : result.sweep.statistics.quantiles)
    table.column(short_text(100.0 * p) + " %", Align::right);
  table.column("maximum", Align::right);
  for (const ObjectiveStatistics& s : result.statistics) {
    std::vector<std::string> cells = {
        with_unit(printable(s.objective.name), s.objective.unit), or_nothing(s.mean.value),
        interval_text(s.mean), or_nothing(std::sqrt(s.variance.value)), or_nothing(s.minimum)};
    for (const Quantile& quantile : s.quantiles) cells.push_back(or_nothing(quantile.value.value));
    cells.push_back(or_nothing(s.maximum));
    table.row(cells);
  }
  return "\n" + table.text();
}

// What is known of a driver: a share of the variance, or the size of its derivatives.
double weight(const Driver& driver) {
  if (std::isfinite(driver.first_order.value)) return driver.first_order.value;
  if (std::isfinite(driver.linear_share.value)) return driver.linear_share.value;
  return driver.mean_square_derivative.value;
}

std::string drivers_table(const ObjectiveStatistics& s) {
  std::vector<std::size_t> order(s.drivers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return weight(s.drivers[a]) > weight(s.drivers[b]);
  });
  Table table;
  table.column("spread of " + s.objective.name, Align::left);
  table.column("first order", Align::right);
  table.column("interval", Align::left);
  table.column("total, at most", Align::right);
  table.column("linear", Align::right);
  table.column("mean derivative", Align::right);
  for (std::size_t i = 0; i < std::min(order.size(), shown_drivers); ++i) {
    const Driver& driver = s.drivers[order[i]];
    table.row({printable(driver.parameter), or_nothing(driver.first_order.value),
               interval_text(driver.first_order), or_nothing(driver.total_bound.value),
               or_nothing(driver.linear_share.value), or_nothing(driver.mean_derivative.value)});
  }
  std::string text = "\n" + table.text();
  if (order.size() > shown_drivers)
    text += "  ... and " + std::to_string(order.size() - shown_drivers) + " more parameters\n";
  return text;
}

std::string failures(const SweepResult& result) {
  const std::size_t failed = result.failed();
  if (failed == 0) return "";
  std::string text = "\n" + std::to_string(failed) + " of " + std::to_string(result.designs) +
                     " designs failed and are left out:\n";
  std::size_t shown = 0;
  for (std::size_t d = 0; d < result.status.size() && shown < shown_failures; ++d) {
    if (result.status[d].ok) continue;
    ++shown;
    text += "  design " + std::to_string(d) + " at " + short_text(result.status[d].time) +
            " s: " + printable(result.status[d].message) + "\n";
  }
  return failed > shown ? text + "  ... and " + std::to_string(failed - shown) + " more\n" : text;
}

}  // namespace

std::string sweep_report(const SweepResult& result) {
  std::string text = header(result) + statistics_table(result);
  for (const ObjectiveStatistics& s : result.statistics)
    if (!s.drivers.empty()) text += drivers_table(s);
  return text + failures(result);
}

}  // namespace gradus::cli
