// CheckReport, Description, BenchmarkReport and errors -> JSON.
#include "src/results/reports.hpp"

#include <algorithm>

#include "gradus/optimize.hpp"
#include "src/results/hdf5_file.hpp"
#include "src/results/json_text.hpp"
#include "src/results/motion_checks.hpp"

namespace gradus {

inline void to_json(nlohmann::ordered_json& json, CheckVerdict verdict) {
  json = to_string(verdict);
}
GRADUS_JSON(CheckPart, passed, message)
GRADUS_JSON(CheckLine, objective, parameter, direct, adjoint, dual, difference, difference_step,
            refined, scale, adjoint_deviation, dual_deviation, rounding, difference_deviation,
            difference_error, refined_deviation, verdict, accurate, passed)
GRADUS_JSON(Description::BodyLine, body, joint, type, parent, coordinates)
GRADUS_JSON(Description::LoopLine, loop, type, parent, child, equations)
GRADUS_JSON(Description::DrawnLine, joint, type, parent, child, in_common)
GRADUS_JSON(Description::ConstraintLine, constraint, equations)
GRADUS_JSON(SolverChoice, size, columns, systems, definite, solver, seconds)
GRADUS_JSON(SolverTable, device, measured, origin, choices)

namespace results {
namespace {

Json parameter_table(const Description& description) {
  Json parameters = Json::object();
  for (std::size_t k = 0; k < description.parameters.size(); ++k) {
    const NamedUnit& parameter = description.parameters[k];
    const auto touched = description.touches.find(parameter.name);
    append(parameters, parameter.name,
           {{"value", number_at(description.parameter_values, k)},
            {"unit", parameter.unit},
            {"touches",
             touched == description.touches.end() ? std::vector<std::string>{} : touched->second}});
  }
  return parameters;
}

Json machine_json(const Machine& machine) {
  Json json{{"processor", machine.processor},
            {"threads", machine.threads},
            {"memory", machine.memory},
            {"gpu", machine.gpu.empty() ? Json(nullptr) : Json(machine.gpu)}};
  if (machine.gpu.empty()) json["gpu_obstacle"] = machine.gpu_obstacle;
  return json;
}

Json row_json(const BenchmarkReport& report, const BenchmarkRow& row) {
  const auto if_measured = [&](double value) {
    return row.measured() && value > 0.0 ? Json(value) : Json(nullptr);
  };
  Json json{{"model", row.model},
            {"method", row.method},
            {"backend", row.backend},
            {"backend_ran", row.backend_ran},
            {"bodies", row.bodies},
            {"parameters", row.parameters},
            {"designs", row.designs},
            {"steps", row.steps},
            {"seconds", if_measured(row.seconds)},
            {"minimum", if_measured(row.minimum)},
            {"maximum", if_measured(row.maximum)},
            {"designs_per_second", if_measured(row.designs_per_second())},
            {"column_steps_per_second", if_measured(row.column_steps_per_second())},
            {"ratio", if_measured(report.ratio(row))},
            {"deviation", row.measured() ? Json(row.deviation) : Json(nullptr)}};
  if (!row.measured()) json["remark"] = row.remark;
  return json;
}

Json point_json(const BreakEven& point) {
  return {{"method", point.method},
          {"bodies", point.bodies},
          {"parameters", point.parameters},
          {"designs", point.designs ? Json(*point.designs) : Json(nullptr)},
          {"fewest_measured", point.fewest},
          {"most_measured", point.most}};
}

}  // namespace

std::string failed_parts(const CheckReport& report) {
  // If the model fails, nothing else says anything.
  if (!report.model.passed) return "the model: " + report.model.message;
  std::string text;
  if (!report.derivative.passed) text = "the derivative: " + report.derivative.message;
  if (!report.accuracy.passed)
    text += (text.empty() ? "" : "; ") + ("the accuracy: " + report.accuracy.message);
  return text;
}

std::string check_document(const std::string& model, const CheckReport& report) {
  Json document = {
      {"schema", "gradus-check/2"},
      {"version", version()},
      {"model", model},
      {"status", report.passed ? "ok" : "failed"},
      {"refinement", report.refinement},
      {"parts",
       {{"derivative", report.derivative}, {"accuracy", report.accuracy}, {"model", report.model}}},
      {"lines", report.lines}};
  if (!report.friction.empty()) document["friction"] = report.friction;
  if (!report.passed)
    document["error"] = {{"code", numerical_failure_code}, {"message", failed_parts(report)}};
  return to_text(document);
}

std::string kernels_document(const std::string& model, const std::string& folder,
                             const std::vector<MadeKernels>& kernels) {
  const auto has_none = [](const MadeKernels& made) { return !made.obstacle.empty(); };
  const bool failed = std::all_of(kernels.begin(), kernels.end(), has_none);
  Json document = {{"schema", "gradus-kernels/1"},
                   {"version", version()},
                   {"model", model},
                   {"status", failed ? "error" : "ok"},
                   {"folder", folder.empty() ? Json() : Json(folder)},
                   {"kernels", Json::array()}};
  for (const MadeKernels& made : kernels) {
    Json line = {{"of", !made.with_gradient ? "motion"
                        : made.by_adjoint   ? "adjoint"
                                            : "gradient"},
                 {"lanes", made.lanes},
                 {"ways", made.ways},
                 {"complete", made.complete},
                 {"found", made.found},
                 {"compilations", made.compilations},
                 {"compile_s", made.compile_s},
                 {"general_operations", made.general_operations},
                 {"operations", made.operations},
                 {"numbers", made.numbers},
                 {"code_bytes", made.code_bytes},
                 {"general_s", made.general_s},
                 {"specialised_s", made.obstacle.empty() ? Json(made.specialised_s) : Json()}};
    if (!made.obstacle.empty()) line["obstacle"] = made.obstacle;
    document["kernels"].push_back(std::move(line));
  }
  return to_text(document);
}

std::string description_document(const Description& description) {
  return to_text({{"schema", "gradus-info/1"},
                  {"version", version()},
                  {"status", "ok"},
                  {"model", description.model},
                  {"formulation", description.formulation},
                  {"integrator", description.integrator},
                  {"stiff_integrator", description.stiff_integrator},
                  {"tree", description.tree},
                  {"loops", description.loops},
                  {"drawn", description.drawn},
                  {"coordinate_kind", description.coordinate_kind},
                  {"turn_counts", description.turn_counts},
                  {"coordinates", description.coordinates},
                  {"constraint_equations", description.constraint_equations},
                  {"constraint_rank", description.constraint_rank},
                  {"redundant_equations", description.redundant_equations},
                  {"degrees_of_freedom", description.degrees_of_freedom},
                  {"start", description.start},
                  {"completed", description.completed},
                  {"released", description.released},
                  {"cut", description.cut},
                  {"reversed", description.reversed},
                  {"added", description.added},
                  {"constraints", description.constraints},
                  {"independent_coordinates", description.independent_coordinates},
                  {"parameters", parameter_table(description)},
                  {"objectives", description.objectives},
                  {"sensors", description.sensors},
                  {"states", description.states},
                  {"events", description.events},
                  {"backends", description.backends}});
}

std::string backends_document(const std::vector<std::string>& backends,
                              const std::vector<SolverTable>& solvers) {
  const std::string cache = kernel_cache_folder();
  Json forces = Json::array();
  for (const auto& [type, plugin] : force_types())
    forces.push_back({{"type", type}, {"plugin", plugin.empty() ? Json(nullptr) : Json(plugin)}});
  return to_text({{"schema", "gradus-info/1"},
                  {"version", version()},
                  {"status", "ok"},
                  {"backends", backends},
                  {"optimization_methods", optimization_methods()},
                  {"hdf5", has_hdf5()},
                  {"specialised_kernels", specialised_kernels_obstacle(true).empty()},
                  {"kernel_cache", cache.empty() ? Json(nullptr) : Json(cache)},
                  {"forces", forces},
                  {"solvers", solvers}});
}

std::string error_document(int code, const std::string& message) {
  return to_text({{"schema", "gradus-result/1"},
                  {"version", version()},
                  {"status", code == numerical_failure_code ? "failed" : "error"},
                  {"error", {{"code", code}, {"message", message}}}});
}

std::string benchmark_document(const BenchmarkReport& report) {
  Json rows = Json::array();
  for (const BenchmarkRow& row : report.rows) rows.push_back(row_json(report, row));
  Json points = Json::array();
  for (const BreakEven& point : report.break_even) points.push_back(point_json(point));
  Json document{{"schema", "gradus-bench/1"},
                {"version", version()},
                {"status", "ok"},
                {"machine", machine_json(report.machine)},
                {"warm_up", "one whole run"},
                {"repeats", report.settings.repeats},
                {"clock", "from the call to the result: plan and transfers inside; median"},
                {"spread", report.settings.spread},
                {"rows", rows},
                {"break_even", points}};
  if (!report.no_break_even.empty()) document["no_break_even"] = report.no_break_even;
  return to_text(document);
}

}  // namespace results
}  // namespace gradus
