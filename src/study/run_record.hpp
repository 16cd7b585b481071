// run.json: how long a study took and on what. The only result that differs between equal runs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace gradus {

struct RunRecord {
  std::string what;      // "designs", "evaluations"
  std::size_t done = 0;  // in this run; others may have come before
  double seconds = 0.0;
  std::string backend;  // as it ran, e.g. "cpu:2"
  int processes = 1;
};

// Throws FileError.
void write_run_record(const std::filesystem::path& folder, const RunRecord& record);

}  // namespace gradus
