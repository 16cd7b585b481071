// The JSON Schema and the reader agree on every key and every fixed name.
#include "src/model/readers.hpp"
#include "src/model/sensor_kind.hpp"
#include "tests/unit/model/schema_check.hpp"

namespace gradus {
namespace {

Json schema() {
  return read_schema("gradus-model-1.json");
}

TEST(Schema, KeysAreThoseOfTheReader) {
  const Json root = schema();
  const Json& defined = root.at("$defs");
  expect_keys(root, keys::model, "model");
  expect_keys(defined.at("parameter"), keys::parameter, "parameter");
  expect_keys(defined.at("drawing"), keys::drawing, "drawing");
  expect_keys(defined.at("drawn-line"), keys::drawn_line, "drawn-line");
  expect_keys(defined.at("drawn-plane"), keys::drawn_plane, "drawn-plane");
  expect_keys(defined.at("drawn-joint"), keys::drawn_joint, "drawn-joint");
  expect_keys(defined.at("slender"), keys::slender, "slender");
  expect_keys(defined.at("ground"), keys::ground, "ground");
  expect_keys(defined.at("body"), keys::body, "body");
  expect_keys(defined.at("inertia"), keys::inertia, "inertia");
  expect_keys(defined.at("joint"), keys::joint, "joint");
  expect_keys(defined.at("loop"), keys::loop, "loop");
  expect_keys(defined.at("initial"), keys::initial, "initial");
  expect_keys(defined.at("guess"), keys::guess, "guess");
  for (const std::string_view type : keys::shape_types) {
    const std::string name = "shape-" + std::string(type);
    expect_keys(defined.at(name), keys_of_shape(type), name.c_str());
  }
  for (const ForceKind* const kind : force_kinds())
    expect_keys(defined.at(std::string(kind->type)), keys_of_force(*kind),
                std::string(kind->type).c_str());
  expect_keys(defined.at("state"), keys::state, "state");
  expect_keys(defined.at("constraint"), keys_of_constraints(), "constraint");
  expect_keys(defined.at("sensor"), keys_of_sensors(), "sensor");
  expect_keys(defined.at("objective"), keys::objective, "objective");
  expect_keys(defined.at("analysis"), keys::analysis, "analysis");
}

TEST(Schema, NamesAreThoseOfTheReader) {
  const Json root = schema();
  const Json& defined = root.at("$defs");
  EXPECT_EQ(root.at("properties").at("schema").at("const"), keys::schema_name);
  expect_names(defined.at("joint").at("properties").at("type"), keys::joint_types);
  expect_names(defined.at("loop").at("properties").at("type"), keys::loop_types);
  const Json& force = root.at("properties").at("forces").at("additionalProperties");
  std::vector<std::string_view> types;
  for (const ForceKind* const kind : force_kinds()) types.push_back(kind->type);
  expect_names(force.at("if").at("properties").at("type"), types);
  ASSERT_EQ(force.at("then").at("oneOf").size(), types.size());
  for (const std::string_view type : types) {
    const Json& definition = defined.at(std::string(type));
    EXPECT_EQ(definition.at("properties").at("type").at("const"), type);
  }
  expect_names(defined.at("shapes").at("items").at("properties").at("type"), keys::shape_types);
  expect_names(root.at("properties").at("start"), keys::starts);
  for (const SensorKind* const kind : sensor_kinds())
    if (!kind->choices.empty())
      expect_names(defined.at("sensor").at("properties").at(std::string(kind->key)), kind->choices);
  expect_names(defined.at("objective").at("properties").at("direction"), keys::passages);
  const Json& analysis = defined.at("analysis").at("properties");
  expect_names(analysis.at("formulation"), keys::formulations);
  expect_names(analysis.at("integrator"), keys::integrators);
  expect_names(analysis.at("coordinates"), keys::coordinates);
  expect_names(analysis.at("reference"), keys::references);
  expect_names(analysis.at("projections"), keys::projections);
  expect_names(analysis.at("stabilisation"), keys::stabilisations);
  expect_names(analysis.at("iteration"), keys::iterations);
}

}  // namespace
}  // namespace gradus
