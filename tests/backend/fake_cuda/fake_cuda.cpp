// The CUDA backend on a stand-in for the CUDA runtime: loading, reasons, errors and the order of
// work, without a GPU.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "src/backend/choice.hpp"
#include "src/backend/stored_tables.hpp"
#include "tests/backend/fake_cuda/live_handles.hpp"
#include "tests/backend/watched_device.hpp"

namespace gradus::test {
namespace {

const int folder_named = setenv("GRADUS_MODULES", GRADUS_FAKE_CUDA_MODULES, 1);

class FakeCuda : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(folder_named, 0); }
  void TearDown() override { unsetenv("GRADUS_FAKE_CUDA"); }
  static void suffer(const char* ailment) { setenv("GRADUS_FAKE_CUDA", ailment, 1); }
};

TEST_F(FakeCuda, HasTwoGpus) {
  EXPECT_EQ(cuda_obstacle(0), "");
  EXPECT_EQ(cuda_obstacle(1), "");
  EXPECT_EQ(make_cuda_device(1)->name(), "cuda:1 (Pretender)");
  EXPECT_EQ(make_cuda_device(0)->free_memory(),
            (std::size_t{1} << 30) - (std::size_t{1} << 30) / 5);
  EXPECT_EQ(choose_backend("cuda:1", {}, {}).name(), "cuda:1");
  EXPECT_EQ(backend_lines()[2], "cuda: cuda:0 (Pretender)");
}

TEST_F(FakeCuda, SaysWhyThereIsNone) {
  suffer("no-driver");
  EXPECT_EQ(cuda_obstacle(0), "no NVIDIA driver");
  suffer("old-driver");
  EXPECT_EQ(cuda_obstacle(0).rfind("the NVIDIA driver is too old (it serves CUDA 12.2, ", 0), 0U)
      << cuda_obstacle(0);
  suffer("no-gpu");
  EXPECT_EQ(cuda_obstacle(0), "no NVIDIA GPU was found");
  suffer("foreign-gpu");
  EXPECT_EQ(cuda_obstacle(0).rfind("the CUDA backend was not built for this GPU (Pretender", 0), 0U)
      << cuda_obstacle(0);
  suffer("");
  EXPECT_EQ(cuda_obstacle(2),
            "device index out of range (found 2, expected 0 to 1: this machine has 2 GPUs)");
  EXPECT_THROW(make_cuda_device(2), BackendError);
}

// The work that pays on the GPU whose times gradus brings along, on a processor of any size.
const Work kLargeWork{131'072, 4, 5, "direct", 1};

std::string remark_of_auto(const Work& work, BackendKind expected) {
  std::string line;
  const BackendChoice choice =
      choose_backend("auto", work, [&](const std::string& text) { line = text; });
  EXPECT_EQ(choice.kind, expected);
  return line;
}

TEST_F(FakeCuda, AutomaticGoesOnWithoutIt) {
  suffer("no-driver");
  EXPECT_EQ(remark_of_auto(kLargeWork, BackendKind::cpu), "") << "nothing that the user could do";
}

TEST_F(FakeCuda, TheBuiltInTableSpeaksForItsOwnGpuOnly) {
  std::string line = remark_of_auto(kLargeWork, BackendKind::cpu);
  EXPECT_NE(line.find("on Pretender pays is not known; gradus bench --store measures it"),
            std::string::npos)
      << line;
  EXPECT_EQ(line.find("H200"), std::string::npos) << line;
  suffer("h200");
  line = remark_of_auto(kLargeWork, BackendKind::cuda);
  EXPECT_NE(line.find("as measured on NVIDIA H200: 4 bodies, 5 parameters, direct: from "),
            std::string::npos)
      << line;
}

// Such formulations are for those who ask for a GPU.
TEST_F(FakeCuda, AutomaticTakesWhatWasTriedOnly) {
  suffer("h200");
  Work work = kLargeWork;
  work.untried = "matrix-r";
  const std::string line = remark_of_auto(work, BackendKind::cpu);
  EXPECT_NE(line.find("matrix-r was not tried on a GPU yet"), std::string::npos) << line;
}

// Tables of the user, in a cache of this test's own.
class FakeCudaTable : public FakeCuda {
 protected:
  void SetUp() override {
    FakeCuda::SetUp();
    std::string pattern = (std::filesystem::temp_directory_path() / "gradus-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    cache_ = pattern;
    setenv("XDG_CACHE_HOME", cache_.c_str(), 1);
    std::filesystem::create_directories(cache_ / "gradus");
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    std::filesystem::remove_all(cache_);
    FakeCuda::TearDown();
  }
  static void write(const std::string& text) { std::ofstream(break_even_file()) << text; }

  // What auto chooses and says.
  static std::string chosen(const Work& work, std::vector<std::string>& lines) {
    lines.clear();
    return choose_backend("auto", work, [&](const std::string& line) { lines.push_back(line); })
        .name();
  }

  std::filesystem::path cache_;
};

TEST_F(FakeCudaTable, OfThisGpuIsWhatAutoGoesBy) {
  const auto threads = static_cast<std::size_t>(choose_backend("cpu", {}, {}).threads);
  std::vector<std::string> lines;
  write(break_even_text({"Pretender", threads, {{"direct", 4, 5, 10, 1, 100}}}));
  EXPECT_EQ(chosen({10, 4, 5, "direct"}, lines), "cuda:0");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("10 designs are enough for a GPU; as measured here"), std::string::npos)
      << lines[0];
  EXPECT_EQ(chosen({9, 4, 5, "direct"}, lines).rfind("cpu:", 0), 0U);
  // Whatever the built-in table may say.
  write(break_even_text({"Pretender", threads, {{"direct", 4, 5, {}, 1, 1000}}}));
  EXPECT_EQ(chosen({100'000, 4, 5, "direct"}, lines).rfind("cpu:", 0), 0U);
  EXPECT_NE(lines[0].find("not with up to 1000 designs"), std::string::npos) << lines[0];
}

TEST_F(FakeCudaTable, OfAnotherGpuIsNotUsed) {
  const auto threads = static_cast<std::size_t>(choose_backend("cpu", {}, {}).threads);
  std::vector<std::string> lines;
  write(break_even_text({"Contender", threads, {{"direct", 4, 5, 10, 1, 100}}}));
  EXPECT_EQ(chosen({10, 4, 5, "direct"}, lines).rfind("cpu:", 0), 0U);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[0].find("of Contender is not used, here is Pretender"), std::string::npos);
  EXPECT_NE(lines[1].find("on Pretender pays is not known"), std::string::npos) << lines[1];
  suffer("h200");
  EXPECT_EQ(chosen(kLargeWork, lines), "cuda:0");
}

TEST_F(FakeCudaTable, ComesFromABenchmark) {
  BenchmarkSettings settings;
  settings.bodies = {1};
  settings.parameters = {2};
  settings.designs = {1, 4};
  settings.steps = 2;
  settings.repeats = 1;
  const BenchmarkReport report = benchmark(settings);
  EXPECT_EQ(report.no_break_even, "");
  EXPECT_EQ(report.machine.gpu, "Pretender");
  EXPECT_EQ(report.rows.size(), 6U);
  ASSERT_EQ(report.break_even.size(), 1U);
  EXPECT_EQ(report.break_even[0].most, 4U);
  write(break_even_text(report));
  const StoredBreakEven stored = read_break_even(break_even_file(), report.machine.threads);
  EXPECT_EQ(stored.remark, "");
  ASSERT_TRUE(stored.table.has_value());
  EXPECT_EQ(stored.table->gpu, "Pretender");
  EXPECT_EQ(stored.table->points[0].designs, report.break_even[0].designs);
}

TEST_F(FakeCuda, RunsAsTheHostDoes) {
  for (const std::size_t designs : {1, 37}) {
    const Result gpu = gradient(five_bar(), short_run("cuda:1", designs));
    ASSERT_TRUE(gpu.all_ok());
    EXPECT_EQ(gpu.backend, "cuda:1");
    expect_same_bits(gpu, gradient(five_bar(), short_run("cpu:1", designs)));
  }
}

TEST_F(FakeCuda, RecordsAndGoesBackAsTheHostDoes) {
  for (const char* method : {"direct", "adjoint"})
    for (const char* formulation : {"ali3p", "matrix-r"}) {
      Options options = short_run("cuda", 37);
      options.method = method;
      options.formulation = formulation;
      options.record = true;
      options.record_every = 7;
      const Result gpu = gradient(five_bar(), options);
      ASSERT_TRUE(gpu.all_ok());
      ASSERT_EQ(gpu.trajectories[36].time.size(), 9U);
      options.backend = "cpu:1";
      expect_same_bits(gpu, gradient(five_bar(), options));
    }
}

TEST_F(FakeCuda, TransfersWaitForTheirEnd) {
  const std::unique_ptr<Device> device = make_cuda_device(0);
  const DeviceBuffer buffer(*device, sizeof(double));
  double value = 3.0;
  device->upload(buffer.data(), &value, sizeof(value));
  value = 4.0;  // the caller's own again
  double received = 0.0;
  device->download(&received, buffer.data(), sizeof(received));
  EXPECT_EQ(received, 3.0);
}

TEST_F(FakeCuda, MovesAndClearsWhatLiesApart) {
  const std::unique_ptr<Device> device = make_cuda_device(0);
  constexpr std::size_t kNumber = sizeof(double);
  const double values[] = {1, 2, 3, 4, 5, 6};
  const DeviceBuffer buffer(*device, sizeof(values));
  device->upload(buffer.data(), values, sizeof(values));
  device->clear(buffer.data(), {kNumber, 3, 2 * kNumber, 0});
  double all[6], odd[3];
  device->download(all, buffer.data(), sizeof(all));
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(all[k], k % 2 == 0 ? 0.0 : values[k]);
  device->download(odd, static_cast<double*>(buffer.data()) + 1,
                   {kNumber, 3, kNumber, 2 * kNumber});
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(odd[k], values[2 * k + 1]);
}

TEST_F(FakeCuda, ErrorsPassTheDoorAsWhatTheyAre) {
  const std::unique_ptr<Device> device = make_cuda_device(0);
  try {
    device->allocate(std::size_t{1} << 40);
    FAIL() << "nothing was thrown";
  } catch (const BackendError& error) {
    EXPECT_STREQ(error.what(),
                 "cuda:0: cannot allocate 1099511627776 bytes: cudaMalloc: out of memory "
                 "(cudaErrorMemoryAllocation)");
  }
}

// The launch that sets the clock of steps to 0.25, 0.5, ...
std::vector<DeviceLaunch> clock_launches(const DeviceBuffer& clock) {
  DeviceArguments arguments{};
  arguments.chunk.design_count = 1;
  arguments.chunk.settings.step = 0.25;
  arguments.clock = static_cast<double*>(clock.data());
  return {{kernels::KernelId::advance_clock, arguments}};
}

double time_on(Device& device, const DeviceBuffer& clock) {
  double values[2];
  device.download(values, clock.data(), clock.size());
  return values[1];
}

TEST_F(FakeCuda, ACaptureThatFailsLeavesTheDeviceAsItWas) {
  const std::unique_ptr<Device> device = make_cuda_device(0);
  const DeviceBuffer clock(*device, 2 * sizeof(double));
  device->clear(clock.data(), clock.size());
  const int before = live_handles();
  suffer("captures-fail");
  EXPECT_THROW(device->make_sequence(clock_launches(clock)), BackendError);
  EXPECT_EQ(live_handles(), before);
  suffer("");
  device->launch(kernels::KernelId::advance_clock, clock_launches(clock).front().arguments);
  EXPECT_EQ(time_on(*device, clock), 0.25);
}

TEST_F(FakeCuda, SequencesDoNotKnowOfEachOther) {
  const std::unique_ptr<Device> device = make_cuda_device(0);
  const DeviceBuffer clocks[] = {{*device, 2 * sizeof(double)}, {*device, 2 * sizeof(double)}};
  std::vector<std::unique_ptr<Sequence>> sequences;
  for (const DeviceBuffer& clock : clocks) {
    device->clear(clock.data(), clock.size());
    sequences.push_back(device->make_sequence(clock_launches(clock)));
  }
  sequences[0]->replay(2);
  sequences[1]->replay(1);
  sequences[0]->replay(1);
  EXPECT_EQ(time_on(*device, clocks[0]), 0.75);
  EXPECT_EQ(time_on(*device, clocks[1]), 0.25);
}

TEST_F(FakeCuda, WhatFailsToBeMadeLeavesNothingBehind) {
  make_cuda_device(0);
  EXPECT_EQ(live_handles(), 0);
  suffer("one-event");
  EXPECT_THROW(make_cuda_device(0), BackendError);
  EXPECT_EQ(live_handles(), 0);
}

TEST_F(FakeCuda, AFaultOfAKernelEndsTheRun) {
  suffer("faulty-gpu");
  try {
    simulate(five_bar(), short_run("cuda", 2));
    FAIL() << "nothing was thrown";
  } catch (const BackendError& error) {
    EXPECT_STREQ(error.what(), "cuda:0: cudaStreamSynchronize: something else (cudaErrorOther)");
  }
}

}  // namespace
}  // namespace gradus::test
