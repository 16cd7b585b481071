// CheckReport, Description and errors -> JSON.
#include "src/results/reports.hpp"

#include "gradus/optimize.hpp"
#include "src/results/hdf5_file.hpp"
#include "src/results/json_text.hpp"

namespace gradus::results {
namespace {

Json check_line(const CheckLine& line) {
  return {{"objective", line.objective},
          {"parameter", line.parameter},
          {"direct", line.direct},
          {"dual", line.dual},
          {"difference", line.difference},
          {"difference_step", line.difference_step},
          {"adjoint", line.adjoint},
          {"adjoint_deviation", line.adjoint_deviation},
          {"dual_deviation", line.dual_deviation},
          {"difference_deviation", line.difference_deviation},
          {"passed", line.passed}};
}

Json tree_line(const Description::BodyLine& line) {
  return {{"body", line.body},
          {"joint", line.joint},
          {"type", line.type},
          {"parent", line.parent},
          {"coordinates", line.coordinates}};
}

Json loop_line(const Description::LoopLine& line) {
  return {{"loop", line.loop},
          {"type", line.type},
          {"parent", line.parent},
          {"child", line.child},
          {"equations", line.equations}};
}

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

}  // namespace

std::string check_document(const std::string& model, const CheckReport& report) {
  Json lines = Json::array();
  for (const CheckLine& line : report.lines) lines.push_back(check_line(line));
  Json document = {{"schema", "gradus-check/1"},
                   {"version", version()},
                   {"model", model},
                   {"status", report.passed ? "ok" : "failed"},
                   {"dual_tolerance", report.dual_tolerance},
                   {"difference_tolerance", report.difference_tolerance},
                   {"identity_deviation", report.identity_deviation},
                   {"lines", lines}};
  if (!report.passed)
    document["error"] = {{"code", numerical_failure_code}, {"message", "the check did not pass"}};
  return to_text(document);
}

std::string description_document(const Description& description) {
  Json tree = Json::array();
  for (const auto& line : description.tree) tree.push_back(tree_line(line));
  Json loops = Json::array();
  for (const auto& line : description.loops) loops.push_back(loop_line(line));
  Json constraints = Json::array();
  for (const auto& line : description.constraints)
    constraints.push_back({{"constraint", line.constraint}, {"equations", line.equations}});
  return to_text({{"schema", "gradus-info/1"},
                  {"version", version()},
                  {"status", "ok"},
                  {"model", description.model},
                  {"tree", tree},
                  {"loops", loops},
                  {"coordinates", description.coordinates},
                  {"constraint_equations", description.constraint_equations},
                  {"constraint_rank", description.constraint_rank},
                  {"redundant_equations", description.redundant_equations},
                  {"degrees_of_freedom", description.degrees_of_freedom},
                  {"completed", description.completed},
                  {"cut", description.cut},
                  {"reversed", description.reversed},
                  {"added", description.added},
                  {"constraints", constraints},
                  {"independent_coordinates", description.independent_coordinates},
                  {"parameters", parameter_table(description)},
                  {"objectives", description.objectives},
                  {"sensors", description.sensors},
                  {"backends", description.backends}});
}

std::string backends_document(const std::vector<std::string>& backends,
                              const std::vector<SolverTable>& solvers) {
  Json tables = Json::array();
  for (const SolverTable& table : solvers) {
    Json choices = Json::array();
    for (const SolverChoice& c : table.choices)
      choices.push_back({{"size", c.size},
                         {"columns", c.columns},
                         {"systems", c.systems},
                         {"definite", c.definite},
                         {"solver", c.solver},
                         {"seconds", c.seconds}});
    tables.push_back({{"device", table.device},
                      {"measured", table.measured},
                      {"origin", table.origin},
                      {"choices", choices}});
  }
  return to_text({{"schema", "gradus-info/1"},
                  {"version", version()},
                  {"status", "ok"},
                  {"backends", backends},
                  {"optimization_methods", optimization_methods()},
                  {"hdf5", has_hdf5()},
                  {"solvers", tables}});
}

std::string error_document(int code, const std::string& message) {
  return to_text({{"schema", "gradus-result/1"},
                  {"version", version()},
                  {"status", code == numerical_failure_code ? "failed" : "error"},
                  {"error", {{"code", code}, {"message", message}}}});
}

}  // namespace gradus::results
