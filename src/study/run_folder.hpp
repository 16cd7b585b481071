// The folder of a study's results: what it was made from, what has been done, what is still to do.
//
//   inputs/study.json, inputs/...   copies of the files the study was read from
//   inputs/state.json               verb, version, backend; what a resumed run must agree with
//   unfinished/                     chunks, journals of evaluations; removed when all is done
//   summary.json                    written last: a folder without it is not complete
//   run.json                        how long it took; the only file that differs between runs
#pragma once

#include <filesystem>
#include <string>

#include "gradus/study.hpp"

namespace gradus {

class RunFolder {
 public:
  // Makes the folder ready for `verb`, or finds that its results are complete already. Throws
  // FileError, and InputError where it holds results and settings do not say what is to become of
  // them, or those of another study. With no folder in the settings it does nothing.
  RunFolder(const Study& study, const StudySettings& settings, const std::string& verb,
            const std::string& backend);

  bool exists() const { return !folder_.empty(); }
  bool complete() const { return complete_; }  // resumed, but there is nothing left to do
  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path work() const;  // folder of unfinished work; empty if there is none

  // Removes unfinished work, once the summary is written. Of one process only.
  void finish() const;

 private:
  std::filesystem::path folder_;
  bool complete_ = false;
};

}  // namespace gradus
