// The section "fit" of a study and the tables it names: what is read, and every error.
#include <gtest/gtest.h>

#include <map>

#include "gradus/error.hpp"
#include "src/model/json_document.hpp"
#include "src/study/study_reader.hpp"
#include "tests/unit/study/fit/five_bar_fit.hpp"

namespace gradus::test {
namespace {

const Study& study() {
  static const Study study = [] {
    Study result = fit_study(five_bar_model(), 0.5);
    result.model.sensors.push_back({"f", "reaction_force", "1"});
    return result;
  }();
  return study;
}

StudyContext context(const std::map<std::string, std::string>& files) {
  std::vector<double> nominal;
  for (const double value : {std::sqrt(5.0), std::sqrt(17.0) / 2.0, 1.0, std::sqrt(0.5)})
    nominal.push_back(value);
  nominal.push_back(std::sqrt(2.0));
  return {study(), nominal, [files](const std::string& reference) {
            const auto found = files.find(reference);
            if (found == files.end()) throw FileError("cannot read " + reference);
            return found->second;
          }};
}

const std::string kGood = "time,r2.x,remark,alpha1\n0,1,7,2\n0.25,3,7,4\n0.5,5,7,6\n";

std::vector<Measurement> read_data(const std::string& json, const std::string& table) {
  const std::string origin = "study.json";
  const JsonValue tree = parse_document(json, origin);
  return read_measurements(JsonElement(tree, origin), context({{"m.csv", table}}));
}

Fit read(const std::string& json, const std::string& table = kGood) {
  const std::string origin = "study.json";
  const JsonValue tree = parse_document(json, origin);
  return read_fit(JsonElement(tree, origin), context({{"m.csv", table}}));
}

// All texts are in the message.
template <class Read>
void expect_error(const Read& read_it, const std::vector<std::string>& texts) {
  try {
    read_it();
    ADD_FAILURE() << "nothing thrown, expected: " << texts[0];
  } catch (const InputError& error) {
    for (const std::string& text : texts)
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos)
          << "no " << text << " in: " << error.what();
  }
}

void expect_data_error(const std::string& json, const std::string& table,
                       const std::vector<std::string>& texts) {
  expect_error([&] { read_data(json, table); }, texts);
}

TEST(FitData, TakesColumnsWithNamesOfComponents) {
  const std::vector<Measurement> read = read_data("\"m.csv\"", kGood);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].sensor, "r2.x");
  EXPECT_EQ(read[0].column, "r2.x");
  EXPECT_EQ(read[0].deviation, 1.0);
  EXPECT_EQ(read[0].time, (std::vector<double>{0, 0.25, 0.5}));
  EXPECT_EQ(read[0].value, (std::vector<double>{1, 3, 5}));
  EXPECT_EQ(read[1].sensor, "alpha1");
  EXPECT_EQ(read[1].value, (std::vector<double>{2, 4, 6}));
}

TEST(FitData, TakesColumnsThatAreNamed) {
  const std::string json = R"([{"file": "m.csv", "time": "t", "columns": {
      "x": {"sensor": "r2.x", "deviation": "1/100"}, "alpha2": {}, "y": "r2.y"}}, "m.csv"])";
  expect_data_error(json, "t,x,alpha2,y\n0,1,2,3\n", {"m.csv: found no column \"time\""});
  const std::vector<Measurement> read =
      read_data(json, "t,x,alpha2,y,time,r2.x\n0,1,2,3,0,8\n0.1,4,5,6,0.1,9\n");
  ASSERT_EQ(read.size(), 5U);
  EXPECT_EQ(read[0].sensor, "r2.x");
  EXPECT_EQ(read[0].column, "x");
  EXPECT_EQ(read[0].deviation, 0.01);
  EXPECT_EQ(read[1].sensor, "alpha2");
  EXPECT_EQ(read[1].value, (std::vector<double>{2, 5}));
  EXPECT_EQ(read[2].sensor, "r2.y");
  EXPECT_EQ(read[2].column, "y");
  EXPECT_EQ(read[3].sensor, "alpha2");
  EXPECT_EQ(read[4].value, (std::vector<double>{8, 9}));
}

TEST(FitData, SaysWhichTimesAreWrong) {
  expect_data_error(R"({"file": "m.csv", "time": "tine"})", kGood,
                    {"m.csv: found no column \"tine\"", "did you mean \"time\""});
  expect_data_error("\"m.csv\"", "time,r2.x\n0,1\n0.2,1\n0.1,1\n",
                    {"m.csv: line 4, column \"time\": found 0.1 after 0.2", "sort"});
  expect_data_error("\"m.csv\"", "time,r2.x\n0,1\n0.2,1\n0.2,1\n",
                    {"line 4", "found 0.2 after 0.2", "a file of their own"});
  expect_data_error("\"m.csv\"", "time,r2.x\n0,1\n0.6,1\n",
                    {"m.csv: line 3, column \"time\": found 0.6", "lasts from 0 to 0.5 s"});
  expect_data_error("\"m.csv\"", "time,r2.x\n-0.1,1\n", {"line 2", "found -0.1"});
  expect_data_error("\"m.csv\"", "time,r2.x\n0,1\n,1\n", {"line 3, column \"time\"", "empty cell"});
}

TEST(FitData, SaysWhichCellsAreWrong) {
  expect_data_error("\"m.csv\"", "time,r2.x\n0,1\n\n0.1,\n",
                    {"m.csv: line 4, column \"r2.x\": found an empty cell", "leave the row out",
                     "a file of its own"});
  expect_data_error("\"m.csv\"", "time,r2.x\n0,1\n0.1,nan\n",
                    {"m.csv: line 3, column \"r2.x\"", "not a finite number"});
  expect_data_error("\"m.csv\"", "time,r2.x\n", {"m.csv: found no rows"});
  // Gaps in columns that do not count are nobody's business.
  EXPECT_EQ(read_data("\"m.csv\"", "time,r2.x,remark\n0,1,\n").size(), 1U);
}

TEST(FitData, SaysWhichSensorsAreWrong) {
  expect_data_error("\"m.csv\"", "time,r2.w\n0,1\n",
                    {"m.csv: no column has the name of a component", "did you mean \"r2.x\""});
  expect_data_error("\"m.csv\"", "time\n0\n", {"found none but the time"});
  expect_data_error(R"({"file": "m.csv", "columns": {"remark": "r2.w"}})", kGood,
                    {"study.json: /columns/remark", "the sensor \"r2.w\"", "did you mean"});
  expect_data_error(R"({"file": "m.csv", "columns": {"remark": "r2"}})", kGood,
                    {"the sensor \"r2\"", "as one component"});
  expect_data_error(R"({"file": "m.csv", "columns": {"remarks": "r2.y"}})", kGood,
                    {"/columns/remarks", "has no such column", "did you mean \"remark\""});
  expect_data_error(R"({"file": "m.csv", "columns": {}})", kGood, {"one column at least"});
}

TEST(FitData, SaysWhatIsWrongWithItsKeys) {
  for (const char* deviation : {"0", "-1", "\"1/0\""})
    expect_data_error(
        std::string(R"({"file": "m.csv", "columns": {"r2.x": {"deviation": )") + deviation + "}}}",
        kGood, {"/columns/r2.x"});
  expect_data_error(R"({"file": "m.csv", "columns": {"r2.x": {"deviation": 0}}})", kGood,
                    {"/columns/r2.x/deviation: found 0", "above 0"});
  expect_data_error(R"({"file": "m.csv", "columns": {"r2.x": {"deviaton": 1}}})", kGood,
                    {"did you mean \"deviation\""});
  expect_data_error(R"({"file": "m.csv", "colums": {}})", kGood, {"did you mean \"columns\""});
  expect_data_error(R"({"time": "time"})", kGood, {"the key \"file\" is missing"});
  expect_data_error("\"\"", kGood, {"the name of a table"});
  expect_data_error("[]", kGood, {"one table at least"});
  EXPECT_THROW(read_data("\"other.csv\"", kGood), FileError);
}

TEST(FitReader, TakesWhatIsSaidAndTheRestFromDefaults) {
  const Fit unsaid = read(R"({"parameters": ["L_s1"], "data": "m.csv"})");
  ASSERT_EQ(unsaid.variables.size(), 1U);
  EXPECT_EQ(unsaid.variables[0].start, std::sqrt(5.0));
  EXPECT_EQ(unsaid.measurements.size(), 2U);
  EXPECT_FALSE(unsaid.deviations_known);
  EXPECT_EQ(unsaid.starts, 1U);
  const Fit said = read(R"({"parameters": {"L_s1": {"start": 2, "lower": 1, "upper": 3}},
      "data": "m.csv", "deviations_known": true, "tolerance": 1e-6, "iterations": 7, "starts": 3,
      "seed": 5, "confidence": 0.9})");
  EXPECT_EQ(said.variables[0].start, 2.0);
  EXPECT_TRUE(said.deviations_known);
  EXPECT_EQ(said.tolerance, 1e-6);
  EXPECT_EQ(said.iterations, 7U);
  EXPECT_EQ(said.starts, 3U);
  EXPECT_EQ(said.seed, 5U);
  EXPECT_EQ(said.confidence, 0.9);
}

TEST(FitReader, SaysWhatIsWrong) {
  const auto with = [](const std::string& rest) {
    return R"({"parameters": ["L_s1"], "data": "m.csv", )" + rest + "}";
  };
  const auto expect = [](const std::string& json, const std::vector<std::string>& texts) {
    expect_error([&] { read(json); }, texts);
  };
  expect(R"({"data": "m.csv"})", {"the key \"parameters\" is missing"});
  expect(R"({"parameters": ["L_s1"]})", {"the key \"data\" is missing"});
  expect(with(R"("start": 2)"), {"did you mean \"starts\""});
  expect(with(R"("tolerance": 0)"), {"/tolerance: found 0", "between 0 and 1"});
  expect(with(R"("confidence": 1)"), {"/confidence: found 1", "between 0 and 1"});
  expect(with(R"("iterations": 0)"), {"/iterations: found 0", "whole number from 1 to"});
  expect(with(R"("iterations": 1.5)"), {"/iterations: found 1.5", "whole number"});
  expect(with(R"("starts": 0)"), {"/starts: found 0"});
  for (const char* starts : {"4097", "40000", "4e12"})
    expect(with(std::string(R"("starts": )") + starts), {"/starts: found", "from 1 to 4096"});
  EXPECT_EQ(read(with(R"("confidence": 0.9999999999999999)")).confidence, 0.9999999999999999);
  expect(with(R"("seed": -1)"), {"/seed: found -1"});
  expect(with(R"("deviations_known": 1)"), {"/deviations_known: found 1", "true or false"});
  expect_error(
      [] { read(R"({"parameters": ["L_s1", "L_s2"], "data": "m.csv"})", "time,r2.x\n0,1\n"); },
      {"/data: found 1 measurements", "2 parameters"});
}

}  // namespace
}  // namespace gradus::test
