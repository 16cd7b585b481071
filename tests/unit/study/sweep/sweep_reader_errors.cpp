// Sections "sweep" of study files that are wrong: one message each, with the way to the mistake.
#include <gtest/gtest.h>

#include "tests/unit/study/sweep/sweep_texts.hpp"

namespace gradus::test {
namespace {

struct Mistake {
  std::string text;
  const char* where;
  const char* expected;
};

void expect_all(const std::vector<Mistake>& mistakes, const Files& files = {}) {
  for (const Mistake& mistake : mistakes) {
    const std::string message = complaint_about(mistake.text, files);
    EXPECT_EQ(message.rfind("study.json: " + std::string(mistake.where) + ": ", 0), 0U)
        << message << "\nin " << mistake.text;
    EXPECT_NE(message.find(mistake.expected), std::string::npos)
        << message << "\nin " << mistake.text << "\nexpected " << mistake.expected;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

std::string grid(const std::string& parameters, const std::string& more = "") {
  return R"({ "sampling": "grid", "parameters": )" + parameters + more + " }";
}

std::string sample(const std::string& parameters, const std::string& more = "") {
  return R"({ "sampling": "random", "designs": 10, "parameters": )" + parameters + more + " }";
}

TEST(SweepReaderErrors, OfKeys) {
  const std::string m = R"({ "m": { "from": 0, "to": 1 } })";
  expect_all({
      {"3", "/", "expected an object"},
      {"{}", "/", "the key \"sampling\" is missing"},
      {R"({ "sampling": "Sobol" })", "/sampling", "did you mean \"sobol\"?"},
      {R"({ "sampling": 3 })", "/sampling", "expected one of \"grid\", \"list\""},
      {R"({ "sampling": "grid", "seeds": 1 })", "/", "did you mean \"seed\"?"},
      {R"({ "sampling": "grid" })", "/", "the key \"parameters\" is missing"},
      {R"({ "sampling": "list" })", "/", "the key \"list\" is missing"},
      {R"({ "sampling": "sobol" })", "/", "the key \"designs\" is missing"},
      {R"({ "sampling": "sobol", "designs": 2 })", "/", "the key \"parameters\" is missing"},
      {grid(m, R"(, "designs": 3)"), "/designs",
       "found the key \"designs\" (it does not belong to the sampling \"grid\", which has "
       "\"parameters\", \"gradients\", \"record\", \"statistics\")"},
      {grid(m, R"(, "correlation": {})"), "/correlation", "does not belong"},
      {R"({ "sampling": "list", "seed": 3 })", "/seed", "does not belong"},
      {sample(m, R"(, "list": "a.csv")"), "/list", "does not belong to the sampling \"random\""},
      {sample(m, R"(, "gradients": 1)"), "/gradients", "expected true or false"},
      {R"({ "sampling": "random", "designs": 0 })", "/designs",
       "found 0 (number), expected a whole number from 1 to 100000000"},
      {R"({ "sampling": "random", "designs": 1.5 })", "/designs", "expected a whole number"},
      {R"({ "sampling": "random", "designs": 100000001 })", "/designs", "expected a whole number"},
      {sample(m, R"(, "seed": -1)"), "/seed", "expected a whole number from 0"},
      {sample(m, R"(, "seed": 1e16)"), "/seed", "expected a whole number from 0"},
  });
}

TEST(SweepReaderErrors, OfParameters) {
  expect_all({
      {grid("[]"), "/parameters", "expected an object"},
      {grid("{}"), "/parameters", "expected parameters of the model"},
      {sample("{}"), "/parameters", "expected parameters of the model"},
      {grid(R"({ "k[2]": { "values": [1] } })"), "/parameters", "did you mean \"k[0]\"?"},
      {grid(R"({ "c": { "values": [1] } })"), "/parameters",
       "found the parameter \"c\" (\"set\" gives it one value)"},
      {grid(R"({ "m": 3 })"), "/parameters/m", "expected an object"},
      {grid(R"({ "m": {} })"), "/parameters/m", "the key \"from\" is missing"},
      {grid(R"({ "m": { "values": [] } })"), "/parameters/m/values", "at least one value"},
      {grid(R"({ "m": { "values": ["a"] } })"), "/parameters/m/values/0", ""},
      {grid(R"({ "m": { "values": [1, "1/0"] } })"), "/parameters/m/values/1", "a finite number"},
      {grid(R"({ "m": { "values": [1], "count": 1 } })"), "/parameters/m",
       "found the key \"count\""},
      {grid(R"({ "m": { "from": 1, "to": 2 } })"), "/parameters/m", "the key \"count\" is missing"},
      {grid(R"({ "m": { "from": 1, "to": 2, "count": 0 } })"), "/parameters/m/count",
       "expected a whole number from 1"},
      {grid(R"({ "m": { "from": 2, "to": 2, "count": 1 } })"), "/parameters/m",
       "found the range from 2 to 2 (it is empty)"},
      {grid(R"({ "m": { "from": 0, "to": 2, "count": 2, "spacing": "logarithmic" } })"),
       "/parameters/m", "found a logarithmic range from 0"},
      {grid(R"({ "m": { "from": 1, "to": 2, "count": 2, "spacing": "log" } })"),
       "/parameters/m/spacing", "expected one of \"linear\", \"logarithmic\""},
      {grid(R"({ "m": { "from": 0, "to": 1, "count": 100000 },
                 "L": { "from": 0, "to": 1, "count": 100000 } })"),
       "/", "there are 1e+10 designs (a sweep has at most 1e+08)"},
      {R"({ "sampling": "list", "list": "a.csv", "parameters": {} })", "/parameters",
       "expected the names"},
      {R"({ "sampling": "list", "list": "a.csv", "parameters": [] })", "/parameters",
       "expected the names"},
      {R"({ "sampling": "list", "list": "a.csv", "parameters": ["m", "m"] })", "/parameters/1",
       "found the parameter \"m\" twice"},
      {R"({ "sampling": "list", "list": "a.csv", "parameters": ["n"] })", "/parameters/0",
       "which the model does not have"},
  });
}

TEST(SweepReaderErrors, OfDistributions) {
  const auto of = [](const std::string& distribution) {
    return sample(R"({ "m": )" + distribution + " }");
  };
  const char* where = "/parameters/m";
  expect_all({
      {of("{}"), where, "the parameter has no distribution"},
      {of("3"), where, "expected an object"},
      {of(R"({ "distribution": "gauss" })"), "/parameters/m/distribution", "expected one of"},
      {of(R"({ "from": 1 })"), where, "the key \"to\" is missing"},
      {of(R"({ "from": 1, "to": 0 })"), where, "found the range from 1 to 0 (it is empty)"},
      {of(R"({ "from": 1, "to": 2, "count": 3 })"), where, "found the key \"count\""},
      {of(R"({ "from": 1, "to": 2, "truncated": [1, 2] })"), where, "found the key \"truncated\""},
      {of(R"({ "distribution": "normal", "mean": 1 })"), where,
       "the key \"standard_deviation\" is missing"},
      {of(R"({ "distribution": "normal", "mean": 1, "standard_deviation": 0 })"), where,
       "found the standard deviation 0"},
      {of(R"({ "distribution": "normal", "median": 1, "standard_deviation": 1 })"), where,
       "found the key \"median\""},
      {of(R"({ "distribution": "log-normal", "mean": 1, "log_standard_deviation": 1 })"), where,
       "found the key \"mean\""},
      {of(R"({ "distribution": "log-normal", "median": -1, "log_standard_deviation": 1 })"), where,
       "found the median -1"},
      {of(R"({ "distribution": "normal", "mean": 1, "standard_deviation": 1, "truncated": [2] })"),
       "/parameters/m/truncated", "expected an array of 2"},
      {of(R"({ "distribution": "normal", "mean": 1, "standard_deviation": 1,
               "truncated": [3, 2] })"),
       where, "found truncated [3, 2] (the range is empty)"},
  });
}

TEST(SweepReaderErrors, OfDependence) {
  const auto with = [](const std::string& more) {
    return sample(R"({ "m": { "distribution": "normal", "mean": 0, "standard_deviation": 1 },
                       "L": { "distribution": "normal", "mean": 0, "standard_deviation": 1 } })",
                  ", " + more);
  };
  const std::string given = R"("covariance": { "parameters": ["m"], "matrix": [[2]] })";
  expect_all({
      {with(R"("correlation": { "matrix": [] })"), "/correlation",
       "the key \"parameters\" is missing"},
      {with(R"("correlation": { "parameters": [], "matrix": [] })"), "/correlation/parameters",
       "expected the names"},
      {with(R"("correlation": { "parameters": ["m", "L"], "matrix": [[1, 0]] })"),
       "/correlation/matrix", "expected an array of 2"},
      {with(R"("correlation": { "parameters": ["m", "L"], "matrix": [[1, 0], [0]] })"),
       "/correlation/matrix/1", "expected an array of 2"},
      {with(R"("correlation": { "parameters": ["m", "M"], "matrix": [[1, 0], [0, 1]] })"),
       "/correlation", "found the parameter \"M\" (the sweep does not vary it)"},
      {with(R"("correlation": { "parameters": ["m", "L"], "matrix": [[1, 1], [1, 1]] })"),
       "/correlation", "the matrix is singular"},
      {with(R"("correlation": { "parameters": ["m", "L"], "matrix": [[1, 2], [2, 1]] })"),
       "/correlation", "its smallest eigenvalue is -1, along \"m\", \"L\""},
      {with(given + R"(, "correlation": { "parameters": ["m"], "matrix": [[1]] })"), "/covariance",
       "found a covariance and a correlation"},
      {with(given), "/parameters/m/standard_deviation", "the covariance already sets it"},
      {sample(R"({ "m": { "from": 0, "to": 1 } })", ", " + given), "/parameters/m",
       "found the distribution \"uniform\" (a covariance needs normal distributions)"},
      {sample(R"({ "m": { "distribution": "normal", "mean": 1, "truncated": [0, 1] } })",
              ", " + given),
       "/parameters/m/truncated", "a covariance needs distributions without truncation"},
      {sample(R"({ "m": { "distribution": "normal", "mean": 1 } })",
              R"(, "covariance": { "parameters": ["m"], "matrix": [[-2]] })"),
       "/covariance", "variances are positive"},
  });
}

TEST(SweepReaderErrors, OfRecordsAndStatistics) {
  const auto with = [](const std::string& more) {
    return sample(R"({ "m": { "from": 0, "to": 1 } })", ", " + more);
  };
  expect_all({
      {with(R"("record": ["r"])"), "/record", "expected an object"},
      {with(R"("record": { "every": 2 })"), "/record", "the key \"sensors\" is missing"},
      {with(R"("record": { "sensors": [] })"), "/record/sensors", "expected names of sensors"},
      {with(R"("record": { "sensors": ["R"] })"), "/record/sensors/0",
       "found the sensor \"R\" (the model does not have it), "},
      {with(R"("record": { "sensors": ["r", "r"] })"), "/record/sensors/1", "twice"},
      {with(R"("record": { "sensors": ["r"], "every": 0 })"), "/record/every",
       "expected a whole number from 1"},
      {with(R"("statistics": { "level": 1 })"), "/statistics", "found the key \"level\""},
      {with(R"("statistics": { "confidence": 1 })"), "/statistics/confidence",
       "expected a number between 0 and 1"},
      {with(R"("statistics": { "confidence": 95 })"), "/statistics/confidence", "between 0 and 1"},
      {with(R"("statistics": { "quantiles": [0.5, 0] })"), "/statistics/quantiles/1",
       "between 0 and 1"},
      {with(R"("statistics": { "bins": 2.5 })"), "/statistics/bins", "expected a whole number"},
  });
}

TEST(SweepReaderErrors, OfLists) {
  const auto list = [](const std::string& file, const std::string& more = "") {
    return R"({ "sampling": "list", "list": ")" + file + "\"" + more + " }";
  };
  const Files files{
      {"gap.csv", "m,L\n1,2\n3,\n"},   {"short.csv", "m,L\n1\n"},
      {"nan.csv", "m,L\n1,nan\n"},     {"unknown.csv", "m,mass\n1,2\n"},
      {"twice.csv", "m,L,m\n1,2,3\n"}, {"empty.csv", "m,L\n"},
      {"set.csv", "m,c\n1,2\n"},       {"list.txt", "m\n1\n"},
      {"good.csv", "m,L\n1,2\n"},
  };
  expect_all(
      {
          {list("gap.csv"), "/list: gap.csv: line 3, column \"L\"", "found an empty cell"},
          {list("short.csv"), "/list: short.csv: line 2", "found 1 cells"},
          {list("nan.csv"), "/list: nan.csv: line 2, column \"L\"", "it is not a finite number"},
          {list("unknown.csv"), "/list: unknown.csv", "found the parameter \"mass\""},
          {list("twice.csv"), "/list: twice.csv: line 1", "found the column \"m\" twice"},
          {list("empty.csv"), "/list: empty.csv", "found no designs"},
          {list("set.csv"), "/list: set.csv", "\"set\" gives it one value"},
          {list("list.txt"), "/list: list.txt", "name it *.csv or *.npy"},
          {list("good.csv", R"(, "parameters": ["m"])"), "/list: good.csv",
           "found the column \"L\" (it is not among the parameters of the sweep)"},
          {list("good.csv", R"(, "parameters": ["m", "L", "k[0]"])"), "/list: good.csv",
           "found no column \"k[0]\""},
          {list(""), "/list", "expected the name of a file"},
          {R"({ "sampling": "list", "list": 3 })", "/list", "expected a string"},
      },
      files);
  EXPECT_EQ(complaint_about(list("good.csv"), files), "");
  EXPECT_THROW(complaint_about(list("missing.csv"), files), FileError);
}

}  // namespace
}  // namespace gradus::test
