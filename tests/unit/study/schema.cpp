// The JSON Schema of studies and their readers agree on every key and every fixed name.
#include "gradus/optimize.hpp"
#include "gradus/sweep.hpp"
#include "src/study/study_keys.hpp"
#include "tests/unit/model/schema_check.hpp"

namespace gradus {
namespace {

Json schema() {
  return read_schema("gradus-study-1.json");
}

TEST(StudySchema, KeysAreThoseOfTheReaders) {
  const Json root = schema();
  const Json& defined = root.at("$defs");
  expect_keys(root, keys::study, "study");
  expect_keys(defined.at("options"), keys::study_options, "options");
  expect_keys(defined.at("sweep"), keys::sweep, "sweep");
  expect_keys(defined.at("axis-of-values"), keys::axis_of_values, "axis of values");
  expect_keys(defined.at("axis-of-range"), keys::axis_of_range, "axis of a range");
  expect_keys(defined.at("uniform"), keys::uniform, "uniform");
  expect_keys(defined.at("normal"), keys::normal, "normal");
  expect_keys(defined.at("log-normal"), keys::log_normal, "log-normal");
  expect_keys(defined.at("dependence"), keys::dependence, "dependence");
  expect_keys(defined.at("record"), keys::record, "record");
  expect_keys(defined.at("statistics"), keys::statistics, "statistics");
  expect_keys(defined.at("optimize"), keys::optimization, "optimize");
  expect_keys(defined.at("objective-bound"), keys::objective_bound, "bound");
  expect_keys(defined.at("variable"), keys::variable, "variable");
  expect_keys(defined.at("fit"), keys::fit, "fit");
  expect_keys(defined.at("data"), keys::fit_data, "data");
  expect_keys(defined.at("column"), keys::fit_column, "column");
}

TEST(StudySchema, NamesAreThoseOfTheReaders) {
  const Json root = schema();
  const Json& options = root.at("$defs").at("options").at("properties");
  EXPECT_EQ(root.at("properties").at("schema").at("const"), keys::study_schema_name);
  expect_names(options.at("method"), keys::study_methods);
  expect_names(options.at("formulation"), keys::formulations);
  expect_names(options.at("integrator"), keys::integrators);
  expect_names(options.at("coordinates"), keys::coordinates);
  expect_names(options.at("reference"), keys::references);
  expect_names(options.at("projections"), keys::projections);
  expect_names(options.at("stabilisation"), keys::stabilisations);
  expect_names(options.at("iteration"), keys::iterations);
  const Json& defined = root.at("$defs");
  expect_names(defined.at("sweep").at("properties").at("sampling"), sampling_names);
  expect_names(defined.at("axis-of-range").at("properties").at("spacing"), keys::spacings);
  const Names methods = defined.at("optimize").at("properties").at("method").at("enum");
  for (const std::string& method : optimization_methods())
    EXPECT_TRUE(methods.count(method)) << method;
}

}  // namespace
}  // namespace gradus
