// Transfers to a device: forgotten ones show, chunks do not, and memory comes back.
#include <algorithm>
#include <cmath>

#include "src/motion/time_loop.hpp"
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
  EXPECT_EQ(with.downloads_later, 4 * 51);
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
    device->download_later(received + k, buffer.data(), sizeof(double));
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
  WatchedDevice whole;
  const MotionOutcome expected = run_on(whole, short_run("debug", 7));
  const std::size_t one_design = whole.peak / 7;  // the plan included: a little too much
  for (const std::size_t designs : {1, 2, 3}) {
    WatchedDevice device;
    device.room = designs * one_design;
    const MotionOutcome outcome = run_on(device, short_run("debug", 7));
    EXPECT_GT(device.uploads, 2) << "not split into chunks";
    EXPECT_LT(device.peak, whole.peak);
    expect_same_bits(outcome.objectives, expected.objectives, "objectives");
    expect_same_bits(outcome.gradient, expected.gradient, "gradient");
    expect_same_bits(outcome.signals, expected.signals, "signals");
  }
}

TEST(Chunks, ADesignThatDoesNotFitIsTriedAlone) {
  WatchedDevice device;
  device.room = 1;
  run_on(device, short_run("debug", 3));
  EXPECT_EQ(device.uploads, 1 + 3 * 2) << "each with its columns in two parts";
}

TEST(DeviceMemory, IsAllGivenBack) {
  WatchedDevice device;
  run_on(device, short_run("debug", 5));
  EXPECT_GT(device.peak, 0U);
  EXPECT_EQ(device.bytes, 0U);
}

}  // namespace
}  // namespace gradus::test
