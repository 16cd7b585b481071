// The page of an optimisation: the optimum, its check, and the way there.
#include <algorithm>
#include <cmath>

#include "src/study/report_kinds.hpp"

namespace gradus::report {
namespace {

bool is_active(const Json& summary, const std::string& name) {
  for (const Json& active : member(member(summary, "check"), "active"))
    if (active.is_string() && active.get<std::string>().starts_with(name)) return true;
  return false;
}

Json head(const Folder& folder) {
  const Json& summary = folder.summary;
  return common_facts(folder, "Optimisation").add("status", text_of(summary, "status")).block();
}

}  // namespace

std::vector<Json> optimization_blocks(const Folder& folder) {
  std::vector<Json> blocks{head(folder)};
  is_active(folder.summary, "");
  return blocks;
}

}  // namespace gradus::report
