// Results of studies -> tables.
#include "src/cli/study_reports.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "src/cli/text.hpp"
#include "src/model/message.hpp"
#include "src/results/json_text.hpp"

namespace gradus::cli {
namespace {

constexpr std::size_t shown_drivers = 12;
constexpr std::size_t shown_failures = 10;
constexpr std::size_t shown_starts = 20;
constexpr std::size_t shown_correlations = 10;  // parameters of a matrix that fits a terminal

using Text = std::string (*)(double);

// Of what may have no value; number_text would say that it failed.
std::string or_dash(double value, Text text = short_text) {
  return std::isnan(value) ? "-" : text(value);
}

std::string or_nothing(double value) {
  return std::isfinite(value) ? short_text(value) : "";
}

std::string bound_text(double bound) {
  return std::isfinite(bound) ? number_text(bound) : "-";
}

// How many starts are not shown, and which of several is the best.
std::string starts_footer(std::size_t starts, std::size_t best) {
  return and_more(starts, shown_starts) +
         (starts > 1 ? "  the best is start " + std::to_string(best) + "\n" : "");
}

template <typename Start>
std::string reason_text(const Start& start) {
  return start.reason + (start.converged ? "" : " (not converged)");
}

// Sweeps.

std::string interval_text(const Estimate& estimate) {
  if (!std::isfinite(estimate.low) || !std::isfinite(estimate.high)) return "";
  return short_text(estimate.low) + " to " + short_text(estimate.high);
}

std::string header(const SweepResult& result) {
  const StudyRun& run = result.run;
  return printable(run.study) + ": " + counted(result.designs, "design") + " of " +
         printable(run.model) + ", backend " + run.backend + ", formulation " + run.formulation +
         ", " +
         (run.adaptive ? short_text(run.duration) + " s by adaptive steps of " + run.integrator
                       : counted(run.steps, "step") + " of " + short_text(run.step) + " s") +
         "\n";
}

std::string statistics_table(const SweepResult& result) {
  const StatisticsSettings& asked = result.sweep.statistics;
  Table table{"<objective", ">mean", "<" + short_text(100.0 * asked.confidence) + " % interval",
              ">deviation", ">minimum"};
  for (const double p : asked.quantiles) table.column(">" + short_text(100.0 * p) + " %");
  table.column(">maximum");
  for (const ObjectiveStatistics& s : result.statistics) {
    std::vector<std::string> cells = {
        with_unit(s.objective), or_nothing(s.mean.value), interval_text(s.mean),
        or_nothing(std::sqrt(s.variance.value)), or_nothing(s.minimum)};
    for (const Quantile& quantile : s.quantiles) cells.push_back(or_nothing(quantile.value.value));
    cells.push_back(or_nothing(s.maximum));
    table.row(cells);
  }
  return "\n" + table.text();
}

// By what drivers are ordered, as far as it is known: a share of the variance, or the size of its
// derivatives.
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
  Table table{"<spread of " + s.objective.name,
              ">first order",
              "<interval",
              ">total, at most",
              ">linear",
              ">mean derivative"};
  for (std::size_t i = 0; i < std::min(order.size(), shown_drivers); ++i) {
    const Driver& driver = s.drivers[order[i]];
    table.row({driver.parameter, or_nothing(driver.first_order.value),
               interval_text(driver.first_order), or_nothing(driver.total_bound.value),
               or_nothing(driver.linear_share.value), or_nothing(driver.mean_derivative.value)});
  }
  return "\n" + table.text() + and_more(order.size(), shown_drivers, "parameters");
}

std::string failures(const SweepResult& result) {
  if (result.failed() == 0) return "";
  return "\n" + std::to_string(result.failed()) + " of " + std::to_string(result.designs) +
         " designs failed and are excluded:\n" + failed_designs(result.status, shown_failures);
}

// Optimisations.

std::string goal_text(const Optimization& optimization) {
  std::string text = optimization.maximize ? "maximised " : "minimised ";
  const bool worst = optimization.worst_case;
  if (worst) text += optimization.maximize ? "the smallest of " : "the largest of ";
  for (std::size_t i = 0; i < optimization.objective.size(); ++i) {
    const WeightedObjective& term = optimization.objective[i];
    if (i > 0) text += worst ? ", " : " + ";
    if (term.weight != 1.0) text += short_text(term.weight) + " * ";
    text += printable(term.objective);
  }
  return text;
}

std::string header(const OptimizationResult& result) {
  return printable(result.run.study) + ": " + goal_text(result.optimization) + " of " +
         printable(result.run.model) + " by " + result.optimization.method + ", " +
         std::to_string(result.history.size()) + " evaluations, backend " + result.run.backend +
         "\n";
}

std::string objective_line(const OptimizationResult& result) {
  std::string text = "\nobjective " + number_text(result.starts[result.best].objective);
  for (const HistoryRow& row : result.history)
    if (row.start == result.best && row.evaluation == 0) {
      text += ", at its start " + number_text(row.objective);
      if (row.constraint_violation > result.optimization.constraint_tolerance)
        text += ", where constraints were violated by " + short_text(row.constraint_violation);
    }
  return text + "\n";
}

std::string variables_table(const OptimizationResult& result) {
  Table table{"<parameter", ">start", ">optimum", ">lower", ">upper", ">gradient", "<unit"};
  const OptimizationStart& best = result.starts[result.best];
  for (std::size_t k = 0; k < result.variables.size(); ++k) {
    const Variable& variable = result.optimization.variables[k];
    table.row({result.variables[k].name, number_text(best.start[k]), number_text(best.point[k]),
               bound_text(variable.lower), bound_text(variable.upper),
               number_text(results::number_at(result.objective_gradient, k)),
               result.variables[k].unit});
  }
  return "\n" + table.text();
}

std::string objectives_table(const OptimizationResult& result) {
  Table table{"<objective", ">value", ">multiplier", "<constraint", "<unit"};
  for (std::size_t i = 0; i < result.objectives.size(); ++i) {
    const std::string& name = result.objectives[i].name;
    std::string multiplier = "-";
    std::string remark;
    for (std::size_t row = 0; row < result.constraints.size(); ++row) {
      if (result.constraints[row].name != name) continue;
      if (!result.check.constraint_multipliers.empty())
        multiplier = number_text(result.check.constraint_multipliers[row]);
      const auto& active = result.check.constraint_active;
      remark = row < active.size() && active[row] ? "active" : "not active";
    }
    table.row({name, number_text(results::number_at(result.objective_values, i)), multiplier,
               remark, result.objectives[i].unit});
  }
  return "\n" + table.text();
}

std::string starts_table(const OptimizationResult& result) {
  Table table{">start", ">objective", ">violation", ">evaluations", "<ended because"};
  for (std::size_t k = 0; k < std::min(result.starts.size(), shown_starts); ++k) {
    const OptimizationStart& start = result.starts[k];
    table.row({std::to_string(k), number_text(start.objective), or_dash(start.constraint_violation),
               std::to_string(start.evaluations), reason_text(start)});
  }
  return "\n" + table.text() + starts_footer(result.starts.size(), result.best);
}

std::string check_text(const OptimizationResult& result) {
  const OptimumCheck& check = result.check;
  std::string text = "\ncheck";
  if (!check.method.empty())
    text += " by " + check.method + ": gradients deviate by " +
            short_text(check.gradient_deviation) + ", first-order conditions are violated by " +
            short_text(check.stationarity);
  text += check.passed ? "; passed\n" : "; not passed: " + printable(check.remark) + "\n";
  for (const std::string& active : check.active) text += "  " + printable(active) + "\n";
  return text;
}

// Fits.

std::string header(const FitResult& result) {
  std::size_t count = 0;
  for (const Measurement& measurement : result.fit.measurements) count += measurement.time.size();
  return printable(result.run.study) + ": " + counted(result.fit.variables.size(), "parameter") +
         " of " + printable(result.run.model) + " fitted to " + counted(count, "measurement") +
         " of " + counted(result.fit.measurements.size(), "sensor component") + ", backend " +
         result.run.backend + "\n";
}

std::string parameters_table(const FitResult& result) {
  Table table{"<parameter",
              ">start",
              ">value",
              ">standard error",
              ">" + short_text(100.0 * result.fit.confidence) + " % from",
              ">to",
              "<unit"};
  for (const FittedParameter& p : result.parameters)
    table.row({p.parameter.name, number_text(p.start), number_text(p.value),
               p.at_bound ? "at bound" : or_dash(p.standard_error), or_dash(p.low, number_text),
               or_dash(p.high, number_text), p.parameter.unit});
  return "\n" + table.text();
}

std::string correlation_table(const FitResult& result) {
  const std::size_t n = result.parameters.size();
  if (n < 2 || n > shown_correlations) return "";
  Table table{"<correlation"};
  for (const FittedParameter& p : result.parameters) table.column(">" + p.parameter.name);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::string> cells = {result.parameters[i].parameter.name};
    for (std::size_t j = 0; j < n; ++j) cells.push_back(or_dash(result.correlation[i * n + j]));
    table.row(cells);
  }
  return "\n" + table.text();
}

std::string starts_table(const FitResult& result) {
  Table table{">start", ">sum of squares", ">iterations", "<ended because"};
  for (std::size_t k = 0; k < std::min(result.starts.size(), shown_starts); ++k) {
    const FitStart& start = result.starts[k];
    table.row({std::to_string(k), number_text(start.sum_of_squares),
               std::to_string(start.iterations), reason_text(start)});
  }
  return "\n" + table.text() + starts_footer(result.starts.size(), result.best);
}

std::string quality_lines(const FitResult& result) {
  return "\nsum of squares " + number_text(result.sum_of_squares) + ", residual deviation " +
         or_dash(result.residual_deviation) + "\ngradient " + or_dash(result.gradient_norm) +
         " of its value at the start; it differs from central differences by " +
         or_dash(result.check_deviation) + ", and these may be wrong by " +
         or_dash(result.check_error) + "\n";
}

std::string stiff_line(const StudyRun& run) {
  if (run.stiff_designs == 0) return "";
  return "motions too stiff for " + run.integrator + ", run by " + run.stiff_integrator + ": " +
         std::to_string(run.stiff_designs) + "\n";
}

}  // namespace

std::string sweep_report(const SweepResult& result) {
  std::string text = header(result) + statistics_table(result);
  for (const ObjectiveStatistics& s : result.statistics)
    if (!s.drivers.empty()) text += drivers_table(s);
  return text +
         motion_checks_text(result.constraint_violation, result.singular_passage,
                            result.splines_extrapolated) +
         stiff_line(result.run) + failures(result);
}

std::string optimization_report(const OptimizationResult& result) {
  return header(result) + objective_line(result) + variables_table(result) +
         objectives_table(result) + starts_table(result) +
         motion_checks_text(result.constraint_violation, result.singular_passage,
                            result.splines_extrapolated) +
         stiff_line(result.run) + check_text(result);
}

std::string fit_report(const FitResult& result) {
  std::string text = header(result);
  if (result.parameters.empty()) return text;
  text += parameters_table(result) + correlation_table(result) + starts_table(result) +
          quality_lines(result) +
          motion_checks_text(result.constraint_violation, result.singular_passage,
                             result.splines_extrapolated) +
          stiff_line(result.run);
  for (const std::string& warning : result.warnings)
    text += "warning: " + printable(warning) + "\n";
  return text + (result.succeeded ? "" : "\nthe fit did not succeed\n");
}

}  // namespace gradus::cli
