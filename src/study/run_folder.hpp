// The folder of a study's results: its inputs, its unfinished work and its results; what processes
// that share it do together, and how far they have come.
//
//   inputs/study.json, inputs/...   copies of the files the study was read from
//   inputs/state.json               verb, version, backend; what a resumed run must match
//   unfinished/ID/                  chunks and journals of the study with this checksum, until done
//   summary.json                    written last: a folder without it is not complete
//   run.json                        how long it took, and checksums, without which results do not
//                                   count as whole; the only file that differs between runs
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "gradus/study.hpp"
#include "src/study/run_record.hpp"

namespace gradus {

inline bool is_first(const Processes& processes) {
  return processes.rank == 0;
}

// Whether any process says true.
inline bool any_of(const Processes& processes, bool value) {
  return processes.count > 1 ? processes.any(value) : value;
}

// Runs `part` in this process and waits for the others. If one fails, all throw: a failed process
// its own exception, the others an Error that says another one failed.
inline void agree(const Processes& processes, const std::function<void()>& part) {
  std::exception_ptr failure;
  try {
    part();
  } catch (...) {
    failure = std::current_exception();
  }
  const bool failed = any_of(processes, failure != nullptr);
  if (failure) std::rethrow_exception(failure);
  if (failed) throw Error("another process of this study failed; its message says why");
}

// The progress of a study: how much is done, how fast, and the time remaining.
class Meter {
 public:
  // `total` 0: unknown.
  Meter(const StudySettings& settings, std::string what, std::size_t total)
      : report_(settings.progress), what_(std::move(what)), total_(total) {}

  // `done`: in this run, including parts of chunks.
  void show(double done, const std::string& remark = "") const {
    if (!report_) return;
    const double elapsed = seconds();
    const double rate = elapsed > 0.0 ? done / elapsed : 0.0;
    const double remaining = total_ > 0 && rate > 0.0 ? (static_cast<double>(total_) - done) / rate
                                                      : std::numeric_limits<double>::quiet_NaN();
    report_({what_, static_cast<std::size_t>(done), total_, rate, remaining, remark});
  }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::function<void(const StudyProgress&)> report_;
  std::string what_;
  std::size_t total_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// How results were made; a resumed run must match it.
struct StudyState {
  std::string verb;
  std::string version;
  std::string backend;  // its kind
  std::vector<StudyFile> files;
};

// The whole content of a regular file. Throws FileError.
std::string file_content(const std::filesystem::path& file);

std::filesystem::path state_file(const std::filesystem::path& folder);

// Where copy number `index` lies.
std::filesystem::path input_copy(const std::filesystem::path& folder, std::size_t index,
                                 const StudyFile& file);

// Writes copies and state at once into a folder that has none. Throws FileError.
void write_state(const std::filesystem::path& folder, const StudyState& state);

// Throws FileError where there is none, or where it is damaged.
StudyState read_state(const std::filesystem::path& folder);

// The files of the state, the study first.
std::vector<StudyFile> read_input_copies(const std::filesystem::path& folder);

// Makes the folder of a single run, or sees that it is one already: its files replace those of an
// earlier run, with `overwrite` also those of a study. `model` is the text of the model, whose copy
// may be there. Throws FileError, and InputError if the folder holds anything else the run would
// replace.
void prepare_folder_of_run(const std::filesystem::path& folder, const std::string& model,
                           bool overwrite);

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

  // Of one process only, once the summary is written: leaves the record of the run and removes
  // unfinished work. Throws FileError.
  void finish(const RunRecord& record) const;

 private:
  std::filesystem::path folder_;
  std::filesystem::path work_;
  std::shared_ptr<const int> lock_;  // while results are written
  bool complete_ = false;
};

}  // namespace gradus
