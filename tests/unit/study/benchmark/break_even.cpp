// Where a GPU overtakes the CPU, found from times; and which point of a table speaks for a work.
#include "src/backend/break_even.hpp"

#include <gtest/gtest.h>

#include "src/study/benchmark/measurement.hpp"

namespace gradus::test {
namespace {

BreakEven found(const std::vector<TimePair>& pairs) {
  BreakEven point{"direct", 4, 5, {}, 0, 0};
  find_break_even(pairs, point);
  return point;
}

TEST(BreakEven, LiesOnAStraightLineBetweenLogarithms) {
  // cpu / gpu is 1/4 with 10 designs and 4 with 1000: 1 in the middle of the decades.
  const BreakEven point = found({{10, 1.0, 4.0}, {1000, 8.0, 2.0}});
  EXPECT_EQ(point.designs, 100U);
  EXPECT_EQ(point.fewest, 10U);
  EXPECT_EQ(point.most, 1000U);
  // Nine parts of ten in logarithms, and rounded up to a whole design.
  EXPECT_EQ(found({{1, 1.0, 512.0}, {1024, 2.0, 1.0}}).designs, 512U);
  EXPECT_EQ(found({{1, 1.0, 500.0}, {1000, 2.0, 1.0}}).designs, 500U);
  EXPECT_EQ(found({{10, 1.0, 3.0}, {1000, 8.0, 2.0}}).designs, 77U);  // 76.8
}

TEST(BreakEven, DoesNotAskForOrder) {
  EXPECT_EQ(found({{1000, 8.0, 2.0}, {1, 1.0, 9.0}, {10, 1.0, 4.0}}).designs, 100U);
}

TEST(BreakEven, LiesBehindTheLastSizeAtWhichTheCpuWasNotSlower) {
  EXPECT_EQ(found({{1, 2.0, 1.0}, {10, 1.0, 4.0}, {1000, 8.0, 2.0}}).designs, 100U);
  EXPECT_EQ(found({{1, 1.0, 2.0}, {10, 3.0, 3.0}, {1000, 8.0, 2.0}}).designs, 10U);
}

TEST(BreakEven, MayLieOutsideOfWhatWasMeasured) {
  EXPECT_EQ(found({{16, 2.0, 1.0}, {64, 9.0, 1.0}}).designs, 16U);
  const BreakEven never = found({{16, 1.0, 2.0}, {64, 1.0, 1.5}});
  EXPECT_FALSE(never.designs.has_value());
  EXPECT_EQ(never.most, 64U);
  EXPECT_FALSE(found({{16, 2.0, 1.0}, {64, 1.0, 1.5}}).designs.has_value());
  EXPECT_FALSE(found({{1, 1.0, 2.0}}).designs.has_value());
}

const BreakEvenTable table{"G",
                           2,
                           {{"direct", 4, 4, 100, 1, 1000},
                            {"direct", 32, 128, {}, 1, 1000},
                            {"none", 4, 0, 5000, 1, 10000}}};

std::size_t nearest(const Work& work) {
  return static_cast<std::size_t>(nearest_point(table, work) - table.points.data());
}

TEST(BreakEvenTable, NearestPointIsThatOfTheMechanism) {
  EXPECT_EQ(nearest({1, 4, 5, "direct"}), 0U);
  EXPECT_EQ(nearest({1, 30, 100, "direct"}), 1U);
  EXPECT_EQ(nearest({1, 1, 0, "direct"}), 0U);
  EXPECT_EQ(nearest({1, 64, 4096, "direct"}), 1U);
}

TEST(BreakEvenTable, TheMethodComesFirst) {
  EXPECT_EQ(nearest({1, 32, 0, "none"}), 2U);
  EXPECT_EQ(nearest({1, 32, 128, "adjoint"}), 1U);  // of which nothing is known
  EXPECT_EQ(nearest_point(BreakEvenTable{}, {}), nullptr);
}

TEST(BreakEvenTable, PaysFromThePointOn) {
  EXPECT_FALSE(pays(table.points[0], {99, 4, 4, "direct"}));
  EXPECT_TRUE(pays(table.points[0], {100, 4, 4, "direct"}));
  EXPECT_FALSE(pays(table.points[1], {1'000'000, 32, 128, "direct"}));
}

const std::vector<BreakEven>& points_for(std::size_t threads, int lanes) {
  static BreakEvenTable built_in;
  built_in = built_in_break_even(threads, lanes);
  EXPECT_EQ(built_in.points.size(), 3U);
  return built_in.points;
}

// docs/performance.md: 16 threads and one H200, seconds.
TEST(BreakEvenTable, BuiltInPointsAreThoseOfTheRecordedTimes) {
  const auto& points = points_for(16, 1);
  EXPECT_EQ(points[0].designs,
            found({{128, 0.0095, 0.0648}, {1024, 0.0829, 0.0659}, {131072, 9.26, 0.512}}).designs);
  EXPECT_EQ(points[1].designs, found({{1024, 0.037, 0.0498}, {16384, 0.59, 0.14}}).designs);
  EXPECT_EQ(points[2].designs, found({{1, 0.00732, 0.336}, {1024, 0.44, 1.71}}).designs);
}

TEST(BreakEvenTable, LanesOfTheCpuMoveBuiltInPointsUpwards) {
  const auto& points = points_for(16, 8);
  EXPECT_EQ(points[0].designs,
            found({{1024, 0.0829 / 5.4, 0.0659}, {16384, 1.38 / 5.4, 0.116}}).designs);
  EXPECT_FALSE(points[1].designs.has_value()) << "0.128 s of lanes beside 0.14";
  EXPECT_EQ(points_for(16, 4)[0].designs,
            found({{1024, 0.0829 / 3.7, 0.0659}, {16384, 1.38 / 3.7, 0.116}}).designs);
}

TEST(BreakEvenTable, FewerThreadsMoveBuiltInPointsDownwards) {
  EXPECT_EQ(points_for(2, 1)[0].designs, 128U) << "the fewest that were measured";
  EXPECT_EQ(points_for(2, 8)[0].designs,
            found({{128, 0.0095 * 8 / 5.4, 0.0648}, {1024, 0.0829 * 8 / 5.4, 0.0659}}).designs);
}

// --- from the rows of a report ---

BenchmarkRow row(const std::string& backend, std::size_t designs, double seconds) {
  BenchmarkRow r;
  r.model = "chain-4";
  r.method = "direct";
  r.backend = r.backend_ran = backend;
  r.bodies = 4;
  r.parameters = 5;
  r.designs = designs;
  r.steps = 20;
  r.seconds = seconds;
  return r;
}

BenchmarkReport report(const std::vector<BenchmarkRow>& rows) {
  BenchmarkReport r;
  r.machine.threads = 2;
  r.settings.designs = {10, 1000};
  r.rows = rows;
  add_break_even(r);
  return r;
}

TEST(BreakEvenOfRows, ComparesTheGpuWithTheFastestCpu) {
  const BenchmarkReport r =
      report({row("cpu:1", 10, 1.0), row("cpu:2", 10, 2.0), row("cuda:0", 10, 4.0),
              row("cpu:1", 1000, 50.0), row("cpu:2", 1000, 8.0), row("cuda:0", 1000, 2.0)});
  EXPECT_EQ(r.no_break_even, "");
  ASSERT_EQ(r.break_even.size(), 1U);
  EXPECT_EQ(r.break_even[0].designs, 100U);
  EXPECT_EQ(r.break_even[0].bodies, 4U);
  EXPECT_EQ(r.break_even[0].parameters, 5U);
  EXPECT_EQ(r.break_even[0].method, "direct");
}

TEST(BreakEvenOfRows, LeavesOutWhatWasNotMeasuredOnBoth) {
  std::vector<BenchmarkRow> rows = {row("cpu:2", 10, 1.0), row("cuda:0", 10, 4.0),
                                    row("cpu:2", 1000, 8.0), row("cuda:0", 1000, 2.0)};
  rows[2].remark = "left out";
  const BenchmarkReport r = report(rows);
  ASSERT_EQ(r.break_even.size(), 1U);
  EXPECT_FALSE(r.break_even[0].designs.has_value());
  EXPECT_EQ(r.break_even[0].most, 10U);
}

TEST(BreakEvenOfRows, EverySizeOfMechanismAndMethodHasItsOwn) {
  std::vector<BenchmarkRow> rows = {row("cpu:2", 10, 1.0), row("cuda:0", 10, 4.0),
                                    row("cpu:2", 10, 1.0), row("cuda:0", 10, 0.5)};
  rows[2].bodies = rows[3].bodies = 8;
  const BenchmarkReport r = report(rows);
  ASSERT_EQ(r.break_even.size(), 2U);
  EXPECT_FALSE(r.break_even[0].designs.has_value());
  EXPECT_EQ(r.break_even[1].designs, 10U);
}

TEST(BreakEvenOfRows, SaysWhyThereAreNone) {
  EXPECT_NE(report({row("cpu:2", 10, 1.0)}).no_break_even.find("no GPU"), std::string::npos);
  const BenchmarkReport one = report({row("cpu:1", 10, 1.0), row("cuda:0", 10, 0.5)});
  EXPECT_NE(one.no_break_even.find("all threads"), std::string::npos);
  EXPECT_TRUE(one.break_even.empty());
  // 20 threads are not 2.
  EXPECT_NE(report({row("cpu:20", 10, 1.0), row("cuda:0", 10, 0.5)}).no_break_even, "");
}

TEST(BenchmarkRows, RatiosAreToTheFirstBackendOfTheSameBatch) {
  const BenchmarkReport r = report({row("cpu:1", 10, 1.0), row("cpu:2", 10, 0.5),
                                    row("cpu:1", 1000, 50.0), row("cpu:2", 1000, 20.0)});
  EXPECT_EQ(r.ratio(r.rows[0]), 1.0);
  EXPECT_EQ(r.ratio(r.rows[1]), 2.0);
  EXPECT_EQ(r.ratio(r.rows[3]), 2.5);
  EXPECT_EQ(r.rows[1].designs_per_second(), 20.0);
  EXPECT_EQ(r.rows[1].column_steps_per_second(), 20.0 * 5 * 20);
}

}  // namespace
}  // namespace gradus::test
