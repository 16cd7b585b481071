// The section "optimize" of studies: what is read, and what is said about mistakes.
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/error.hpp"
#include "src/model/json_document.hpp"
#include "src/study/study_reader.hpp"
#include "tests/unit/study/optimization/suspension.hpp"

namespace gradus::test {
namespace {

Optimization read(const std::string& text) {
  Study study;
  study.model = suspension();
  const StudyContext context{study, {30.0, 2.0, 1.0}, {}};
  const std::string origin = "study.json";
  const JsonValue value = parse_document("{\"optimize\": " + text + "}", origin);
  return read_optimization(JsonElement(value, origin).at("optimize"), context);
}

std::string rejection(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(OptimizationReader, TakesWhatIsNotSaidFromTheModel) {
  const Optimization read_one = read(R"({"minimize": "travel", "parameters": ["c", "k"]})");
  EXPECT_FALSE(read_one.maximize);
  ASSERT_EQ(read_one.objective.size(), 1U);
  EXPECT_EQ(read_one.objective[0].objective, "travel");
  EXPECT_EQ(read_one.objective[0].weight, 1.0);
  ASSERT_EQ(read_one.variables.size(), 2U);
  EXPECT_EQ(read_one.variables[0].name, "c");
  EXPECT_EQ(read_one.variables[0].start, 2.0);
  EXPECT_EQ(read_one.variables[0].lower, 0.1);
  EXPECT_EQ(read_one.variables[0].upper, 10.0);
  EXPECT_EQ(read_one.method, "slsqp");
  EXPECT_EQ(read_one.evaluations, 500U);
}

TEST(OptimizationReader, TakesEverythingThatIsSaid) {
  const Optimization all = read(R"({
    "maximize": {"travel": 2, "late@0.5": "-1/2"},
    "parameters": {"k": {"start": 7, "lower": 6, "upper": "2*4"}, "m": {}},
    "constraints": {"effort": {"max": 20}, "late": {"min": -1, "max": 1}},
    "method": "mma", "tolerance": 1e-6, "constraint_tolerance": 1e-5, "evaluations": 40,
    "starts": 1, "seed": 9})");
  EXPECT_TRUE(all.maximize);
  EXPECT_EQ(all.objective[1].weight, -0.5);
  EXPECT_EQ(all.variables[0].start, 7.0);
  EXPECT_EQ(all.variables[0].lower, 6.0);
  EXPECT_EQ(all.variables[0].upper, 8.0);
  EXPECT_TRUE(std::isinf(all.variables[1].upper));
  EXPECT_EQ(all.constraints[0].upper, 20.0);
  EXPECT_TRUE(std::isinf(all.constraints[0].lower));
  EXPECT_EQ(all.constraints[1].lower, -1.0);
  EXPECT_EQ(all.method, "mma");
  EXPECT_EQ(all.tolerance, 1e-6);
  EXPECT_EQ(all.constraint_tolerance, 1e-5);
  EXPECT_EQ(all.evaluations, 40U);
  EXPECT_EQ(all.seed, 9U);
}

TEST(OptimizationReader, TakesTheLargestOfSeveral) {
  const Optimization list =
      read(R"({"minimize": {"largest": ["travel", "late"]}, "parameters": ["k"]})");
  EXPECT_TRUE(list.worst_case);
  ASSERT_EQ(list.objective.size(), 2U);
  EXPECT_EQ(list.objective[1].objective, "late");
  const Optimization weighted =
      read(R"({"maximize": {"smallest": {"travel": 2, "effort": 0.5}}, "parameters": ["k"]})");
  EXPECT_TRUE(weighted.worst_case && weighted.maximize);
  EXPECT_EQ(weighted.objective[1].weight, 0.5);
  EXPECT_FALSE(read(R"({"minimize": "travel", "parameters": ["k"]})").worst_case);
}

struct Mistake {
  const char* text;
  const char* where;
  const char* problem;
};

TEST(OptimizationReader, SaysWhereMistakesAre) {
  const Mistake mistakes[] = {
      {R"({"minimize": "travel"})", "study.json: /optimize", "\"parameters\" is missing"},
      {R"({"parameters": ["k"]})", "study.json: /optimize",
       "exactly one of \"minimize\", \"maximize\""},
      {R"({"minimize": "travel", "maximize": "effort", "parameters": ["k"]})",
       "study.json: /optimize", "\"minimize\" and \"maximize\""},
      {R"({"minimize": "travell", "parameters": ["k"]})", "study.json: /optimize/minimize",
       "did you mean \"travel\"?"},
      {R"({"minimize": "late", "parameters": ["k"]})", "study.json: /optimize/minimize",
       "\"late@0.25\""},
      {R"({"minimize": {"travel": 0}, "parameters": ["k"]})", "minimize/travel", "the weight is 0"},
      {R"({"minimize": {}, "parameters": ["k"]})", "minimize", "there is no objective"},
      {R"({"minimize": {"largest": ["travel"], "effort": 1}, "parameters": ["k"]})", "minimize",
       "\"largest\" stands beside weights"},
      {R"({"minimize": {"largest": []}, "parameters": ["k"]})", "minimize",
       "there is no objective"},
      {R"({"minimize": {"largest": ["travel", "travel"]}, "parameters": ["k"]})", "minimize",
       "named twice"},
      {R"({"minimize": {"largest": ["late@0.5", "late"]}, "parameters": ["k"]})", "minimize",
       "\"late@0.5\" is named twice"},
      {R"({"minimize": {"smallest": ["travel"]}, "parameters": ["k"]})", "minimize",
       "use \"largest\""},
      {R"({"minimize": {"largest": ["travel"]}, "parameters": ["k"], "method": "lbfgs"})", "method",
       "takes no constraints"},
      {R"({"minimize": "travel", "parameters": []})", "parameters", "there are no parameters"},
      {R"({"minimize": "travel", "parameters": ["kk"]})", "/parameters/0", "did you mean \"k\"?"},
      {R"({"minimize": "travel", "parameters": ["k", "k"]})", "parameters/k", "named twice"},
      {R"({"minimize": "travel", "parameters": 3})", "/parameters", "a list of parameters"},
      {R"({"minimize": "travel", "parameters": {"k": {"begin": 3}}})", "/parameters/k",
       "\"begin\""},
      {R"({"minimize": "travel", "parameters": {"k": {"start": 3}}})", "/parameters/k",
       "the start 3 is not allowed (it lies outside the bounds [5, 100])"},
      {R"({"minimize": "travel", "parameters": {"k": {"lower": 30, "upper": 30}}})",
       "/parameters/k", "leave nothing to vary"},
      {R"({"minimize": "travel", "parameters": ["m"], "starts": 2})", "parameters/m",
       "are not finite"},
      {R"({"minimize": "travel", "parameters": ["k"], "constraints": {"effort": {}}})",
       "/constraints/effort", "demands nothing"},
      {R"({"minimize": "travel", "parameters": ["k"], "constraints": {"effort": {"min": 2, "max": 1}}})",
       "constraints/effort", "no value can lie between 2 and 1"},
      {R"({"minimize": "travel", "parameters": ["k"], "constraints": {"effort": {"equal": 2, "max": 1}}})",
       "/constraints/effort", "\"equal\" stands beside"},
      {R"({"minimize": "travel", "parameters": ["k"], "constraints": {"efort": {"max": 1}}})",
       "constraints", "did you mean \"effort\"?"},
      {R"({"minimize": "travel", "parameters": ["k"], "constraints": {"late": {"max": 1}, "late@0.5": {"min": 0}}})",
       "constraints/late@0.5", "constrained twice"},
      {R"({"minimize": "travel", "parameters": ["k"], "method": "ipop"})", "method",
       "did you mean \"ipopt\"?"},
      {R"({"minimize": "travel", "parameters": ["k"], "method": "lbfgs", "constraints": {"effort": {"max": 1}}})",
       "method", "takes no constraints"},
      {R"({"minimize": "travel", "parameters": ["k"], "method": "mma", "constraints": {"effort": {"equal": 1}}})",
       "method", "takes no equations"},
      {R"({"minimize": "travel", "parameters": ["k"], "tolerance": 0})", "tolerance", "found 0"},
      {R"({"minimize": "travel", "parameters": ["k"], "evaluations": 0})", "/evaluations",
       "whole number"},
      {R"({"minimize": "travel", "parameters": ["k"], "starts": 1.5})", "/starts", "whole number"},
      {R"({"minimize": "travel", "parameters": ["k"], "starts": 4097})", "/starts",
       "from 1 to 4096"},
      {R"({"minimize": "travel", "parameters": ["k"], "seeds": 1})", "study.json: /optimize",
       "did you mean \"seed\"?"},
  };
  for (const Mistake& mistake : mistakes) {
    const std::string found = rejection(mistake.text);
    EXPECT_NE(found.find(mistake.where), std::string::npos) << mistake.text << "\n" << found;
    EXPECT_NE(found.find(mistake.problem), std::string::npos) << mistake.text << "\n" << found;
  }
}

}  // namespace
}  // namespace gradus::test
