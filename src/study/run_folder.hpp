// The folder of a study's results: its inputs, its unfinished work and its results.
//
//   inputs/study.json, inputs/...   copies of the files the study was read from
//   inputs/state.json               verb, version, backend; what a resumed run must match
//   unfinished/ID/                  chunks, journals of evaluations of the study with this
//   checksum;
//                                   removed when all is done
//   summary.json                    written last: a folder without it is not complete
//   run.json                        how long it took; the only file that differs between runs
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "gradus/study.hpp"

namespace gradus {

// What run.json says.
struct RunRecord {
  std::string what;      // "designs", "evaluations"
  std::size_t done = 0;  // in this run; others may have come before
  double seconds = 0.0;
  std::string backend;  // as it ran, e.g. "cpu:2"
  int processes = 1;
};

class RunFolder {
 public:
  // Prepares the folder for `verb`, or finds that its results are already complete. Throws
  // FileError, and InputError if the folder holds results that the settings neither resume nor
  // overwrite, results of another study or foreign files, if another run is writing to it, or if
  // several processes have no folder. Without a folder in the settings it does nothing.
  RunFolder(const Study& study, const StudySettings& settings, const std::string& verb,
            const std::string& backend);

  bool exists() const { return !folder_.empty(); }
  bool complete() const { return complete_; }  // resumed, but there is nothing left to do
  const std::filesystem::path& path() const { return folder_; }
  const std::filesystem::path& work() const { return work_; }  // folder of unfinished work

  // Of one process only; both throw FileError. Writes run.json, and removes unfinished work once
  // the summary is written.
  void write_record(const RunRecord& record) const;
  void finish() const;

 private:
  std::filesystem::path folder_;
  std::filesystem::path work_;
  std::shared_ptr<const int> lock_;  // while results are written
  bool complete_ = false;
};

}  // namespace gradus
