// The folder of a study's results: what it was made from, what has been done, what is still to do.
//
//   inputs/study.json, inputs/...   copies of the files the study was read from
//   inputs/state.json               verb, version, backend; what a resumed run must agree with
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
  // Makes the folder ready for `verb`, or finds that its results are complete already. Throws
  // FileError, and InputError where it holds results and settings do not say what is to become of
  // them, those of another study, or files that are not ours; where another run is at work; and of
  // several processes without a folder. With no folder in the settings it does nothing.
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
