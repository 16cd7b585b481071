// The JSON Schema and the reader agree on every key and every fixed name.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "src/model/keys.hpp"

namespace gradus {
namespace {

using Json = nlohmann::json;
using Names = std::set<std::string>;

Json schema() {
  std::ifstream file(GRADUS_SOURCE_DIR "/schema/gradus-model-1.json");
  return Json::parse(file);
}

void expect_keys(const Json& definition, std::span<const keys::Key> known, const char* what) {
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

template <std::size_t n>
void expect_names(const Json& property, const std::array<std::string_view, n>& known) {
  const Names stated = property.contains("const") ? Names{property["const"].get<std::string>()}
                                                  : property.at("enum").get<Names>();
  EXPECT_EQ(stated, Names(known.begin(), known.end()));
}

TEST(Schema, KeysAreThoseOfTheReader) {
  const Json root = schema();
  const Json& defined = root.at("$defs");
  expect_keys(root, keys::model, "model");
  expect_keys(defined.at("parameter"), keys::parameter, "parameter");
  expect_keys(defined.at("ground"), keys::ground, "ground");
  expect_keys(defined.at("body"), keys::body, "body");
  expect_keys(defined.at("inertia"), keys::inertia, "inertia");
  expect_keys(defined.at("joint"), keys::joint, "joint");
  expect_keys(defined.at("loop"), keys::loop, "loop");
  expect_keys(defined.at("initial"), keys::initial, "initial");
  expect_keys(defined.at("guess"), keys::guess, "guess");
  expect_keys(defined.at("spring-damper"), keys::spring_damper, "spring-damper");
  expect_keys(defined.at("sensor"), keys::sensor, "sensor");
  expect_keys(defined.at("objective"), keys::objective, "objective");
  expect_keys(defined.at("analysis"), keys::analysis, "analysis");
}

TEST(Schema, NamesAreThoseOfTheReader) {
  const Json root = schema();
  const Json& defined = root.at("$defs");
  EXPECT_EQ(root.at("properties").at("schema").at("const"), keys::schema_name);
  expect_names(defined.at("joint").at("properties").at("type"), keys::joint_types);
  expect_names(defined.at("loop").at("properties").at("type"), keys::joint_types);
  expect_names(defined.at("spring-damper").at("properties").at("type"), keys::force_types);
  expect_names(defined.at("sensor").at("properties").at("energy"), keys::energies);
  expect_names(defined.at("analysis").at("properties").at("formulation"), keys::formulations);
  expect_names(defined.at("analysis").at("properties").at("reference"), keys::references);
}

}  // namespace
}  // namespace gradus
