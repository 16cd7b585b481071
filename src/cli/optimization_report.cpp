// OptimizationResult -> tables.
#include "src/cli/optimization_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/cli/printable.hpp"
#include "src/cli/starts_footer.hpp"
#include "src/cli/tables.hpp"

namespace gradus::cli {
namespace {

double at(const std::vector<double>& values, std::size_t index) {
  return index < values.size() ? values[index] : std::numeric_limits<double>::quiet_NaN();
}

std::string bound_text(double bound) {
  return std::isfinite(bound) ? number_text(bound) : "-";
}

std::string goal_text(const Optimization& optimization) {
  std::string text = optimization.maximize ? "maximised " : "minimised ";
  for (std::size_t i = 0; i < optimization.objective.size(); ++i) {
    const WeightedObjective& term = optimization.objective[i];
    if (i > 0) text += " + ";
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
  const OptimizationStart& best = result.starts[result.best];
  std::string text = "\nobjective " + number_text(best.objective);
  if (!result.history.empty())
    for (const HistoryRow& row : result.history)
      if (row.start == result.best && row.evaluation == 0)
        text += ", at its start " + number_text(row.objective);
  return text + "\n";
}

std::string variables_table(const OptimizationResult& result) {
  Table table;
  table.column("parameter", Align::left);
  for (const char* heading : {"start", "optimum", "lower", "upper", "gradient"})
    table.column(heading, Align::right);
  table.column("unit", Align::left);
  const OptimizationStart& best = result.starts[result.best];
  for (std::size_t k = 0; k < result.variables.size(); ++k) {
    const Variable& variable = result.optimization.variables[k];
    table.row({printable(result.variables[k].name), number_text(best.start[k]),
               number_text(best.point[k]), bound_text(variable.lower), bound_text(variable.upper),
               number_text(at(result.objective_gradient, k)), printable(result.variables[k].unit)});
  }
  return "\n" + table.text();
}

std::string objectives_table(const OptimizationResult& result) {
  Table table;
  table.column("objective", Align::left);
  table.column("value", Align::right);
  table.column("multiplier", Align::right);
  table.column("constraint", Align::left);
  table.column("unit", Align::left);
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
    table.row({printable(name), number_text(at(result.objective_values, i)), multiplier, remark,
               printable(result.objectives[i].unit)});
  }
  return "\n" + table.text();
}

std::string starts_table(const OptimizationResult& result) {
  Table table;
  table.column("start", Align::right);
  table.column("objective", Align::right);
  table.column("violation", Align::right);
  table.column("evaluations", Align::right);
  table.column("ended because", Align::left);
  const std::size_t count = std::min(result.starts.size(), shown_starts);
  for (std::size_t k = 0; k < count; ++k) {
    const OptimizationStart& start = result.starts[k];
    table.row(
        {std::to_string(k), number_text(start.objective),
         std::isnan(start.constraint_violation) ? "-" : short_text(start.constraint_violation),
         std::to_string(start.evaluations),
         start.reason + (start.converged ? "" : " (not converged)")});
  }
  return "\n" + table.text() + starts_footer(result.starts.size(), result.best);
}

std::string check_text(const OptimizationResult& result) {
  const OptimumCheck& check = result.check;
  std::string text = "\ncheck";
  if (!check.method.empty())
    text += " by " + check.method + ": gradients deviate by " +
            short_text(check.gradient_deviation) + ", first-order conditions are missed by " +
            short_text(check.stationarity);
  text += check.passed ? "; passed\n" : "; not passed: " + printable(check.remark) + "\n";
  for (const std::string& active : check.active) text += "  " + printable(active) + "\n";
  return text;
}

}  // namespace

std::string optimization_report(const OptimizationResult& result) {
  return header(result) + objective_line(result) + variables_table(result) +
         objectives_table(result) + starts_table(result) + check_text(result);
}

}  // namespace gradus::cli
