// Decides whose results a folder holds, and whether a run may continue or replace them. inputs/
// holds copies and state.json, which lists them.
#include "src/study/run_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <span>
#include <system_error>

#include "src/model/message.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/crc32.hpp"
#include "src/study/run_record.hpp"

namespace gradus {
namespace {

namespace fs = std::filesystem;

// What studies come to. The summary is first, so that a half-removed folder does not look complete.
constexpr std::array results_of_studies{"summary.json",   "designs.npz",     "trajectories.npz",
                                        "designs.h5",     "trajectories.h5", "trajectories.csv",
                                        "statistics.csv", "drivers.csv",     "history.csv",
                                        "starts.csv",     "residuals.csv"};

// Every file that is written for a study, in the same order.
constexpr auto outputs = [] {
  std::array<const char*, results_of_studies.size() + 2> all{};
  std::copy(results_of_studies.begin(), results_of_studies.end(), all.begin());
  all[results_of_studies.size()] = "run.json";
  all[results_of_studies.size() + 1] = "report.html";
  return all;
}();

bool is_there(const fs::path& path) {
  std::error_code unused;
  return fs::exists(fs::symlink_status(path, unused));
}

// The folder itself is locked: nothing is left behind, not even by a process that is killed. Null
// on file systems without locks.
std::shared_ptr<const int> lock(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  std::shared_ptr<const int> result(new int(descriptor), [](const int* held) {
    close(*held);
    delete held;
  });
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return result;
  reject(folder.string(), "another run writes its results here", "only one can at a time",
         "wait for it, or choose another folder with --out");
}

bool holds_files(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error))
    if (!entry.is_directory(error)) return true;
  return false;
}

void remove_folder(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (error) throw FileError("cannot remove " + folder.string() + " (" + error.message() + ")");
}

// Left behind by a process that was killed while writing.
void remove_torn_files(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    for (const char* output : outputs)
      if (name.starts_with("." + std::string(output) + ".") && name.ends_with(".part"))
        results::remove_file(entry.path());
  }
}

// The inputs go last, and at once: they mark the rest as ours.
void remove_results(const fs::path& folder) {
  for (const char* name : outputs) results::remove_file(folder / name);
  remove_torn_files(folder);
  remove_folder(folder / "unfinished");
  if (!is_there(folder / "inputs")) return;
  const fs::path old = folder / ".inputs.old.part";
  remove_folder(old);
  std::error_code error;
  fs::rename(folder / "inputs", old, error);
  if (error)
    throw FileError("cannot replace " + (folder / "inputs").string() + " (" + error.message() +
                    ")");
  remove_folder(old);
}

// Files that gradus did not write are never removed.
void refuse_foreign_files(const fs::path& folder) {
  std::vector<std::string> found;
  for (const char* name : {"inputs", "unfinished"})
    if (is_there(folder / name)) found.emplace_back(name);
  for (const char* name : outputs)
    if (is_there(folder / name)) found.emplace_back(name);
  if (found.empty()) return;
  reject(folder.string(), "holds " + quoted_list(found) + ", but no inputs/state.json",
         "without it nothing tells that a study wrote them, and a study would replace them",
         "choose another folder with --out, or move them away");
}

[[noreturn]] void refuse(const fs::path& folder, const std::string& problem,
                         const std::string& why) {
  reject(folder.string(), problem, why,
         "use --overwrite to replace them, or choose another folder with --out");
}

StudyState state_of(const fs::path& folder) {
  try {
    return read_state(folder);
  } catch (const FileError& error) {
    refuse(folder, "its results cannot be continued", error.what());
  }
}

void check_resumable(const fs::path& folder, const StudyState& asked) {
  const StudyState found = state_of(folder);
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

// Tells the unfinished work of this study from that of others.
std::string checksum(const StudyState& state) {
  std::uint32_t sum = 0;
  const auto add = [&](const std::string& text) {
    const std::string whole = std::to_string(text.size()) + ":" + text;
    sum = results::crc32(std::as_bytes(std::span(whole)), sum);
  };
  for (const std::string& text : {state.verb, state.version, state.backend}) add(text);
  for (const StudyFile& file : state.files) {
    add(file.reference);
    add(file.content);
  }
  std::array<char, 9> text{};
  std::snprintf(text.data(), text.size(), "%08x", sum);
  return text.data();
}

// The "schema" of a summary, which is its first member; empty if there is none.
std::string schema_of(const fs::path& summary) {
  std::ifstream stream(summary, std::ios::binary);
  std::string start(256, '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  std::smatch found;
  const std::regex member(R"re(^\s*\{\s*"schema"\s*:\s*"([^"]*)")re");
  return std::regex_search(start, found, member) ? found[1].str() : "";
}

[[noreturn]] void refuse_foreign_file(const fs::path& folder, const std::string& name,
                                      const std::string& writer) {
  reject(folder.string(), "holds " + in_quotes(name) + " that no " + writer + " wrote",
         "it would be replaced", "choose another folder with --out, or move it away");
}

// Whether a study wrote its summary, which comes last. What is no summary at all was one if the
// record of a run says so, or if nothing is left of it.
bool is_complete(const fs::path& folder) {
  const fs::path summary = folder / "summary.json";
  if (!is_there(summary)) return false;
  const std::string schema = schema_of(summary);
  std::error_code unused;
  if (fs::is_regular_file(summary, unused) && fs::is_empty(summary, unused)) return true;
  const std::vector<std::string> damaged = damaged_results(folder);
  if (schema.empty() && std::count(damaged.begin(), damaged.end(), "summary.json") > 0) return true;
  for (const char* verb : {"sweep", "optimize", "fit"})
    if (schema == "gradus-" + std::string(verb) + "/1") return true;
  refuse_foreign_file(folder, "summary.json", "study");
}

// Whether the results are whole; if not, nothing is left of them. What they were made of is kept,
// if it is still there.
bool keep_whole_results(const fs::path& folder,
                        const std::function<void(const std::string&)>& log) {
  const std::vector<std::string> damaged = damaged_results(folder);
  if (damaged.empty()) return true;
  if (log)
    log("results: " + quoted_list(damaged) + " in " + folder.string() +
        (damaged.size() > 1 ? " have" : " has") +
        (holds_files(folder / "unfinished")
             ? " been damaged or lost; the study is completed again from its unfinished work"
             : " been damaged or lost since the study was completed; it is run again"));
  for (const char* name : outputs) results::remove_file(folder / name);
  return false;
}

// Continues results of the same study; returns whether they are complete already.
bool resume(const fs::path& folder, const fs::path& work, bool looks_complete,
            const StudyState& state, const std::function<void(const std::string&)>& log) {
  check_resumable(folder, state);
  remove_torn_files(folder);
  const bool complete = looks_complete && keep_whole_results(folder, log);
  if (complete)
    remove_folder(folder / "unfinished");
  else
    results::prepare_folder(work);
  return complete;
}

// Whether the results are complete already.
bool prepare(const fs::path& folder, const fs::path& work, const StudySettings& settings,
             const StudyState& state) {
  const ExistingResults existing = settings.existing;
  const bool ours = is_there(state_file(folder));
  const bool complete = ours && is_complete(folder);
  if (ours && existing == ExistingResults::resume)
    return resume(folder, work, complete, state, settings.log);
  if (!ours) refuse_foreign_files(folder);
  const bool worthless = ours && !complete && !holds_files(folder / "unfinished");
  if (ours && !worthless && existing != ExistingResults::overwrite)
    reject(folder.string(), std::string("holds ") + (complete ? "" : "unfinished ") + "results",
           "results are replaced only on request",
           std::string(complete ? "" : "continue with --resume, ") +
               "use --overwrite to replace them, or choose another folder with --out");
  if (ours) remove_results(folder);
  write_state(folder, state);
  results::prepare_folder(work);
  return false;
}

using Json = nlohmann::ordered_json;

constexpr const char* state_schema = "gradus-state/1";

// The part of a name that every file system accepts.
std::string plain_name(const std::string& reference) {
  std::string name = std::filesystem::path(reference).filename().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-') c = '_';
  return name.substr(0, 80);
}

Json state_json(const StudyState& state) {
  Json files = Json::array();
  for (const StudyFile& file : state.files) files.push_back(file.reference);
  return {{"schema", state_schema},
          {"verb", state.verb},
          {"version", state.version},
          {"backend", state.backend},
          {"files", files}};
}

}  // namespace

RunFolder::RunFolder(const Study& study, const StudySettings& settings, const std::string& verb,
                     const std::string& backend)
    : folder_(settings.folder) {
  if (folder_.empty() && settings.processes.count > 1)
    throw InputError(
        "processes: they share a study through its folder of results, but none is given");
  if (folder_.empty()) return;
  const StudyState state{verb, version(), backend, study.files};
  work_ = folder_ / "unfinished" / checksum(state);
  bool complete = false;
  agree(settings.processes, [&] {
    if (!is_first(settings.processes)) return;
    results::prepare_folder(folder_);
    lock_ = lock(folder_);
    complete = prepare(folder_, work_, settings, state);
  });
  complete_ = any_of(settings.processes, complete);
}

void RunFolder::finish(const RunRecord& record) const {
  if (!exists()) return;
  write_run_record(folder_, record, results_of_studies);
  remove_folder(folder_ / "unfinished");
}

void prepare_folder_of_run(const fs::path& folder, const std::string& model, bool overwrite) {
  results::prepare_folder(folder);
  const std::shared_ptr<const int> held = lock(folder);
  const bool is_of_study = is_there(state_file(folder));
  if (is_of_study && !overwrite)
    refuse(folder, "holds the results of a study", "a run would mix its own in");
  const bool is_of_run = !is_of_study && is_there(folder / "summary.json");
  if (is_of_run && schema_of(folder / "summary.json") != "gradus-result/1")
    refuse_foreign_file(folder, "summary.json", "run");
  // An interrupted run has left arrays as well.
  const fs::path copy = folder / "model.json";
  if (!is_of_run && is_there(copy) && !is_there(folder / "gradient.npz") &&
      file_content(copy) != model)
    refuse_foreign_file(folder, "model.json", "run");
  if (!is_of_study) return;
  is_complete(folder);  // throws for the summary of something else
  remove_results(folder);
}

std::string file_content(const fs::path& file) {
  std::error_code unused;
  if (fs::exists(file, unused) && !fs::is_regular_file(file, unused))
    throw FileError("cannot read " + file.string() +
                    " (it is no regular file: those have an end), check the path");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || stream.bad())
    throw FileError("cannot read " + file.string() + " (" +
                    std::generic_category().message(errno != 0 ? errno : EIO) + ")");
  return content;
}

std::filesystem::path state_file(const std::filesystem::path& folder) {
  return folder / "inputs" / "state.json";
}

std::filesystem::path input_copy(const std::filesystem::path& folder, std::size_t index,
                                 const StudyFile& file) {
  const std::string name =
      index == 0 ? "study.json" : std::to_string(index) + "-" + plain_name(file.reference);
  return folder / "inputs" / name;
}

void write_state(const std::filesystem::path& folder, const StudyState& state) {
  // Written aside and then renamed, so that all copies appear at once.
  const std::filesystem::path aside = folder / ".inputs.new.part";
  std::error_code error;
  std::filesystem::remove_all(aside, error);
  results::prepare_folder(aside / "inputs");
  for (std::size_t i = 0; i < state.files.size(); ++i)
    results::write_file(input_copy(aside, i, state.files[i]), state.files[i].content);
  results::write_file(state_file(aside),
                      state_json(state).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  std::filesystem::rename(aside / "inputs", folder / "inputs", error);
  if (error)
    throw FileError("cannot write " + (folder / "inputs").string() + " (" + error.message() + ")");
  std::filesystem::remove_all(aside, error);
}

StudyState read_state(const std::filesystem::path& folder) {
  const std::string where = state_file(folder).string();
  StudyState state;
  try {
    const Json json = Json::parse(file_content(where));
    if (json.at("schema") != state_schema)
      throw FileError("cannot use " + where + " (it was written by another version of gradus)");
    state.verb = json.at("verb");
    state.version = json.at("version");
    state.backend = json.at("backend");
    for (const Json& reference : json.at("files")) state.files.push_back({reference, ""});
  } catch (const Json::exception&) {
    throw FileError("cannot use " + where + " (it is damaged); --overwrite begins anew");
  }
  for (std::size_t i = 0; i < state.files.size(); ++i)
    state.files[i].content = file_content(input_copy(folder, i, state.files[i]));
  return state;
}

std::vector<StudyFile> read_input_copies(const std::filesystem::path& folder) {
  const StudyState state = read_state(folder);
  if (state.files.empty())
    throw InputError(folder.string() +
                     ": holds no copy of a study (it was not read from a file), so it cannot be "
                     "read again");
  return state.files;
}

}  // namespace gradus
