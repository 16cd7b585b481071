// StudyRun and starts -> JSON and CSV.
#include "src/results/study_folders.hpp"

#include "gradus/run.hpp"
#include "src/results/csv.hpp"

namespace gradus::results {

Json study_head(const std::string& schema, bool ok, const StudyRun& run) {
  return {{"schema", schema},
          {"version", version()},
          {"status", ok ? "ok" : "failed"},
          {"study", run.study},
          {"description", run.description},
          {"model", run.model},
          {"backend", run.backend},
          {"formulation", run.formulation},
          {"integrator", run.integrator},
          {"reference", run.reference},
          {"method", run.method},
          {"step", run.step},
          {"duration", run.duration}};
}

std::string starts_csv(const std::vector<std::string>& variables,
                       const std::vector<std::string>& headings,
                       const std::vector<StartRow>& rows) {
  std::vector<std::string> heading{"start"};
  for (const char* what : {"start ", "found "})
    for (const std::string& variable : variables) heading.push_back(what + variable);
  heading.insert(heading.end(), headings.begin(), headings.end());
  heading.insert(heading.end(), {"converged", "reason"});
  std::string text = csv_row(heading);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::vector<std::string> row{std::to_string(k)};
    for (const double value : rows[k].start) row.push_back(csv_number(value));
    for (const double value : rows[k].point) row.push_back(csv_number(value));
    row.insert(row.end(), rows[k].cells.begin(), rows[k].cells.end());
    row.emplace_back(rows[k].converged ? "true" : "false");
    row.push_back(rows[k].reason);
    text += csv_row(row);
  }
  return text;
}

}  // namespace gradus::results
