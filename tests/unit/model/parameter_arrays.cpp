// Arrays of parameters: what is read, what expressions make of them, and what is wrong.
#include <gtest/gtest.h>

#include "src/model/nominal.hpp"
#include "src/model/parameter_array.hpp"
#include "tests/unit/model/expression_helpers.hpp"
#include "tests/unit/model/mistakes.hpp"

namespace gradus {
namespace {

std::vector<Parameter> read(const char* array) {
  const Model model =
      parse_model(small_model_with(std::string(R"({"parameters": {"k": )") + array + "}}"));
  std::vector<Parameter> elements;
  for (const Parameter& parameter : model.parameters)
    if (name_in_expressions(parameter.name) == "k") elements.push_back(parameter);
  return elements;
}

TEST(ParameterArrays, ShareWhatIsSaidOnce) {
  const std::vector<Parameter> k = read(
      R"_({"value": "sqrt(4)", "size": 3, "unit": "N", "bounds": [1, 5], "description": "nodes"})_");
  ASSERT_EQ(k.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(k[i].name, "k[" + std::to_string(i) + "]");
    EXPECT_EQ(k[i].value.expression(), "sqrt(4)");
    EXPECT_EQ(k[i].unit, "N");
    EXPECT_EQ(k[i].description, "nodes");
    EXPECT_EQ((*k[i].bounds)[1], 5.0);
  }
}

TEST(ParameterArrays, HaveValuesAndBoundsOfTheirOwn) {
  const std::vector<Parameter> k =
      read(R"({"value": [1, "2*3", 4], "size": "1+2", "bounds": [[0, 2], [5, 7], [0, "2^3"]]})");
  ASSERT_EQ(k.size(), 3u);
  EXPECT_EQ(k[0].value.value(), 1.0);
  EXPECT_EQ(k[1].value.expression(), "2*3");
  EXPECT_EQ(*k[1].bounds, (std::array<double, 2>{5, 7}));
  EXPECT_EQ(*k[2].bounds, (std::array<double, 2>{0, 8}));
  EXPECT_EQ(read(R"({"value": [7], "size": 1})")[0].name, "k[0]");
}

TEST(ParameterArrays, AreListsOfExpressions) {
  const Model model = parse_model(small_model_with(R"({
    "parameters": {"k": {"value": [1, 2, 3, 4], "size": 4}, "last": 9},
    "definitions": {"shape": [1, "k[1]", "last", 2, 3], "one": [5], "all": "2*k"}})"));
  expression::Graph graph;
  const ModelScope scope(graph, model, "test");
  const std::vector<double> values = nominal_parameters(model, "test");
  ASSERT_EQ(values, (std::vector<double>{1, 2, 3, 4, 9, 2, 100}));
  const auto value = [&](const char* text) {
    const expression::Node node = expression::parse_scalar(graph, text, scope, "test");
    return expression::run(compile(graph, {node}), values)[0];
  };
  EXPECT_EQ(value("k[3]"), 4.0);
  EXPECT_EQ(value("sum(k)"), 10.0);
  EXPECT_EQ(value("dot(k, all)"), 60.0);
  EXPECT_EQ(value("sum(shape) + shape[1]"), 19.0);
  EXPECT_EQ(value("one[0] + stiffness"), 105.0);
  const expression::Node node = expression::parse_scalar(graph, "k[2] + last", scope, "test");
  EXPECT_EQ(graph.inputs_of(node), (std::vector<int>{2, 4}));
}

TEST(ParameterArrays, Mistakes) {
  const std::vector<Mistake> mistakes{
      {R"({"parameters": {"k": {"value": [1, 2], "size": 3}}})",
       "/parameters/k/value: found an array of 2, expected an array of 3"},
      {R"({"parameters": {"k": {"value": [1, 2]}}})",
       "/parameters/k/value: found an array of 2, expected a number; an array of parameters has "
       "a "},
      {R"({"parameters": {"k": [1, 2]}})", "/parameters/k: found an array of 2, expected a number"},
      {R"({"parameters": {"k": {"value": 1, "size": 0}}})",
       "/parameters/k/size: found 0 (number), expected a whole number from 1 to 100000"},
      {R"({"parameters": {"k": {"value": 1, "size": 2.5}}})", "expected a whole number"},
      {R"({"parameters": {"k": {"value": 1, "size": 100001}}})", "expected a whole number from 1"},
      {R"({"parameters": {"k": {"value": 1, "size": -1}}})", "expected a whole number"},
      {R"({"parameters": {"k": {"value": 1, "size": "0/0"}}})", "expected a whole number"},
      {R"({"parameters": {"k": {"value": 1, "size": "stiffness"}}})",
       "/parameters/k/size: unknown name"},
      {R"_({"parameters": {"k": {"value": ["sum(k)"], "size": 1}}})_",
       "/parameters/k[0]/value: unknown name \"k\" at column 5 of \"sum(k)\" (nothing of this "
       "name can be used here), parameter values are constant"},
      {R"({"parameters": {"k": {"value": 1, "size": 2, "bounds": [[0, 2]]}}})",
       "/parameters/k/bounds: found an array of 1, expected an array of 2"},
      {R"({"parameters": {"k": {"value": 1, "size": 2, "bounds": [[0, 2], 3]}}})",
       "/parameters/k/bounds/1: found 3 (number), expected an array of 2"},
      {R"({"parameters": {"k": {"value": [1, 9], "size": 2, "bounds": [0, 2]}}})",
       "/parameters/k[1]/value: found 9 (it lies outside its bounds [0, 2])"},
      {R"({"parameters": {"k": {"value": [1, "1/0"], "size": 2}}})",
       "/parameters/k[1]/value: found \"1/0\""},
      {R"({"parameters": {"k[0]": 1}})",
       "/parameters/k[0]: found the name \"k[0]\" (it is that of an element of an array), write "
       "the "
       "array once"},
      {R"({"parameters": {"k[": 1}})", "/parameters/k[: found the name \"k[\" (expressions cannot"},
      {R"({"parameters": {"sin": {"value": 1, "size": 2}}})", "it stands for a function"},
      {R"({"parameters": {"2k": {"value": 1, "size": 2}}})", "expressions cannot use it"},
      {R"({"parameters": {"half": {"value": 1, "size": 2}}})",
       "/definitions/half: the name \"half\" is taken (one of the parameters bears it)"},
      {R"({"parameters": {"place": {"value": 1, "size": 2}}})", "the name \"place\" is taken"},
      {R"({"parameters": {"k": {"value": 1, "size": 2}}, "bodies": {"arm": {"mass": "k"}}})",
       "/bodies/arm/mass: a list of 2 at column 1 of \"k\" (a scalar is expected)"},
      {R"({"parameters": {"k": {"value": 1, "size": 2}}, "bodies": {"arm": {"mass": "k[2]"}}})",
       "/bodies/arm/mass: index \"2\" out of range"},
      {R"({"bodies": {"arm": {"mass": "stiffness[0]"}}})", "it is a scalar and no array"},
      {R"({"definitions": {"list": []}})", "/definitions/list: an empty list"},
      {R"({"definitions": {"list": ["1/0", 2]}})", "/definitions/list: found \"[1/0, 2]\""},
  };
  expect_all(mistakes, [](const char* patch) { return small_model_with(patch); });
}

// A few arrays must not fill the memory.
TEST(ParameterArrays, AreLimitedTogether) {
  std::string arrays;
  for (int i = 0; i < 11; ++i)
    arrays += (i == 0 ? "\"k" : ", \"k") + std::to_string(i) + R"(": {"value": 1, "size": 100000})";
  EXPECT_NE(error_of(small_model_with("{\"parameters\": {" + arrays + "}}"))
                .find("expected at most 1000000 parameters in all"),
            std::string::npos);
}

std::string array_error(const std::vector<std::string>& names) {
  Model model = parse_model(small_model);
  for (const std::string& name : names) {
    Parameter parameter;
    parameter.name = name;
    model.parameters.push_back(parameter);
  }
  try {
    validate(model, "built");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ParameterArrays, BuiltInMemory) {
  Model model = parse_model(small_model);
  Parameter common;
  common.name = "k";
  common.value = 2.0;
  common.unit = "N";
  for (const Parameter& element : parameter_array(common, 12)) model.parameters.push_back(element);
  EXPECT_EQ(model.parameters.back().name, "k[11]");
  EXPECT_EQ(model.parameters.back().unit, "N");
  EXPECT_NO_THROW(validate(model));
  EXPECT_EQ(array_error({"k[0]", "k[1]", "a", "b[0]"}), "no error");
  const auto expect = [](const std::vector<std::string>& names, const std::string& part) {
    EXPECT_NE(array_error(names).find(part), std::string::npos) << array_error(names);
  };
  expect({"k[1]"},
         "built: /parameters/k[1]: found the name \"k[1]\" (the elements of an array "
         "follow each other, counted from 0), expected \"k[0]\"");
  expect({"k[0]", "k[2]"}, "expected \"k[1]\"");
  expect({"k[0]", "a", "k[1]"}, "expected \"k[0]\"");
  expect({"k[0]", "b[1]"}, "expected \"b[0]\"");
  expect({"k[0]", "k[0]"}, "the name \"k\" is taken");
  expect({"k", "k[0]"}, "the name \"k\" is taken");
  expect({"k[00]"}, "expressions cannot use it");
  expect({"k[-1]"}, "expressions cannot use it");
  expect({"k[]"}, "expressions cannot use it");
  expect({"[0]"}, "found an empty name");
}

}  // namespace
}  // namespace gradus
