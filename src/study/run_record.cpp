// run.json: written when the results are, and read when results that look complete are resumed.
#include "src/study/run_record.hpp"

#include <nlohmann/json.hpp>
#include <system_error>

#include "gradus/run.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/crc32.hpp"
#include "src/results/npz_reader.hpp"
#include "src/study/run_folder.hpp"

namespace gradus {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* name_of_record = "run.json";

Json checksum_of(const fs::path& file) {
  const results::MappedFile content(file);
  return {{"bytes", content.bytes().size()}, {"crc32", results::crc32(content.bytes())}};
}

// What cannot be read may be whole: that is an error.
bool is_whole(const fs::path& file, const Json& checksum) {
  return fs::exists(fs::symlink_status(file)) && checksum_of(file) == checksum;
}

// Those of a record; null where there is none, or where it is damaged.
Json read_checksums(const fs::path& record) {
  std::error_code unused;
  if (!fs::is_regular_file(record, unused)) return nullptr;
  const Json json = Json::parse(file_content(record), nullptr, false);
  return json.is_object() && json.contains("files") ? json["files"] : Json(nullptr);
}

}  // namespace

void write_run_record(const fs::path& folder, const RunRecord& record,
                      std::span<const char* const> files) {
  const double rate =
      record.seconds > 0.0 ? static_cast<double>(record.done) / record.seconds : 0.0;
  Json checksums = Json::object();
  std::error_code unused;
  for (const char* name : files)
    if (fs::is_regular_file(folder / name, unused)) checksums[name] = checksum_of(folder / name);
  const Json json{{"schema", "gradus-run/1"},          {"version", version()},
                  {"backend", record.backend},         {"processes", record.processes},
                  {record.what, record.done},          {"seconds", record.seconds},
                  {record.what + "_per_second", rate}, {"files", checksums}};
  results::write_file(folder / name_of_record, json.dump(2) + "\n");
}

std::vector<std::string> damaged_results(const fs::path& folder) {
  std::vector<std::string> damaged;
  const Json checksums = read_checksums(folder / name_of_record);
  // Every study has a summary.
  if (!checksums.is_object() || !checksums.contains("summary.json")) return {name_of_record};
  for (const auto& [name, checksum] : checksums.items())
    if (!is_whole(folder / name, checksum)) damaged.push_back(name);
  return damaged;
}

}  // namespace gradus
