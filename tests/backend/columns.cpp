// Columns on a device: spread over threads and, where memory is short, over runs of the motion; the
// host's bits however they are spread.
#include <algorithm>
#include <cmath>
#include <string>

#include "src/motion/column_split.hpp"
#include "src/study/benchmark/measurement.hpp"
#include "tests/backend/watched_device.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"

namespace gradus::test {
namespace {

ColumnSplit split(std::size_t parameters, std::size_t designs, const char* formulation = "ali3p") {
  Plan plan = DesignRun(five_bar(), short_run("cpu:1", 1)).plan();
  plan.nominal.resize(parameters);
  MotionRequest request;
  request.plan = &plan;
  request.formulation = &formulation_traits(formulation);
  request.sensitivity = Sensitivity::direct;
  request.n_design = designs;
  return split_columns(request);
}

TEST(ColumnSplit, FillsTheDevice) {
  const ColumnSplit many_parameters = split(100'000, 1);
  EXPECT_TRUE(many_parameters.shares_motion);
  EXPECT_GE(many_parameters.slices, 10'000U);
  EXPECT_EQ(split(4, 1'000'000).slices, 1U);
  const ColumnSplit both = split(1000, 1000);
  EXPECT_GE(1000 * both.slices, kFullDevice);
  EXPECT_GE(both.width, 16);
  EXPECT_FALSE(split(1000, 1, "index1").shares_motion);
  EXPECT_EQ(split(1000, 1, "index1").width, 32);
  EXPECT_EQ(split(1000, 1'000'000, "index1").slices, 1U);
}

TEST(ColumnSplit, HoldsAllColumns) {
  for (const std::size_t parameters : {1U, 3U, 4U, 5U, 31U, 33U, 1001U})
    for (const char* formulation : {"ali3p", "matrix-r"}) {
      const ColumnSplit s = split(parameters, 7, formulation);
      const std::size_t width = static_cast<std::size_t>(s.width);
      EXPECT_GE(s.slices * width, parameters);
      EXPECT_LT((s.slices - 1) * width, parameters);
    }
}

TEST(ColumnSplit, PutsAsManyIntoMemoryAsFit) {
  // In tiles of 32 designs and of 32 slices.
  const ColumnSplit shared{4, 10, true};
  const std::size_t tile = 32 * (100 + 10 * 20);
  EXPECT_EQ(choose_chunk(shared, 1000, 3 * tile, 100, 20).designs, 96U);
  EXPECT_EQ(choose_chunk(shared, 1000, 3 * tile - 1, 100, 20).designs, 64U);
  EXPECT_EQ(choose_chunk(shared, 70, 3 * tile, 100, 20).designs, 70U);
  EXPECT_EQ(choose_chunk(shared, 7, 32 * (100 + 3 * 20), 100, 20).designs, 7U);
  EXPECT_EQ(choose_chunk(shared, 7, 32 * (100 + 2 * 20), 100, 20).designs, 6U);
  EXPECT_EQ(choose_chunk(shared, 7, 32 * (100 + 1 * 20), 100, 20).designs, 3U);
  EXPECT_EQ(choose_chunk(shared, 7, 1, 100, 20).designs, 3U);  // three are one tile as well
  EXPECT_EQ(choose_chunk(shared, 7, 1, 100, 20).slices, 10U);
  const ColumnSplit many{4, 100, true};
  EXPECT_EQ(choose_chunk(many, 7, 32 * (100 + 2 * 20), 100, 20).slices, 64U);
  EXPECT_EQ(choose_chunk(many, 7, 1, 100, 20).designs, 1U);
  EXPECT_EQ(choose_chunk(many, 7, 1, 100, 20).slices, 32U);
  const ColumnSplit apart{32, 100, false};
  EXPECT_EQ(choose_chunk(apart, 1000, 32 * 200 * 120, 100, 20).designs, 64U);
  EXPECT_EQ(choose_chunk(apart, 7, 3 * 32 * 120, 100, 20).slices, 96U);
}

struct Way {
  const char* formulation;
  const char* integrator;
};

void PrintTo(const Way& way, std::ostream* out) {
  *out << way.formulation << " " << way.integrator;
}

class DeviceColumns : public testing::TestWithParam<Way> {
 protected:
  static Model model() {
    Model model = derivative::parametrise_all(derivative::general_loop(JointType::revolute));
    model.analysis.formulation = GetParam().formulation;
    model.analysis.integrator = GetParam().integrator;
    model.analysis.columns_in_error = false;  // else all travel together
    model.analysis.duration = 0.012;
    model.analysis.step = 0.004;
    return model;
  }
  // So many parameters that one design has more slices, or runs, than lie in a tile.
  static Model model_of_many_parameters() {
    Model model = chain_of_bars("chain", 2, 1200, false);
    model.analysis = DeviceColumns::model().analysis;
    return model;
  }
  static MotionOutcome run(Device& device, bool columns = false) {
    Options options;
    options.backend = "debug";
    options.columns = columns;
    options.designs.count = 2;
    options.designs.spread = 1e-6;
    const DesignRun session(model_of_many_parameters(), options);
    MotionRequest request = session.request();
    request.sensitivity = Sensitivity::direct;
    return run_on_device(request, device);
  }
};

TEST_P(DeviceColumns, AreThoseOfTheHost) {
  for (const bool columns : {false, true}) {
    Options options;
    options.backend = "cpu:1";
    options.columns = columns;
    options.designs.count = 2;
    options.designs.spread = 1e-6;
    const Result host = gradient(model(), options);
    ASSERT_TRUE(host.all_ok());
    ASSERT_GT(host.parameters.size(), 64U) << "the test would prove nothing";
    options.backend = "debug";
    expect_same_bits(host, gradient(model(), options));
  }
}

// Less memory than one design needs with all its columns.
TEST_P(DeviceColumns, TravelInPartsWhereMemoryIsShort) {
  for (const bool columns : {false, true}) {
    WatchedDevice whole;
    const MotionOutcome all = run(whole, columns);
    for (const std::size_t share : {3U, 8U}) {
      WatchedDevice device;
      device.room = whole.peak / share;
      const MotionOutcome parts = run(device, columns);
      EXPECT_GT(device.uploads, whole.uploads + 2) << "all columns at once";
      EXPECT_LT(device.peak, whole.peak);
      expect_same_bits(parts.objectives, all.objectives, "objectives");
      expect_same_bits(parts.gradient, all.gradient, "gradient");
      expect_same_bits(parts.signals, all.signals, "signals");
      ASSERT_EQ(parts.trajectories.size(), all.trajectories.size());
      for (std::size_t d = 0; d < all.trajectories.size(); ++d)
        expect_same_bits(parts.trajectories[d].sensor_columns, all.trajectories[d].sensor_columns,
                         "sensor_columns");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, DeviceColumns,
                         testing::Values(Way{"ali3p", "newmark"}, Way{"ali3p", "generalised-alpha"},
                                         Way{"index1", "trapezoidal"}, Way{"matrix-r", "dopri5"}));

// Forces, laws of time and sensors of every kind.
TEST(DeviceColumnsOf, EveryForceAreThoseOfTheHost) {
  Model model = derivative::parametrise_all(derivative::every_force());
  model.analysis.duration = 0.008;
  model.analysis.step = 0.004;
  Options options;
  options.backend = "cpu:1";
  const Result host = gradient(model, options);
  ASSERT_TRUE(host.all_ok());
  options.backend = "debug";
  expect_same_bits(host, gradient(model, options));
}

// One parameter has no derivative where it is zero; many others do nothing.
Model with_a_root() {
  Model model = derivative::skew_chain();
  model.parameters = {derivative::make_parameter("root", 0.01)};
  derivative::add_array(model, "idle", std::vector<double>(300, 1.0));
  model.objectives.push_back({"root", ObjectiveKind::terminal, "q + sqrt(root)", "", ""});
  model.analysis.duration = 0.02;
  return model;
}

// A design whose gradient fails in one block of columns, or one slice of them, has none at all; the
// others of its batch keep theirs.
TEST(FailedColumns, TakeAllOfTheirDesign) {
  const Model model = with_a_root();
  Options options;
  options.method = "direct";
  options.designs.count = 5;
  const DesignRun nominal(model, options);
  const std::size_t width = model.parameters.size();
  options.designs.values = nominal.request().parameters;
  options.designs.values[3 * width] = 0.0;
  const auto expect_failed = [&](const MotionOutcome& outcome, const std::string& where) {
    const std::size_t size = outcome.gradient.size() / 5;
    for (std::size_t d = 0; d < 5; ++d) {
      EXPECT_EQ(outcome.status[d] == kernels::Status::ok, d != 3) << where;
      for (std::size_t k = d * size; k < (d + 1) * size; ++k)
        ASSERT_EQ(std::isnan(outcome.gradient[k]), d == 3) << where << ", design " << d;
    }
  };
  for (const int lanes : {1, 0}) {
    options.backend = "cpu:1";
    options.lanes = lanes;
    const DesignRun run(model, options);
    MotionRequest request = run.request();
    request.sensitivity = Sensitivity::direct;
    expect_failed(run.run(request), std::to_string(lanes) + " lanes");
  }
  // What is recorded ends where the block does that fails, which is at the end.
  options.columns = true;
  const DesignRun recorded(model, options);
  MotionRequest with_columns = recorded.request();
  with_columns.sensitivity = Sensitivity::direct;
  const MotionOutcome outcome = recorded.run(with_columns);
  EXPECT_EQ(outcome.trajectories[3].time.size(), 2U);
  EXPECT_EQ(outcome.trajectories[0].time.size(), 3U);
  options.columns = false;
  options.backend = "debug";
  options.lanes = 0;
  const DesignRun run(model, options);
  MotionRequest request = run.request();
  request.sensitivity = Sensitivity::direct;
  WatchedDevice whole;
  expect_failed(run_on_device(request, whole), "one chunk");
  WatchedDevice chunked;
  chunked.room = whole.peak / 2;
  expect_failed(run_on_device(request, chunked), "chunks");
  EXPECT_GT(chunked.uploads, whole.uploads);
}

// Threads may end the last block, which fails here, before the first, which has more to do.
TEST(FailedColumns, MayBeThoseOfAnyThread) {
  Model model = derivative::skew_chain();
  model.parameters.clear();
  derivative::add_array(model, "busy", std::vector<double>(152, 1e-3));
  derivative::add_array(model, "idle", std::vector<double>(140, 1.0));
  model.parameters.push_back(derivative::make_parameter("root", 0.0));
  model.forces[0]["length"] = "0.5 + sum(busy)";
  model.forces[1]["length"] = "0.3 + sum(busy)";
  model.objectives.push_back({"root", ObjectiveKind::terminal, "q + sqrt(root)", "", ""});
  model.analysis.duration = 0.1;
  Options options;
  options.method = "direct";
  options.backend = "cpu:2";
  for (int repeat = 0; repeat < 20; ++repeat) {
    const Result result = gradient(model, options);
    EXPECT_FALSE(result.all_ok());
    for (const double entry : result.gradient) ASSERT_TRUE(std::isnan(entry));
  }
}

// All columns decide on the step, or meet each other in a matrix: they stay together.
TEST(DeviceColumnsOf, WhatNeedsAllAreThoseOfTheHost) {
  Options options = short_run("cpu:1", 2);
  options.formulation = "matrix-r";
  options.integrator = "dopri5";
  options.columns_in_error = true;
  const Result host = gradient(five_bar(), options);
  options.backend = "debug";
  expect_same_bits(host, gradient(five_bar(), options));
}

}  // namespace
}  // namespace gradus::test
