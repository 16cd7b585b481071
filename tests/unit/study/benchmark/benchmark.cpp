// The verb `benchmark` on backends that run anywhere.
#include "gradus/benchmark.hpp"

#include <gtest/gtest.h>

#include "gradus/gradus.hpp"
#include "src/study/benchmark/measurement.hpp"
#include "tests/support/source_path.hpp"

namespace gradus::test {
namespace {

BenchmarkSettings small() {
  BenchmarkSettings s;
  s.bodies = {1, 2};
  s.parameters = {2};
  s.designs = {3, 1};
  s.backends = {"cpu:1", "debug"};
  s.methods = {"direct", "none"};
  s.steps = 2;
  s.repeats = 2;
  return s;
}

template <class Action>
std::string rejection(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST(Benchmark, MeasuresEveryBatchOnEveryBackend) {
  const BenchmarkReport report = benchmark(small());
  ASSERT_EQ(report.rows.size(), 16U);
  for (const BenchmarkRow& row : report.rows) {
    EXPECT_EQ(row.remark, "");
    EXPECT_GT(row.seconds, 0.0);
    EXPECT_LE(row.minimum, row.seconds);
    EXPECT_GE(row.maximum, row.seconds);
    EXPECT_LE(row.deviation, 1e-8);
    EXPECT_EQ(row.steps, 2U);
    EXPECT_EQ(row.column_steps_per_second() == 0.0, row.method == "none");
  }
  EXPECT_EQ(report.rows[0].designs, 1U);
  EXPECT_EQ(report.rows[1].backend_ran, "debug");
  EXPECT_EQ(report.rows[15].designs, 3U);
  EXPECT_EQ(report.rows[15].bodies, 2U);
  EXPECT_EQ(report.rows[15].method, "none");
  EXPECT_NE(report.no_break_even.find("no GPU"), std::string::npos);
  EXPECT_GE(report.machine.threads, 1U);
}

TEST(Benchmark, TakesAModel) {
  BenchmarkSettings settings = small();
  settings.model = read_model(source_path("models/five-bar/five-bar.json"));
  const BenchmarkReport report = benchmark(settings);
  ASSERT_EQ(report.rows.size(), 8U);
  EXPECT_EQ(report.rows[0].model, "five-bar");
  EXPECT_EQ(report.rows[0].parameters, 5U);
  EXPECT_EQ(report.rows[0].bodies, settings.model->bodies.size());
}

TEST(Benchmark, LeavesOutWhatWouldTakeTooLong) {
  BenchmarkSettings settings = small();
  settings.methods = {"direct"};
  settings.bodies = {2};
  settings.longest = 1e-9;
  const BenchmarkReport report = benchmark(settings);
  ASSERT_EQ(report.rows.size(), 4U);
  EXPECT_EQ(report.rows[0].remark, "");  // nothing is known yet
  EXPECT_NE(report.rows[2].remark.find("left out"), std::string::npos);
  EXPECT_EQ(report.rows[2].column_steps_per_second(), 0.0);
  EXPECT_EQ(report.rows[3].remark, "");  // a device is not predicted
}

TEST(Benchmark, ReportsWhatABackendCannotDo) {
  BenchmarkSettings settings = small();
  settings.methods = {"dual"};
  settings.bodies = {1};
  settings.designs = {1};
  const BenchmarkReport report = benchmark(settings);
  ASSERT_EQ(report.rows.size(), 2U);
  EXPECT_EQ(report.rows[0].remark, "");
  EXPECT_NE(report.rows[1].remark.find("cpu"), std::string::npos) << report.rows[1].remark;
  EXPECT_EQ(report.rows[1].seconds, 0.0);
}

TEST(Benchmark, HasNoTimeForWrongNumbers) {
  BenchmarkSettings settings = small();
  settings.model = read_model(source_path("models/five-bar/five-bar.json"));
  for (Parameter& parameter : settings.model->parameters)
    if (parameter.name == "L_A1") {
      parameter.value = 2.6;
      parameter.bounds.reset();
    }
  settings.spread = 0.3;  // some loops cannot close then
  settings.designs = {200};
  settings.backends = {"cpu:1"};
  const BenchmarkReport report = benchmark(settings);
  EXPECT_EQ(report.rows[0].remark, "a design failed");
  EXPECT_EQ(report.rows[0].seconds, 0.0);
}

TEST(Benchmark, ProgressEndsWithAll) {
  BenchmarkSettings settings = small();
  std::vector<double> parts;
  settings.progress = [&](double done) { parts.push_back(done); };
  benchmark(settings);
  ASSERT_EQ(parts.size(), 16U);
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  EXPECT_NEAR(parts.back(), 1.0, 1e-12);
}

TEST(Benchmark, RejectsWhatCannotBeMeasured) {
  const auto expect = [](const char* says, void (*change)(BenchmarkSettings&)) {
    BenchmarkSettings settings = small();
    change(settings);
    const std::string message = rejection([&] { benchmark(settings); });
    EXPECT_NE(message.find(says), std::string::npos) << message;
  };
  expect("designs", [](BenchmarkSettings& s) { s.designs.clear(); });
  expect("designs: found 0", [](BenchmarkSettings& s) { s.designs = {0}; });
  expect("bodies", [](BenchmarkSettings& s) { s.bodies = {}; });
  expect("repeats: found 0", [](BenchmarkSettings& s) { s.repeats = 0; });
  expect("auto", [](BenchmarkSettings& s) { s.backends = {"auto"}; });
  expect("3 bodies and 13", [](BenchmarkSettings& s) {
    s.bodies = {3};
    s.parameters = {13};
  });
  expect("method", [](BenchmarkSettings& s) { s.methods = {"guess"}; });
}

TEST(Measurement, MedianIsTheMiddle) {
  EXPECT_EQ(median({3.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median({4.0, 1.0, 2.0, 9.0}), 3.0);
}

TEST(Measurement, DeviationIsRelativeToTheRow) {
  Result a;
  a.objectives = {{"x", ""}, {"y", ""}};
  a.parameters = {{"p", ""}, {"q", ""}};
  a.gradient = {1.0, -10.0, 0.0, 0.0};
  a.status.resize(1);
  Result b = a;
  EXPECT_EQ(deviation(a, b), 0.0);
  b.gradient[0] = 1.5;
  EXPECT_DOUBLE_EQ(deviation(b, a), 0.05);
  b.status[0].ok = false;
  EXPECT_GT(deviation(b, a), 1e300);
}

}  // namespace
}  // namespace gradus::test
