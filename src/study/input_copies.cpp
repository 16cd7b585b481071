// inputs/: copies and state.json, which lists them.
#include "src/study/input_copies.hpp"

#include <cctype>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

#include "gradus/error.hpp"
#include "src/results/atomic_file.hpp"

namespace gradus {
namespace {

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

std::string file_content(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string content;
  std::error_code unused;
  if (stream && !std::filesystem::is_directory(file, unused))
    content.assign(std::istreambuf_iterator<char>(stream), {});
  if (!stream || std::filesystem::is_directory(file, unused))
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
