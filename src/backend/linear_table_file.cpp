// Tables of solvers in the user's cache folder.
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "src/backend/linear_table.hpp"

namespace gradus {
namespace {

using Json = nlohmann::json;
namespace files = std::filesystem;

constexpr const char* kSolverSchema = "gradus-solvers/1";

// By the rules of the XDG base directories: relative paths are none.
files::path cache_folder() {
  const char* named = std::getenv("XDG_CACHE_HOME");
  if (named != nullptr && files::path(named).is_absolute()) return files::path(named) / "gradus";
  const char* home = std::getenv("HOME");
  if (home == nullptr || !files::path(home).is_absolute()) return {};
  return files::path(home) / ".cache" / "gradus";
}

// Small letters, digits and single dashes.
std::string plain(const std::string& name) {
  std::string text;
  for (const char letter : name) {
    const auto code = static_cast<unsigned char>(letter);
    if (std::isalnum(code) != 0)
      text += static_cast<char>(std::tolower(code));
    else if (!text.empty() && text.back() != '-')
      text += '-';
  }
  while (!text.empty() && text.back() == '-') text.pop_back();
  return text;
}

Json document(const SolverTable& table) {
  Json choices = Json::array();
  for (const SolverChoice& c : table.choices)
    choices.push_back({{"size", c.size},
                       {"columns", c.columns},
                       {"systems", c.systems},
                       {"definite", c.definite},
                       {"solver", c.solver},
                       {"seconds", c.seconds}});
  return {{"schema", kSolverSchema},
          {"device", table.device},
          {"measured", table.measured},
          {"choices", choices}};
}

[[noreturn]] void reject_table(const files::path& file, const std::string& why) {
  throw FileError(file.string() + ": is no table of solvers (" + why +
                  "), remove it or measure again");
}

SolverChoice choice_of(const Json& json, const files::path& file) {
  SolverChoice choice{json.at("size").get<int>(),
                      json.at("columns").get<int>(),
                      json.at("systems").get<std::ptrdiff_t>(),
                      json.at("definite").get<bool>(),
                      json.at("solver").get<std::string>(),
                      json.at("seconds").get<std::map<std::string, double>>()};
  if (choice.size < 1 || choice.columns < 1 || choice.systems < 1)
    reject_table(file, "found a shape with a number below 1");
  if (!solver_named(choice.solver)) reject_table(file, "found solver \"" + choice.solver + "\"");
  return choice;
}

}  // namespace

files::path table_file(const std::string& hardware) {
  const files::path folder = cache_folder();
  return folder.empty() ? folder : folder / ("solvers-" + plain(hardware) + ".json");
}

void store_table(const SolverTable& table, const files::path& file) {
  if (file.empty())
    throw FileError(
        "the table of solvers cannot be stored (there is no cache folder), set XDG_CACHE_HOME or "
        "HOME");
  std::error_code error;
  files::create_directories(file.parent_path(), error);
  const files::path draft = file.string() + "." + std::to_string(getpid());
  std::ofstream stream(draft);
  stream << document(table).dump(1) << "\n";
  stream.close();
  if (stream) files::rename(draft, file, error);
  if (stream && !error) return;
  std::error_code none;
  files::remove(draft, none);
  throw FileError(file.string() + ": cannot be written" +
                  (error ? " (" + error.message() + ")" : ""));
}

SolverTable read_table(const files::path& file) {
  std::ifstream stream(file);
  if (!stream) throw FileError(file.string() + ": cannot be read");
  try {
    const Json json = Json::parse(stream);
    if (json.at("schema") != kSolverSchema)
      reject_table(file,
                   "its schema is " + json.at("schema").dump() + ", not \"" + kSolverSchema + "\"");
    SolverTable table{json.at("device"), json.at("measured"), file.string(), {}};
    for (const Json& choice : json.at("choices")) table.choices.push_back(choice_of(choice, file));
    return table;
  } catch (const Json::exception& error) {
    reject_table(file, error.what());
  }
}

SolverTable table_of(const Device& device) {
  SolverTable built_in = built_in_table(device);
  const files::path file = table_file(built_in.device);
  std::error_code none;
  if (file.empty() || !files::exists(file, none)) return built_in;
  try {
    return read_table(file);
  } catch (const FileError& error) {
    built_in.origin += "; " + std::string(error.what());
    return built_in;
  }
}

}  // namespace gradus
