// The JSON Schema and the reader agree on every key and every fixed name.
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
  expect_keys(defined.at("ground"), keys::ground, "ground");
  expect_keys(defined.at("body"), keys::body, "body");
  expect_keys(defined.at("inertia"), keys::inertia, "inertia");
  expect_keys(defined.at("joint"), keys::joint, "joint");
  expect_keys(defined.at("loop"), keys::loop, "loop");
  expect_keys(defined.at("initial"), keys::initial, "initial");
  expect_keys(defined.at("guess"), keys::guess, "guess");
  expect_keys(defined.at("spring-damper"), keys::spring_damper, "spring-damper");
  expect_keys(defined.at("torsional-spring-damper"), keys::torsional_spring_damper, "torsional");
  expect_keys(defined.at("force"), keys::force, "force");
  expect_keys(defined.at("torque"), keys::torque, "torque");
  expect_keys(defined.at("joint-force"), keys::joint_force, "joint-force");
  expect_keys(defined.at("bushing"), keys::bushing, "bushing");
  expect_keys(defined.at("constraint"), keys::constraint, "constraint");
  expect_keys(defined.at("sensor"), keys::sensor, "sensor");
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
  expect_names(force.at("properties").at("type"), keys::force_types);
  ASSERT_EQ(force.at("oneOf").size(), keys::force_types.size());
  for (const std::string_view type : keys::force_types) {
    const Json& definition = defined.at(std::string(type));
    EXPECT_EQ(definition.at("properties").at("type").at("const"), type);
  }
  expect_names(root.at("properties").at("start"), keys::starts);
  expect_names(defined.at("axes"), keys::axes);
  expect_names(defined.at("sensor").at("properties").at("energy"), keys::energies);
  expect_names(defined.at("sensor").at("properties").at("momentum"), keys::momenta);
  expect_names(defined.at("objective").at("properties").at("direction"), keys::passages);
  const Json& analysis = defined.at("analysis").at("properties");
  expect_names(analysis.at("formulation"), keys::formulations);
  expect_names(analysis.at("integrator"), keys::integrators);
  expect_names(analysis.at("reference"), keys::references);
  expect_names(analysis.at("projections"), keys::projections);
  expect_names(analysis.at("stabilisation"), keys::stabilisations);
  expect_names(analysis.at("iteration"), keys::iterations);
}

}  // namespace
}  // namespace gradus
