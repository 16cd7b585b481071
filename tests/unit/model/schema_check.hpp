// A JSON Schema and a reader agree on keys and fixed names.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>

#include "src/model/keys.hpp"
#include "tests/support/source_path.hpp"

namespace gradus {

using Json = nlohmann::json;
using Names = std::set<std::string>;

// `file` is its name in schema/.
inline Json read_schema(const std::string& file) {
  std::ifstream stream(source_path("schema/") + file);
  return Json::parse(stream);
}

inline void expect_keys(const Json& definition, std::span<const keys::Key> known,
                        const char* what) {
  Names names, required, stated, stated_required;
  for (const keys::Key& key : known) {
    names.emplace(key.name);
    if (key.required) required.emplace(key.name);
  }
  for (const auto& [name, property] : definition.at("properties").items()) stated.insert(name);
  if (definition.contains("required")) stated_required = definition["required"].get<Names>();
  EXPECT_EQ(stated, names) << what;
  EXPECT_EQ(stated_required, required) << what;
  EXPECT_EQ(definition.at("additionalProperties"), false) << what;
}

template <class Known>
void expect_names(const Json& property, const Known& known) {
  const Names stated = property.contains("const") ? Names{property["const"].get<std::string>()}
                                                  : property.at("enum").get<Names>();
  EXPECT_EQ(stated, Names(known.begin(), known.end()));
}

}  // namespace gradus
