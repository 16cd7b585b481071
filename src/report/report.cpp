// Folder of results -> page, by the schema of its summary.
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "gradus/error.hpp"
#include "gradus/study.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"
#include "src/report/html_page.hpp"
#include "src/report/pages.hpp"
#include "src/results/atomic_file.hpp"
#include "src/study/input_copies.hpp"

namespace gradus {
namespace {

using report::Folder;
using report::Json;
using Blocks = std::vector<Json> (*)(const Folder&);

struct Kind {
  std::string name;
  Blocks blocks;
};

const std::map<std::string, Kind>& kinds() {
  static const std::map<std::string, Kind> all = {
      {"gradus-result/1", {"run", report::result_blocks}},
      {"gradus-sweep/1", {"sweep", report::sweep_blocks}},
      {"gradus-optimize/1", {"optimisation", report::optimization_blocks}},
      {"gradus-fit/1", {"fit", report::fit_blocks}}};
  return all;
}

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
  const auto found = kinds().find(schema);
  if (found != kinds().end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, kind] : kinds()) names.push_back(name);
  reject((folder.path / "summary.json").string() + ": /schema",
         schema.empty() ? "there is none" : "found " + in_quotes(schema),
         "no report is known for it", suggestion(schema, names));
}

// What summaries lack or hold in another form than expected is nlohmann-json's to say.
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

}  // namespace

void write_report(const std::filesystem::path& folder, const std::filesystem::path& file) {
  const Folder read = read_folder(folder);
  const std::string page = report::html_page(page_of(read, kind_of(read)));
  results::AtomicFile output(file);
  output.write(page);
  output.commit();
}

}  // namespace gradus
