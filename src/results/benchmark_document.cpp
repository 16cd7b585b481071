// BenchmarkReport -> JSON.
#include "src/results/benchmark_document.hpp"

#include "gradus/run.hpp"
#include "src/results/json_text.hpp"

namespace gradus::results {
namespace {

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

}  // namespace gradus::results
