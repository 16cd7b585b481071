// Folder of results -> blocks, by the schema of its summary, -> page.
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "gradus/error.hpp"
#include "gradus/study.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"
#include "src/report/pages.hpp"
#include "src/results/atomic_file.hpp"
#include "src/study/run_folder.hpp"

namespace gradus {
namespace {

using report::Folder;
using report::Json;
using Blocks = std::vector<Json> (*)(const Folder&);

struct Kind {
  const char* schema;
  const char* name;
  Blocks blocks;
};

constexpr std::array kinds{Kind{"gradus-result/1", "run", report::result_blocks},
                           Kind{"gradus-sweep/1", "sweep", report::sweep_blocks},
                           Kind{"gradus-optimize/1", "optimisation", report::optimization_blocks},
                           Kind{"gradus-fit/1", "fit", report::fit_blocks}};

bool is_there(const std::filesystem::path& path) {
  std::error_code unused;
  return std::filesystem::exists(path, unused);
}

[[noreturn]] void refuse_incomplete(const std::filesystem::path& folder) {
  if (!is_there(folder))
    throw FileError("cannot read " + folder.string() + " (there is no such folder)");
  if (is_there(state_file(folder)))
    throw FileError(folder.string() +
                    ": holds an unfinished study (summary.json is written last), continue it with "
                    "gradus " +
                    read_state(folder).verb + " STUDY --out " + folder.string() + " --resume");
  throw FileError(folder.string() +
                  ": holds no results (it has no summary.json), name a folder that was written "
                  "with --out");
}

Folder read_folder(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "summary.json";
  if (!is_there(file)) refuse_incomplete(folder);
  Json summary = Json::parse(file_content(file), nullptr, false);
  if (summary.is_discarded() || !summary.is_object())
    throw FileError(file.string() + ": is no JSON document (the file is damaged)");
  return {folder, std::move(summary)};
}

const Kind& kind_of(const Folder& folder) {
  const std::string schema = report::text_of(folder.summary, "schema");
  std::vector<std::string> names;
  for (const Kind& kind : kinds) {
    if (schema == kind.schema) return kind;
    names.emplace_back(kind.schema);
  }
  reject((folder.path / "summary.json").string() + ": /schema",
         schema.empty() ? "there is none" : "found " + in_quotes(schema),
         "no report is known for it", suggestion(schema, names));
}

// nlohmann-json says what a summary lacks, or holds in an unexpected form.
Json page_of(const Folder& folder, const Kind& kind) try {
  Json blocks = Json::array();
  for (Json& block : kind.blocks(folder))
    if (!block.is_null()) blocks.push_back(std::move(block));
  const std::string study = report::text_of(folder.summary, "study");
  const std::string model = report::text_of(folder.summary, "model", "unnamed");
  return {{"title", study.empty() ? model : study},
          {"subtitle", "gradus " + report::text_of(folder.summary, "version") + ", " + kind.name +
                           (study.empty() ? "" : " of " + model)},
          {"description", report::text_of(folder.summary, "description")},
          {"blocks", std::move(blocks)}};
} catch (const nlohmann::json::exception& error) {
  throw FileError((folder.path / "summary.json").string() +
                  ": cannot be understood (it is damaged: " + error.what() + ")");
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text)
    result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

// JSON that a script element can hold: its end, or a comment, would have to begin with "<".
std::string embedded(const Json& data) {
  std::string result;
  for (const char c : data.dump(-1, ' ', false, Json::error_handler_t::replace))
    result += c == '<' ? "\\u003c" : std::string(1, c);
  return result;
}

}  // namespace

std::string report::html_page(const Json& data) {
  const std::map<std::string_view, std::string> parts = {
      {"TITLE", escaped(data.at("title").get<std::string>())},
      {"STYLE", std::string(report::page_files::css)},
      {"SCRIPT", std::string(report::page_files::script)},
      {"DATA", embedded(data)}};
  std::string page;
  std::string_view rest = report::page_files::html;
  for (std::size_t start = rest.find('@'); start != std::string_view::npos;
       start = rest.find('@')) {
    const std::size_t end = rest.find('@', start + 1);
    const auto part = parts.find(rest.substr(start + 1, end - start - 1));
    if (part == parts.end())
      throw std::logic_error("the template of reports has an unknown marker");
    page += rest.substr(0, start);
    page += part->second;
    rest.remove_prefix(end + 1);
  }
  page += rest;
  return page;
}

void write_report(const std::filesystem::path& folder, const std::filesystem::path& file) {
  const Folder read = read_folder(folder);
  const std::string page = report::html_page(page_of(read, kind_of(read)));
  results::write_file(file, page);
}

}  // namespace gradus
