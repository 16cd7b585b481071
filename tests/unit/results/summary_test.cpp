// JSON documents of results and reports.
#include "src/results/summary.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "src/results/reports.hpp"
#include "tests/unit/results/sample_result.hpp"

namespace gradus::results {
namespace {

using nlohmann::json;
using test::fail_design;
using test::sample_result;

json document(const Result& result) {
  std::string text;
  write_result_document(result, [&](std::string_view piece) { text += piece; });
  return json::parse(text);
}

TEST(Summary, NamesTheRun) {
  const json parsed = document(sample_result());
  EXPECT_EQ(parsed["schema"], "gradus-result/1");
  EXPECT_EQ(parsed["version"], version());
  EXPECT_EQ(parsed["model"], "pendulum");
  EXPECT_EQ(parsed["backend"], "cpu:2");
  EXPECT_EQ(parsed["formulation"], "ali3p");
  EXPECT_EQ(parsed["reference"], "rtdyn0");
  EXPECT_EQ(parsed["method"], "direct");
  EXPECT_EQ(parsed["status"], "ok");
  EXPECT_EQ(parsed["steps"], 100);
  EXPECT_EQ(parsed["step"], 1e-3);
  EXPECT_EQ(parsed["duration"], 0.1);
  EXPECT_EQ(parsed["timing"], json({{"total_s", 1.5}, {"motion_s", 1.0}, {"sensitivity_s", 0.5}}));
  EXPECT_FALSE(parsed.contains("failures"));
  EXPECT_FALSE(parsed.contains("error"));
  EXPECT_FALSE(parsed.contains("designs"));
}

TEST(Summary, SaysWhoSolvedForTheColumns) {
  Result result = sample_result();
  EXPECT_FALSE(document(result).contains("solver"));
  result.solver = "cusolver";
  EXPECT_EQ(document(result)["solver"], json({{"name", "cusolver"}, {"precision", "double"}}));
  result.solver = "native";
  result.refused = {0.0, 3.0, 4.0};
  EXPECT_EQ(document(result)["solver"], json({{"name", "native"},
                                              {"precision", "mixed"},
                                              {"designs_refused", 2},
                                              {"stages_refused", 7}}));
}

TEST(Summary, AddressesNumbersByName) {
  const Result result = sample_result();
  const json parsed = document(result);
  EXPECT_EQ(parsed["objectives"]["psi2"], result.objective_values[1]);
  EXPECT_EQ(parsed["gradient"]["psi2"]["length"], result.gradient[3]);
  EXPECT_EQ(parsed["gradient"]["ψ3"]["mass"], result.gradient[4]);
  EXPECT_EQ(parsed["final"]["tip"],
            json({result.final_sensors[0], result.final_sensors[1], result.final_sensors[2]}));
  EXPECT_EQ(parsed["final"]["energy"], json::array({result.final_sensors[3]}));
  EXPECT_EQ(parsed["units"]["parameters"]["mass"], "kg");
  EXPECT_EQ(parsed["units"]["objectives"]["psi1"], "m^2 s");
  EXPECT_EQ(parsed["units"]["sensors"], json({{"tip", "m"}, {"energy", "J"}}));
}

TEST(Summary, HoldsGaussNewtonMatricesOfSumsOfSquares) {
  Result result = sample_result(2);
  EXPECT_FALSE(document(result).contains("gauss_newton"));
  result.least_squares = {"psi1", "ψ3"};
  result.gauss_newton = test::numbers(16, 6000.0);
  const json parsed = document(result);
  EXPECT_EQ(parsed["gauss_newton"]["psi1"]["mass"]["length"], result.gauss_newton[1]);
  EXPECT_EQ(parsed["gauss_newton"]["ψ3"]["length"]["mass"], result.gauss_newton[6]);
  EXPECT_EQ(parsed["designs"][1]["gauss_newton"]["psi1"]["mass"]["mass"], result.gauss_newton[8]);
}

TEST(Summary, NumbersReadBackAsTheSameDouble) {
  Result result = sample_result();
  for (const double value :
       {1.0 / 3.0, 5e-324, 1.7976931348623157e308, -0.1, 123456789.123456789}) {
    result.objective_values[0] = value;
    const double read = document(result)["objectives"]["psi1"].get<double>();
    EXPECT_EQ(std::memcmp(&read, &value, sizeof value), 0) << value;
  }
}

TEST(Summary, HasNoGradientWithoutOne) {
  Result result = sample_result();
  result.method = "none";
  result.gradient.clear();
  EXPECT_FALSE(document(result).contains("gradient"));
}

TEST(Summary, WritesNullForNumbersThatFailed) {
  Result result = sample_result();
  fail_design(result, 0);
  const json parsed = document(result);
  EXPECT_EQ(parsed["status"], "failed");
  EXPECT_TRUE(parsed["objectives"]["psi1"].is_null());
  EXPECT_TRUE(parsed["gradient"]["psi1"]["mass"].is_null());
  EXPECT_TRUE(parsed["final"]["tip"][2].is_null());
  EXPECT_EQ(
      parsed["failures"],
      json::array(
          {{{"design", 0}, {"time", 0.25}, {"message", "Newton's method does not converge"}}}));
  EXPECT_EQ(parsed["error"]["code"], 3);
  EXPECT_EQ(parsed["error"]["message"],
            "the motion failed at 0.25 s: Newton's method does not converge");
}

TEST(Summary, ListsTheDesignsOfABatch) {
  Result result = sample_result(3);
  fail_design(result, 1);
  const json parsed = document(result);
  ASSERT_EQ(parsed["designs"].size(), 3u);
  const json& last = parsed["designs"][2];
  EXPECT_EQ(last["design"], 2);
  EXPECT_EQ(last["status"], "ok");
  EXPECT_EQ(last["objectives"]["psi1"], result.objective_values[6]);
  EXPECT_EQ(last["gradient"]["psi2"]["mass"], result.gradient[14]);
  EXPECT_EQ(last["parameters"]["length"], result.parameter_values[5]);
  EXPECT_EQ(parsed["designs"][1]["status"], "Newton's method does not converge");
  EXPECT_EQ(parsed["objectives"], parsed["designs"][0]["objectives"]);
  EXPECT_EQ(parsed["gradient"], parsed["designs"][0]["gradient"]);
  EXPECT_EQ(parsed["status"], "failed");
  EXPECT_EQ(failure_message(result),
            "1 of 3 designs failed; first: design 1 at 0.25 s: Newton's method does not converge");
}

TEST(Summary, CountsPassagesThroughSingularConfigurations) {
  Result result = sample_result(4);
  result.singular_passage = {0.0, 0.0, 0.0, 0.0};
  EXPECT_FALSE(document(result).contains("singular_passages"));
  result.singular_passage = {0.0, 0.25, 0.5, 0.75};
  fail_design(result, 1);
  EXPECT_EQ(document(result)["singular_passages"],
            json({{"count", 2}, {"first", {{"design", 2}, {"time", 0.5}}}}));
}

TEST(Summary, SurvivesAResultWithoutDesigns) {
  const json parsed = document(sample_result(0));
  EXPECT_TRUE(parsed["objectives"]["psi1"].is_null());
  EXPECT_EQ(parsed["status"], "ok");
}

TEST(Summary, SurvivesNamesThatAreNotUtf8) {
  Result result = sample_result();
  result.model = "a\xFF";
  EXPECT_EQ(document(result)["model"], "a\uFFFD");
}

TEST(Summary, AddsParametersOptionsAndDiagnostics) {
  Result result = sample_result(3);
  fail_design(result, 1);
  Options options;
  options.step = 1e-3;
  options.set["mass"] = 2.5;
  options.designs = {3, 0.1, 7, {}};
  std::string text;
  write_summary_document(result, options, [&](std::string_view piece) { text += piece; });
  const json parsed = json::parse(text);
  EXPECT_EQ(parsed["parameters"]["length"],
            json({{"value", result.parameter_values[1]}, {"unit", "m"}}));
  EXPECT_EQ(parsed["options"]["step"], 1e-3);
  EXPECT_TRUE(parsed["options"]["tolerance"].is_null());
  EXPECT_EQ(parsed["options"]["set"]["mass"], 2.5);
  EXPECT_EQ(parsed["options"]["designs"]["seed"], 7);
  EXPECT_EQ(parsed["constraint_violation"]["position"], result.constraint_violation[6]);
  EXPECT_EQ(parsed["constraint_violation"]["acceleration"], result.constraint_violation[8]);
  EXPECT_EQ(parsed["newton_iterations"], json(result.newton_iterations));
  EXPECT_EQ(parsed["gradient"]["psi1"]["mass"], result.gradient[0]);
}

TEST(Summary, HasOptionsOfSomeMethodsIfTheyAreGiven) {
  const auto options_of = [](const Options& options) {
    std::string text;
    write_summary_document(sample_result(), options,
                           [&](std::string_view piece) { text += piece; });
    return json::parse(text)["options"];
  };
  Options options;
  const json without = options_of(options);
  options.rtol = 1e-5;
  options.atol = 1e-7;
  options.columns_in_error = false;
  options.penalty = 1e8;
  options.projections = "none";
  options.stabilisation = "baumgarte";
  options.iteration = "newton";
  json with = options_of(options);
  const json given{{"rtol", 1e-5},
                   {"atol", 1e-7},
                   {"penalty", 1e8},
                   {"columns_in_error", false},
                   {"iteration", "newton"},
                   {"projections", "none"},
                   {"stabilisation", "baumgarte"}};
  for (const auto& [name, value] : given.items()) {
    EXPECT_EQ(with[name], value);
    with.erase(name);
  }
  EXPECT_EQ(with, without);
}

// Adaptive integrators take other steps than those between which they record, and sometimes as
// many.
TEST(Summary, CountsTheStepsThatWereTaken) {
  Result result = sample_result(3);
  result.step_count = {100.0, std::nan(""), 100.0};
  result.rejected_steps = {0.0, std::nan(""), 0.0};
  EXPECT_FALSE(document(result).contains("steps_taken"));
  EXPECT_EQ(document(result)["steps"], 100);
  result.adaptive = true;
  EXPECT_EQ(document(result)["steps_taken"], json({100.0, nullptr, 100.0}));
  result.step_count[0] = 18.0;
  EXPECT_EQ(document(result)["steps"], 18);
  EXPECT_EQ(document(result)["steps_taken"], json({18.0, nullptr, 100.0}));
  result.step_count[0] = std::nan("");
  EXPECT_TRUE(document(result)["steps"].is_null());
}

TEST(Reports, CheckTellsEveryLine) {
  CheckReport report;
  CheckLine line;
  line.objective = "psi1";
  line.parameter = "mass";
  line.adjoint = 1.5;
  line.dual = 2.0;
  line.adjoint_deviation = 0.4;
  line.rounding = 1e-9;
  line.difference_deviation = 0.6;
  line.verdict = CheckVerdict::wrong;
  line.accurate = true;
  report.lines = {line};
  report.refinement = "half the step";
  report.derivative = {false, "1 is wrong"};
  report.accuracy = report.model = {true, "fine"};
  const json parsed = json::parse(check_document("pendulum", report));
  EXPECT_EQ(parsed["schema"], "gradus-check/2");
  EXPECT_EQ(parsed["status"], "failed");
  EXPECT_EQ(parsed["error"]["code"], 3);
  EXPECT_EQ(parsed["error"]["message"], "the derivative: 1 is wrong");
  EXPECT_EQ(parsed["refinement"], "half the step");
  EXPECT_EQ(parsed["parts"]["derivative"]["passed"], false);
  EXPECT_EQ(parsed["parts"]["model"]["message"], "fine");
  EXPECT_EQ(parsed["lines"][0]["verdict"], "wrong");
  EXPECT_EQ(parsed["lines"][0]["accurate"], true);
  EXPECT_EQ(parsed["lines"][0]["rounding"], 1e-9);
  EXPECT_EQ(parsed["lines"][0]["adjoint"], 1.5);
  EXPECT_EQ(parsed["lines"][0]["adjoint_deviation"], 0.4);
  EXPECT_EQ(parsed["lines"][0]["dual"], 2.0);
  EXPECT_EQ(parsed["lines"][0]["difference_deviation"], 0.6);
  EXPECT_EQ(parsed["lines"][0]["passed"], false);
  report.passed = true;
  EXPECT_EQ(json::parse(check_document("pendulum", report))["status"], "ok");
}

TEST(Reports, DescriptionKeepsWhatTheParametersTouch) {
  Description description;
  description.model = "pendulum";
  description.tree = {{"rod", "A", "revolute", "ground", {"A"}}};
  description.loops = {{"B", "revolute", "ground.B", "rod.tip", 5}};
  description.parameters = {{"mass", "kg"}, {"unused", ""}};
  description.parameter_values = {1.5, 2.5};
  description.touches["mass"] = {"mass of rod"};
  const json parsed = json::parse(description_document(description));
  EXPECT_EQ(parsed["schema"], "gradus-info/1");
  EXPECT_EQ(parsed["tree"][0]["body"], "rod");
  EXPECT_EQ(parsed["loops"][0]["equations"], 5);
  EXPECT_EQ(parsed["parameters"]["mass"],
            json({{"value", 1.5}, {"unit", "kg"}, {"touches", json::array({"mass of rod"})}}));
  EXPECT_EQ(parsed["parameters"]["unused"]["touches"], json::array());
}

TEST(Reports, ErrorsCarryCodeAndMessage) {
  const json input = json::parse(error_document(2, "bad \"value\""));
  EXPECT_EQ(input["status"], "error");
  EXPECT_EQ(input["error"], json({{"code", 2}, {"message", "bad \"value\""}}));
  EXPECT_EQ(json::parse(error_document(3, "singular"))["status"], "failed");
}

}  // namespace
}  // namespace gradus::results
