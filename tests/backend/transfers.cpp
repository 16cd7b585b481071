// Transfers to a device: forgotten ones show, chunks do not, and memory comes back.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "src/motion/device_results.hpp"
#include "tests/backend/watched_device.hpp"

namespace gradus::test {
namespace {

// In the order of the uploads of one run.
constexpr int kPlanUpload = 0;
constexpr int kParameterUpload = 1;

TEST(Transfers, ARunOfOneChunkMakesTwoUploads) {
  WatchedDevice device;
  const MotionOutcome outcome = run_on(device, short_run("debug", 3));
  EXPECT_EQ(device.uploads, 2);
  for (const kernels::Status status : outcome.status) EXPECT_EQ(status, kernels::Status::ok);
}

// A record does not make the device wait for the host: it adds no transfer that is waited for.
TEST(Transfers, ARecordArrivesWhileTheDeviceGoesOn) {
  WatchedDevice without;
  run_on(without, short_run("debug", 3), false);
  EXPECT_EQ(without.downloads_later, 0);
  Options options = short_run("debug", 3);
  options.record = true;
  WatchedDevice with;
  const MotionOutcome outcome = run_on(with, options, false);
  EXPECT_EQ(outcome.trajectories[2].time.size(), 51U);
  EXPECT_EQ(with.downloads_later, 5 * 51);
  EXPECT_EQ(with.downloads, without.downloads);
}

TEST(DebugDevice, WhatIsUnderWayArrivesWhenItIsWaitedFor) {
  const std::unique_ptr<Device> device = make_debug_device();
  const DeviceBuffer buffer(*device, sizeof(double));
  const PinnedBuffer pinned(*device, 2 * sizeof(double));
  auto* received = static_cast<double*>(pinned.data());
  const double values[] = {3.0, 4.0};
  for (int k = 0; k < 2; ++k) {
    device->upload(buffer.data(), &values[k], sizeof(double));
    device->move(Transfer::download_later, received + k, buffer.data(), sizeof(double));
    device->mark(k);
  }
  EXPECT_TRUE(std::isnan(received[0]));
  device->wait(0);
  EXPECT_EQ(received[0], 3.0);
  EXPECT_TRUE(std::isnan(received[1]));
  device->wait(1);
  EXPECT_EQ(received[1], 4.0);
}

TEST(Transfers, ForgottenParametersFailEveryDesign) {
  WatchedDevice device;
  device.dropped_upload = kParameterUpload;
  const MotionOutcome outcome = run_on(device, short_run("debug", 3));
  for (const kernels::Status status : outcome.status)
    EXPECT_EQ(status, kernels::Status::invalid_number);
  for (const double value : outcome.objectives) EXPECT_TRUE(std::isnan(value));
  for (const double value : outcome.gradient) EXPECT_TRUE(std::isnan(value));
  for (const double value : outcome.signals) EXPECT_TRUE(std::isnan(value));
}

TEST(TransfersDeathTest, AForgottenPlanEndsTheProgram) {
  WatchedDevice device;
  device.dropped_upload = kPlanUpload;
  EXPECT_DEATH(run_on(device, short_run("debug", 3)), "");
}

TEST(TransfersDeathTest, TheHostCannotReadDeviceMemory) {
  const std::unique_ptr<Device> device = make_debug_device();
  const DeviceBuffer buffer(*device, 64);
  EXPECT_DEATH(static_cast<void>(*static_cast<volatile double*>(buffer.data())), "");
}

TEST(TransfersDeathTest, TheHostCannotReadDeviceMemoryAfterATransfer) {
  const std::unique_ptr<Device> device = make_debug_device();
  const DeviceBuffer buffer(*device, 64);
  const double value = 3.0;
  device->upload(buffer.data(), &value, sizeof(value));
  EXPECT_DEATH(static_cast<void>(*static_cast<volatile double*>(buffer.data())), "");
}

// Numbers of the motion and of its columns, some of each, in every tile.
TEST(DeviceChunk, PutsBackWhatItKeeps) {
  const DesignRun designs(five_bar(), short_run("debug", 70));
  MotionRequest request = designs.request();
  request.sensitivity = Sensitivity::adjoint;
  WatchedDevice device;
  const DeviceSetup setup(device, request);
  DeviceChunk chunk(setup, request, 70);
  const int shared = setup.layout.shared;
  ASSERT_GT(setup.layout.size, shared + 4);
  const auto numbers = [](std::size_t size, double first) {
    std::vector<double> values(70 * size);
    std::iota(values.begin(), values.end(), first);
    return values;
  };
  const std::vector<double> motion = numbers(8, 1.0);
  const std::vector<double> columns = numbers(9, 1e6);
  chunk.upload(shared - 8, 8, motion.data());
  chunk.upload(shared, 9, columns.data());
  auto store = chunk.make_store(12);
  chunk.keep(shared - 3, 7, store, 2);
  chunk.duplicate(shared - 8, shared - 2);
  chunk.clear(shared, 9);
  chunk.put_back(shared - 3, 7, store, 2);
  std::vector<double> received(motion.size());
  chunk.download(shared - 8, 8, received.data());
  expect_same_bits(received, motion, "motion");
  received.resize(columns.size());
  chunk.download(shared, 9, received.data());
  for (std::size_t d = 0; d < 70; ++d)
    for (std::size_t k = 0; k < 9; ++k)
      EXPECT_EQ(received[d * 9 + k], k < 4 ? columns[d * 9 + k] : 0.0) << d << ", " << k;
  EXPECT_EQ(chunk.largest(shared - 8), motion[69 * 8]);
  EXPECT_EQ(chunk.least(shared - 8), motion[0]);
}

// A row of more designs than a room takes goes out in blocks.
TEST(Recorder, NeedsNoMoreRoomThanItIsGiven) {
  Options options = short_run("debug", 70);
  options.record = true;
  options.step = 1e-3;
  options.duration = 4e-3;
  const DesignRun designs(five_bar(), options);
  const MotionRequest& request = designs.request();
  const auto record = [&](WatchedDevice& device, std::size_t room) {
    const DeviceSetup setup(device, request);
    DeviceChunk chunk(setup, request, 70);
    chunk.upload(setup.layout.parameter, 5, request.parameters.data());
    MotionOutcome outcome = make_outcome(request);
    DeviceResults recorder(chunk, setup, request, 0, outcome, room);
    StepByStep<DeviceChunk> each{chunk};
    run_time_loop(request, setup.formulation, each, [&](std::size_t, const Instant& at) {
      recorder.record(at);
      return true;
    });
    recorder.finish();
    return outcome;
  };
  WatchedDevice at_once;
  const MotionOutcome whole = record(at_once, 1 << 20);
  EXPECT_EQ(at_once.downloads_later, 5 * 5);
  WatchedDevice in_blocks;
  const MotionOutcome parts = record(in_blocks, 1);
  EXPECT_EQ(in_blocks.downloads_later, 3 * 5 * 5);
  EXPECT_EQ(3 * in_blocks.pinned, at_once.pinned);
  for (std::size_t d = 0; d < 70; ++d) {
    const Trajectory& a = parts.trajectories[d];
    const Trajectory& b = whole.trajectories[d];
    ASSERT_EQ(a.time.size(), 5U);
    expect_same_bits(a.time, b.time, "time");
    expect_same_bits(a.coordinates, b.coordinates, "coordinates");
    expect_same_bits(a.accelerations, b.accelerations, "accelerations");
    expect_same_bits(a.sensors, b.sensors, "sensors");
  }
  EXPECT_NE(whole.trajectories[69].coordinates, whole.trajectories[0].coordinates);
}

// What a step does is said once.
TEST(Sequences, TakeAllStepsButTheLast) {
  const auto run = [](WatchedDevice& device, int steps) {
    Options options = short_run("debug", 2);
    options.step = 1e-3;
    options.duration = 1e-3 * steps;
    return run_on(device, options);
  };
  WatchedDevice few;
  run(few, 10);
  EXPECT_EQ(few.replays, 9);
  WatchedDevice many;
  run(many, 100);
  EXPECT_EQ(many.replays, 99);
  EXPECT_EQ(many.launches, few.launches);
  EXPECT_EQ(many.uploads, few.uploads);
}

// What a step takes is told apart in the last one; the others are not waited for.
TEST(Timing, WaitsForTheDeviceOutsideOfTheSteps) {
  using kernels::KernelId;
  for (const double duration : {2e-3, 20e-3}) {
    Options options = short_run("debug", 2);
    options.step = 1e-3;
    options.duration = duration;
    WatchedDevice device;
    const MotionOutcome outcome = run_on(device, options);
    EXPECT_GT(outcome.motion_s, 0.0);
    EXPECT_GT(outcome.sensitivity_s, 0.0);
    const auto& launched = device.between_waits;
    ASSERT_EQ(launched.size(), 6U);
    const auto has = [&](std::size_t k, KernelId kernel) {
      return std::count(launched[k].begin(), launched[k].end(), kernel) > 0;
    };
    EXPECT_TRUE(has(0, KernelId::start_position));
    EXPECT_TRUE(launched[1].empty()) << "steps that are replayed";
    EXPECT_TRUE(has(2, KernelId::solve_position));
    EXPECT_FALSE(has(2, KernelId::solve_columns));
    EXPECT_TRUE(has(3, KernelId::solve_columns));
    EXPECT_FALSE(has(3, KernelId::solve_position));
  }
}

TEST(Timing, StepsThatAreReplayedHaveTheSharesOfTheLast) {
  TimeShare share{1.0, 1.0};
  share.add({2.0, 6.0}, 80.0);
  EXPECT_EQ(share.motion, 23.0);
  EXPECT_EQ(share.sensitivity, 67.0);
  share.add({0.0, 0.0}, 80.0);
  EXPECT_EQ(share.motion, 23.0);
}

TEST(DebugDevice, RunsWhatItKeepsWhenItIsReplayed) {
  const std::unique_ptr<Device> device = make_debug_device();
  const DeviceBuffer clock(*device, 2 * sizeof(double));
  device->clear(clock.data(), clock.size());
  DeviceArguments arguments{};
  arguments.chunk.design_count = 3;
  arguments.chunk.settings.step = 0.25;
  arguments.clock = static_cast<double*>(clock.data());
  const std::unique_ptr<Sequence> sequence =
      device->make_sequence({{kernels::KernelId::advance_clock, arguments}});
  double values[2];
  device->download(values, clock.data(), clock.size());
  EXPECT_EQ(values[0], 0.0);
  sequence->replay(5);
  sequence->replay(2);
  device->download(values, clock.data(), clock.size());
  EXPECT_EQ(values[0], 7.0);
  EXPECT_EQ(values[1], 1.75);
}

TEST(DebugDevice, MemoryStartsOutPoisoned) {
  const std::unique_ptr<Device> device = make_debug_device();
  const DeviceBuffer buffer(*device, 100 * sizeof(double));
  std::vector<double> values(100, 1.0);
  device->download(values.data(), buffer.data(), buffer.size());
  for (const double value : values) EXPECT_TRUE(std::isnan(value));
}

TEST(DebugDevice, TransfersKeepEveryByte) {
  const std::unique_ptr<Device> device = make_debug_device();
  std::vector<double> sent(1000);
  for (std::size_t k = 0; k < sent.size(); ++k) sent[k] = 0.1 * static_cast<double>(k);
  const DeviceBuffer buffer(*device, sent.size() * sizeof(double));
  device->upload(buffer.data(), sent.data(), buffer.size());
  std::vector<double> received(sent.size());
  device->download(received.data(), buffer.data(), buffer.size());
  expect_same_bits(sent, received, "round trip");
}

TEST(Chunks, OfAnySizeGiveTheSameBits) {
  constexpr int kDesigns = 132;
  WatchedDevice whole;
  const MotionOutcome expected = run_on(whole, short_run("debug", kDesigns));
  const std::size_t tile = whole.peak / 5;  // the plan included: a little too much
  for (const std::size_t tiles : {1, 2, 4}) {
    WatchedDevice device;
    device.room = tiles * tile;
    const MotionOutcome outcome = run_on(device, short_run("debug", kDesigns));
    EXPECT_GT(device.uploads, 2) << "not split into chunks";
    EXPECT_LT(device.peak, whole.peak);
    expect_same_bits(outcome.objectives, expected.objectives, "objectives");
    expect_same_bits(outcome.gradient, expected.gradient, "gradient");
    expect_same_bits(outcome.signals, expected.signals, "signals");
  }
}

TEST(Chunks, ATileThatDoesNotFitIsTriedAlone) {
  WatchedDevice device;
  device.room = 1;
  run_on(device, short_run("debug", 40));
  EXPECT_EQ(device.uploads, 1 + 3) << "16 designs with two slices of columns each";
}

TEST(DeviceMemory, IsAllGivenBack) {
  WatchedDevice device;
  run_on(device, short_run("debug", 5));
  EXPECT_GT(device.peak, 0U);
  EXPECT_EQ(device.bytes, 0U);
}

}  // namespace
}  // namespace gradus::test
