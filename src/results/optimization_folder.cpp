// OptimizationResult -> JSON and tables.
#include "src/results/atomic_file.hpp"
#include "src/results/study_folders.hpp"

namespace gradus {

GRADUS_JSON(WeightedObjective, objective, weight)
GRADUS_JSON(OptimizationStart, start, point, objective, constraint_violation, evaluations,
            converged, reason)
GRADUS_JSON(OptimumCheck, method, objective, objective_deviation, gradient_deviation,
            constraint_violation, stationarity, active, passed, remark)

namespace results {
namespace {

Json variables_json(const OptimizationResult& result) {
  Json list = Json::array();
  for (std::size_t k = 0; k < result.variables.size(); ++k) {
    const Variable& variable = result.optimization.variables[k];
    const OptimizationStart& best = result.starts[result.best];
    list.push_back({{"name", result.variables[k].name},
                    {"unit", result.variables[k].unit},
                    {"lower", variable.lower},
                    {"upper", variable.upper},
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
                    {"lower", bound.lower},
                    {"upper", bound.upper},
                    {"value", number_at(result.constraint_values, i)},
                    {"multiplier", number_at(result.check.constraint_multipliers, i)},
                    {"active", i < result.check.constraint_active.size() &&
                                   result.check.constraint_active[i]}});
  }
  return list;
}

std::string history_table(const OptimizationResult& result) {
  std::string text =
      csv_row({"start", "evaluation", "objective", "gradient_norm", "constraint_violation"});
  for (const HistoryRow& row : result.history)
    text += csv_row_of(row.start, row.evaluation, row.objective, row.gradient_norm,
                       row.constraint_violation);
  return text;
}

std::string starts_table(const OptimizationResult& result) {
  return starts_csv(result.variables, result.starts,
                    {"objective", "constraint_violation", "evaluations"},
                    [](const OptimizationStart& start) -> std::vector<std::string> {
                      return {csv_field(start.objective), csv_field(start.constraint_violation),
                              csv_field(start.evaluations)};
                    });
}

std::string document_of(const OptimizationResult& result) {
  const Optimization& optimization = result.optimization;
  Json document = study_head("gradus-optimize/1", result.succeeded, result.run);
  document.update(Json{{"optimizer", optimization.method},
                       {"tolerance", optimization.tolerance},
                       {"constraint_tolerance", optimization.constraint_tolerance},
                       {"seed", optimization.seed}});
  document[optimization.maximize ? "maximize" : "minimize"] = result.optimization.objective;
  document["objective"] = result.starts[result.best].objective;
  document["variables"] = variables_json(result);
  document["objectives"] = objectives_json(result);
  document["constraints"] = constraints_json(result);
  document["best"] = result.best;
  document["evaluations"] = result.history.size();
  document["check"] = result.check;
  document["starts"] = result.starts;
  return to_text(document);
}

}  // namespace

void write_optimization(const std::filesystem::path& folder, const OptimizationResult& result) {
  remove_file(folder / "summary.json");
  write_file(folder / "starts.csv", starts_table(result));
  write_file(folder / "history.csv", history_table(result));
  write_file(folder / "summary.json", document_of(result));
}

}  // namespace results
}  // namespace gradus
