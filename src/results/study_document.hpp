// What summaries of all studies begin with, and the table of starts that some have.
#pragma once

#include <string>
#include <vector>

#include "gradus/study_run.hpp"
#include "src/results/json_text.hpp"

namespace gradus::results {

// Schema, version, status ("ok" or "failed") and how designs were run.
Json study_head(const std::string& schema, bool ok, const StudyRun& run);

// One start of an optimisation or a fit: where it began, what it found, and cells of its own.
struct StartRow {
  const std::vector<double>& start;
  const std::vector<double>& point;
  std::vector<std::string> cells;
  bool converged;
  const std::string& reason;
};

// starts.csv: columns "start NAME" and "found NAME" of the variables, then those of `headings`,
// "converged" and "reason".
std::string starts_csv(const std::vector<std::string>& variables,
                       const std::vector<std::string>& headings, const std::vector<StartRow>& rows);

}  // namespace gradus::results
