// run.json, the record of a run that completed a study: how long it took and on what, and the
// checksums of its results, by which damage is found later.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace gradus {

// What was `done` in this run of `what` ("designs", "evaluations"), others may have come before; by
// which backend ("cpu:2").
struct RunRecord {
  std::string what;
  std::size_t done = 0;
  double seconds = 0.0;
  std::string backend;
  int processes = 1;
};

// Writes the record, with the checksums of those of the files that the folder has. Throws
// FileError.
void write_run_record(const std::filesystem::path& folder, const RunRecord& record,
                      std::span<const char* const> files);

// Names of the files that were there when the record was written and have been lost or changed
// since; that of the record alone if it has been lost or damaged itself, as nothing tells then
// which of the others are whole. Throws FileError for files that cannot be read.
std::vector<std::string> damaged_results(const std::filesystem::path& folder);

}  // namespace gradus
