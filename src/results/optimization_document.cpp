// OptimizationResult -> JSON and tables.
#include "src/results/optimization_document.hpp"

#include <cmath>

#include "gradus/run.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/csv.hpp"
#include "src/results/json_text.hpp"

namespace gradus::results {
namespace {

void write_text(const std::filesystem::path& file, const std::string& text) {
  AtomicFile out(file);
  out.write(text);
  out.commit();
}

Json finite_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json terms_json(const OptimizationResult& result) {
  Json list = Json::array();
  for (const WeightedObjective& term : result.optimization.objective)
    list.push_back({{"objective", term.objective}, {"weight", term.weight}});
  return list;
}

Json variables_json(const OptimizationResult& result) {
  Json list = Json::array();
  for (std::size_t k = 0; k < result.variables.size(); ++k) {
    const Variable& variable = result.optimization.variables[k];
    const OptimizationStart& best = result.starts[result.best];
    list.push_back({{"name", result.variables[k].name},
                    {"unit", result.variables[k].unit},
                    {"lower", finite_or_null(variable.lower)},
                    {"upper", finite_or_null(variable.upper)},
                    {"start", best.start[k]},
                    {"optimum", best.point[k]},
                    {"gradient", number_at(result.objective_gradient, k)}});
  }
  return list;
}

Json objectives_json(const OptimizationResult& result) {
  Json list = Json::array();
  for (std::size_t i = 0; i < result.objectives.size(); ++i)
    list.push_back({{"name", result.objectives[i].name},
                    {"unit", result.objectives[i].unit},
                    {"value", number_at(result.objective_values, i)}});
  return list;
}

// The bounds of every row; a constraint on an objective at several times has as many.
const ObjectiveBound& bound_of(const OptimizationResult& result, const std::string& row) {
  const std::string whole = row.substr(0, row.rfind('@'));
  for (const ObjectiveBound& bound : result.optimization.constraints)
    if (bound.objective == row) return bound;
  for (const ObjectiveBound& bound : result.optimization.constraints)
    if (bound.objective == whole) return bound;
  return result.optimization.constraints.front();
}

Json constraints_json(const OptimizationResult& result) {
  Json list = Json::array();
  for (std::size_t i = 0; i < result.constraints.size(); ++i) {
    const ObjectiveBound& bound = bound_of(result, result.constraints[i].name);
    list.push_back({{"name", result.constraints[i].name},
                    {"unit", result.constraints[i].unit},
                    {"lower", finite_or_null(bound.lower)},
                    {"upper", finite_or_null(bound.upper)},
                    {"value", number_at(result.constraint_values, i)},
                    {"multiplier", number_at(result.check.constraint_multipliers, i)},
                    {"active", i < result.check.constraint_active.size() &&
                                   result.check.constraint_active[i]}});
  }
  return list;
}

Json starts_json(const OptimizationResult& result) {
  Json list = Json::array();
  for (const OptimizationStart& start : result.starts)
    list.push_back({{"start", start.start},
                    {"point", start.point},
                    {"objective", start.objective},
                    {"constraint_violation", start.constraint_violation},
                    {"evaluations", start.evaluations},
                    {"converged", start.converged},
                    {"reason", start.reason}});
  return list;
}

Json check_json(const OptimumCheck& check) {
  return {{"method", check.method},
          {"objective", check.objective},
          {"objective_deviation", check.objective_deviation},
          {"gradient_deviation", check.gradient_deviation},
          {"constraint_violation", check.constraint_violation},
          {"stationarity", check.stationarity},
          {"active", check.active},
          {"passed", check.passed},
          {"remark", check.remark}};
}

std::string history_table(const OptimizationResult& result) {
  std::string text =
      csv_row({"start", "evaluation", "objective", "gradient_norm", "constraint_violation"});
  for (const HistoryRow& row : result.history)
    text += csv_row({std::to_string(row.start), std::to_string(row.evaluation),
                     csv_number(row.objective), csv_number(row.gradient_norm),
                     csv_number(row.constraint_violation)});
  return text;
}

std::string starts_table(const OptimizationResult& result) {
  std::vector<std::string> heading{"start"};
  for (const char* what : {"start ", "found "})
    for (const NamedUnit& variable : result.variables) heading.push_back(what + variable.name);
  for (const char* what :
       {"objective", "constraint_violation", "evaluations", "converged", "reason"})
    heading.emplace_back(what);
  std::string text = csv_row(heading);
  for (std::size_t k = 0; k < result.starts.size(); ++k) {
    const OptimizationStart& start = result.starts[k];
    std::vector<std::string> row{std::to_string(k)};
    for (const double value : start.start) row.push_back(csv_number(value));
    for (const double value : start.point) row.push_back(csv_number(value));
    row.push_back(csv_number(start.objective));
    row.push_back(csv_number(start.constraint_violation));
    row.push_back(std::to_string(start.evaluations));
    row.emplace_back(start.converged ? "true" : "false");
    row.push_back(start.reason);
    text += csv_row(row);
  }
  return text;
}

}  // namespace

std::string optimization_document(const OptimizationResult& result) {
  const StudyRun& run = result.run;
  const Optimization& optimization = result.optimization;
  Json document{{"schema", "gradus-optimize/1"},
                {"version", version()},
                {"status", result.succeeded ? "ok" : "failed"},
                {"study", run.study},
                {"description", run.description},
                {"model", run.model},
                {"backend", run.backend},
                {"formulation", run.formulation},
                {"integrator", run.integrator},
                {"reference", run.reference},
                {"method", run.method},
                {"step", run.step},
                {"duration", run.duration},
                {"optimizer", optimization.method},
                {"tolerance", optimization.tolerance},
                {"constraint_tolerance", optimization.constraint_tolerance},
                {"seed", optimization.seed}};
  document[optimization.maximize ? "maximize" : "minimize"] = terms_json(result);
  document["objective"] = result.starts[result.best].objective;
  document["variables"] = variables_json(result);
  document["objectives"] = objectives_json(result);
  document["constraints"] = constraints_json(result);
  document["best"] = result.best;
  document["evaluations"] = result.history.size();
  document["check"] = check_json(result.check);
  document["starts"] = starts_json(result);
  return to_text(document);
}

void write_optimization(const std::filesystem::path& folder, const OptimizationResult& result) {
  remove_file(folder / "summary.json");
  write_text(folder / "starts.csv", starts_table(result));
  write_text(folder / "history.csv", history_table(result));
  write_text(folder / "summary.json", optimization_document(result));
}

}  // namespace gradus::results
