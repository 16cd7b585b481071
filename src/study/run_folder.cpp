// Whose results lie in a folder, and what may become of them.
#include "src/study/run_folder.hpp"

#include <array>
#include <system_error>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/results/atomic_file.hpp"
#include "src/study/input_copies.hpp"
#include "src/study/processes.hpp"

namespace gradus {
namespace {

namespace fs = std::filesystem;

// Everything that a study leaves in a folder; the summary first, so that what is half removed does
// not look complete.
constexpr std::array outputs{"summary.json",     "run.json",      "designs.npz",
                             "trajectories.npz", "designs.h5",    "trajectories.h5",
                             "statistics.csv",   "drivers.csv",   "history.csv",
                             "starts.csv",       "residuals.csv", "report.html"};

bool is_there(const fs::path& path) {
  std::error_code unused;
  return fs::exists(path, unused);
}

bool holds_nothing(const fs::path& folder) {
  std::error_code error;
  return !is_there(folder) || fs::is_empty(folder, error);
}

void remove_folder(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (error) throw FileError("cannot remove " + folder.string() + " (" + error.message() + ")");
}

void remove_results(const fs::path& folder) {
  for (const char* name : outputs) results::remove_file(folder / name);
  remove_folder(folder / "unfinished");
  remove_folder(folder / "inputs");
}

[[noreturn]] void refuse(const fs::path& folder, const std::string& problem,
                         const std::string& why) {
  reject(folder.string(), problem, why,
         "use --overwrite to replace them, or choose another folder with --out");
}

void check_resumable(const fs::path& folder, const StudyState& asked) {
  const StudyState found = read_state(folder);
  if (found.verb != asked.verb)
    refuse(folder, "holds results of " + found.verb + ", not of " + asked.verb,
           "each has a folder of its own");
  if (found.version != asked.version)
    refuse(folder, "its results were begun by gradus " + found.version,
           "this is " + asked.version + ", whose numbers may differ");
  if (found.backend != asked.backend)
    refuse(folder, "its results were begun on the backend " + found.backend,
           "that of this run is " + asked.backend + ", whose last digits differ");
  if (asked.files.empty())
    refuse(folder, "its results cannot be continued", "the study was not read from a file");
  for (std::size_t i = 0; i < asked.files.size(); ++i)
    if (i >= found.files.size() || found.files[i].reference != asked.files[i].reference ||
        found.files[i].content != asked.files[i].content)
      refuse(folder, "its results were begun with another " + in_quotes(asked.files[i].reference),
             "the copy in inputs differs from it");
}

// Whether the results are complete already.
bool prepare(const fs::path& folder, ExistingResults existing, const StudyState& state) {
  const bool complete = is_there(folder / "summary.json");
  const bool begun = is_there(state_file(folder));
  if (begun && existing == ExistingResults::resume) {
    check_resumable(folder, state);
    if (!complete) results::prepare_folder(folder / "unfinished");
    return complete;
  }
  const bool worthless = begun && !complete && holds_nothing(folder / "unfinished");
  if ((begun || complete) && !worthless && existing != ExistingResults::overwrite)
    reject(folder.string(), std::string("holds ") + (complete ? "" : "unfinished ") + "results",
           "nothing is replaced unasked",
           std::string(complete ? "" : "continue with --resume, ") +
               "use --overwrite to replace them, or choose another folder with --out");
  results::prepare_folder(folder);
  remove_results(folder);
  results::prepare_folder(folder / "unfinished");
  write_state(folder, state);
  return false;
}

}  // namespace

RunFolder::RunFolder(const Study& study, const StudySettings& settings, const std::string& verb,
                     const std::string& backend)
    : folder_(settings.folder) {
  if (folder_.empty()) return;
  const StudyState state{verb, version(), backend, study.files};
  bool complete = false;
  agree(settings.processes, [&] {
    if (is_first(settings.processes)) complete = prepare(folder_, settings.existing, state);
  });
  complete_ = any_of(settings.processes, complete);
}

std::filesystem::path RunFolder::work() const {
  return exists() ? folder_ / "unfinished" : fs::path();
}

void RunFolder::finish() const {
  if (exists()) remove_folder(work());
}

}  // namespace gradus
