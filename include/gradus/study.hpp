// Studies: what varies, and what is wanted. A study is a JSON file (docs/study.md) or is built
// here.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gradus/fit.hpp"
#include "gradus/model.hpp"
#include "gradus/modes.hpp"
#include "gradus/optimize.hpp"
#include "gradus/run.hpp"
#include "gradus/sweep.hpp"

namespace gradus {

// A file that a study was read from; copies of them lie beside the results.
struct StudyFile {
  std::string reference;  // as the study names it; "study" for the study itself
  std::string content;
};

struct Study {
  std::string name;
  std::string description;
  Model model;
  Options options;  // how designs run; `set` replaces values that do not vary
  std::optional<Sweep> sweep;
  std::optional<Optimization> optimization;
  std::optional<Fit> fit;
  // What results are resumed by, the study first; empty if it was not read from a file, and then
  // results cannot be resumed. They alone are compared: whoever changes what was read (but for
  // `options.backend` and `options.lanes`) must clear them, or old and new results mix.
  std::vector<StudyFile> files;
};

// Reads a study and the files it names, relative to its own place. Throws FileError or InputError.
Study read_study(const std::filesystem::path& file);

// The study whose results lie in a folder, from the copies there. Throws FileError or InputError.
Study read_study_of(const std::filesystem::path& folder);

// Processes that share a study, each of which runs a part of it; all must see the same folder.
// The function is called by every process at the same places, and waits for all.
struct Processes {
  int rank = 0;
  int count = 1;
  std::function<bool(bool)> any = nullptr;  // whether any process says true
};

struct StudyProgress {
  std::string what;  // "designs", "evaluations"
  std::size_t done = 0;
  std::size_t total = 0;   // 0: not known
  double rate = 0.0;       // per second, of this run
  double remaining = 0.0;  // s; NaN if not known
  std::string remark;      // e.g. the best objective so far
};

enum class ExistingResults { refuse, resume, overwrite };

struct StudySettings {
  std::filesystem::path folder;  // of the results; empty: nothing is written
  ExistingResults existing = ExistingResults::refuse;
  std::size_t chunk = 0;  // designs that are run and written at once; 0: as suits the backend
  bool hdf5 = false;      // sweeps: arrays as HDF5 as well; InputError without its module
  bool csv = false;  // sweeps: recorded motions as CSV as well; InputError if none are recorded
  Processes processes;
  std::function<bool()> interrupted;  // asked between chunks; true: finish and return
  // Asked while designs run, by all threads; true: give up what is not written yet, and return.
  std::function<bool()> cancelled;
  std::function<void(const StudyProgress&)> progress;
  std::function<void(const std::string&)> log;
};

// The verbs. Throw InputError, BackendError, FileError; designs that fail are reported in results.
// Results do not depend on threads, chunks, processes and interruptions, to the last bit.
SweepResult sweep(const Study& study, const StudySettings& settings = {});
OptimizationResult optimize(const Study& study, const StudySettings& settings = {});
FitResult fit(const Study& study, const StudySettings& settings = {});

// Writes one HTML page that needs nothing else about a folder of results: of a sweep, optimisation
// or fit, or of a run with --out. Throws FileError or InputError.
void write_report(const std::filesystem::path& folder, const std::filesystem::path& file);

// What a page of a model shows.
struct ModelPage {
  bool starts = false;  // the state at which the motion starts
  std::string problem;  // otherwise why there is none; the page shows the assembled position or, if
                        // the mechanism cannot be assembled, the guesses
};

// Writes one HTML page that needs nothing else about a model: a picture of it when its motion
// starts, and tables of all that it consists of. Throws InputError as `describe` does, and
// FileError.
ModelPage write_model_page(const Model& model, const std::filesystem::path& file);

// Likewise a page about the small motions of a model: each mode in motion, all of them in a table
// and, if they are there, their derivatives by the parameters. `modes` were found with `options`.
// Throws as modes() does, and FileError.
void write_modes_page(const Model& model, const Options& options, const Modes& modes,
                      const std::filesystem::path& file);

}  // namespace gradus
