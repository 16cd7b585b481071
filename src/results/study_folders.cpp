// OptimizationResult and FitResult -> JSON and tables.
#include "src/results/study_folders.hpp"

#include "gradus/run.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/motion_checks.hpp"

namespace gradus {

GRADUS_JSON(StudyRun, study, description, model, backend, formulation, integrator, coordinates,
            reference, method, step, duration, adaptive)
GRADUS_JSON(WeightedObjective, objective, weight)
GRADUS_JSON(OptimizationStart, start, point, objective, constraint_violation, evaluations,
            converged, reason)
GRADUS_JSON(OptimumCheck, method, objective, objective_deviation, gradient_deviation,
            constraint_violation, stationarity, active, passed, remark)
GRADUS_JSON(FitStart, start, point, sum_of_squares, iterations, converged, reason)

namespace results {

Json study_head(const std::string& schema, bool ok, const StudyRun& run) {
  Json head{{"schema", schema}, {"version", version()}, {"status", ok ? "ok" : "failed"}};
  head.update(Json(run));
  if (run.stiff_designs > 0)
    head["stiff"] = {{"count", run.stiff_designs}, {"integrator", run.stiff_integrator}};
  if (const StepErrors& errors = run.step_errors; errors.designs > 0)
    head["step_errors"] = {{"designs", errors.designs},
                           {"beyond_one_percent", errors.remarkable},
                           {"largest", errors.largest},
                           {"objective", errors.objective},
                           {"of_gradient", errors.of_gradient}};
  return head;
}

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
  std::vector<std::string> heads{"start",         "evaluation",           "objective",
                                 "gradient_norm", "constraint_violation", "feasible"};
  const bool has_steps = !result.optimization.continuation.empty();
  if (has_steps) heads.push_back("problem");
  for (const auto& variable : result.variables) heads.push_back("at " + variable.name);
  std::string text = csv_row(heads);
  for (const HistoryRow& row : result.history) {
    std::vector<std::string> fields{csv_field(row.start), csv_field(row.evaluation)};
    for (const double value : {row.objective, row.gradient_norm, row.constraint_violation})
      fields.push_back(csv_field(value));
    fields.push_back(!std::isfinite(row.objective) ? "" : row.feasible ? "true" : "false");
    if (has_steps) fields.push_back(csv_field(row.step + 1));
    for (const double value : row.point) fields.push_back(csv_field(value));
    text += csv_row(fields);
  }
  return text;
}

// What the best start has been through, problem by problem.
Json continuation_json(const OptimizationResult& result) {
  Json list = Json::array();
  const std::vector<ContinuationOutcome>& outcomes = result.starts[result.best].continuation;
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    const ContinuationStep& step = result.optimization.continuation[k];
    Json entry{{"objective", outcomes[k].objective},
               {"constraint_violation", outcomes[k].constraint_violation},
               {"evaluations", outcomes[k].evaluations},
               {"converged", outcomes[k].converged},
               {"reason", outcomes[k].reason},
               {"optimum", outcomes[k].point}};
    if (step.duration) entry["duration"] = *step.duration;
    for (const auto& [name, value] : step.set) entry["set"][name] = value;
    list.push_back(std::move(entry));
  }
  return list;
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
  document["combined"] = !optimization.worst_case ? "sum"
                         : optimization.maximize  ? "smallest"
                                                  : "largest";
  document["objective"] = result.starts[result.best].objective;
  document["variables"] = variables_json(result);
  document["objectives"] = objectives_json(result);
  document["constraints"] = constraints_json(result);
  add_motion_checks(result.constraint_violation, result.singular_passage, document);
  add_extrapolations(result.splines_extrapolated, document);
  document["best"] = result.best;
  document["evaluations"] = result.history.size();
  document["check"] = result.check;
  document["starts"] = result.starts;
  if (!result.optimization.continuation.empty())
    document["continuation"] = continuation_json(result);
  return to_text(document);
}

// Fits. -------------------------------------------------------------------------------------------

Json matrix_json(const std::vector<double>& values, std::size_t n) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < n; ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < n; ++j) row.push_back(number_at(values, i * n + j));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json parameters_json(const FitResult& result) {
  Json list = Json::array();
  for (std::size_t k = 0; k < result.parameters.size(); ++k) {
    const FittedParameter& p = result.parameters[k];
    const Variable& variable = result.fit.variables[k];
    list.push_back({{"name", p.parameter.name},
                    {"unit", p.parameter.unit},
                    {"start", p.start},
                    {"lower", variable.lower},
                    {"upper", variable.upper},
                    {"value", p.value},
                    {"standard_error", p.standard_error},
                    {"low", p.low},
                    {"high", p.high},
                    {"at_bound", p.at_bound}});
  }
  return list;
}

Json measurements_json(const Fit& fit) {
  Json list = Json::array();
  for (const Measurement& m : fit.measurements)
    list.push_back({{"sensor", m.sensor},
                    {"column", m.column},
                    {"deviation", m.deviation},
                    {"count", m.time.size()}});
  return list;
}

std::string residuals_table(const FitResult& result) {
  std::string text = csv_row({"sensor", "time", "measured", "computed", "residual"});
  for (const FitResidual& r : result.residuals)
    text += csv_row_of(r.sensor, r.time, r.measured, r.computed, r.measured - r.computed);
  return text;
}

std::string history_table(const FitResult& result) {
  std::string text = csv_row({"start", "iteration", "sum_of_squares", "gradient_norm", "damping"});
  for (const FitHistoryRow& row : result.history)
    text +=
        csv_row_of(row.start, row.iteration, row.sum_of_squares, row.gradient_norm, row.damping);
  return text;
}

std::string starts_table(const FitResult& result) {
  return starts_csv(result.fit.variables, result.starts, {"sum_of_squares", "iterations"},
                    [](const FitStart& start) -> std::vector<std::string> {
                      return {csv_field(start.sum_of_squares), csv_field(start.iterations)};
                    });
}

std::string document_of(const FitResult& result) {
  const std::size_t n = result.parameters.size();
  Json document = study_head("gradus-fit/1", result.succeeded, result.run);
  document.update(Json{{"tolerance", result.fit.tolerance},
                       {"iterations", result.fit.iterations},
                       {"seed", result.fit.seed},
                       {"confidence", result.fit.confidence},
                       {"deviations_known", result.fit.deviations_known},
                       {"measurements", measurements_json(result.fit)},
                       {"parameters", parameters_json(result)},
                       {"covariance", matrix_json(result.covariance, n)},
                       {"correlation", matrix_json(result.correlation, n)},
                       {"singular_values", result.singular_values},
                       {"sum_of_squares", result.sum_of_squares},
                       {"residual_deviation", result.residual_deviation},
                       {"gradient_norm", result.gradient_norm},
                       {"check_deviation", result.check_deviation},
                       {"check_error", result.check_error},
                       {"best", result.best},
                       {"starts", result.starts},
                       {"warnings", result.warnings},
                       {"succeeded", result.succeeded}});
  add_motion_checks(result.constraint_violation, result.singular_passage, document);
  add_extrapolations(result.splines_extrapolated, document);
  return to_text(document);
}

}  // namespace

void write_optimization(const std::filesystem::path& folder, const OptimizationResult& result) {
  remove_file(folder / "summary.json");
  write_file(folder / "starts.csv", starts_table(result));
  write_file(folder / "history.csv", history_table(result));
  write_file(folder / "summary.json", document_of(result));
}

void write_fit(const std::filesystem::path& folder, const FitResult& result) {
  remove_file(folder / "summary.json");
  write_file(folder / "residuals.csv", residuals_table(result));
  write_file(folder / "history.csv", history_table(result));
  write_file(folder / "starts.csv", starts_table(result));
  write_file(folder / "summary.json", document_of(result));
}

}  // namespace results
}  // namespace gradus
