// The GPU agrees with the CPU: batches, chunks and failures.
#include "tests/backend/gpu.hpp"
#include "tests/backend/watched_device.hpp"

namespace gradus::test {
namespace {

class Cuda : public NeedsGpu, public testing::WithParamInterface<std::size_t> {};

TEST_P(Cuda, SimulatesAsTheHostDoes) {
  const Result gpu = simulate(five_bar(), short_run("cuda", GetParam()));
  EXPECT_EQ(gpu.backend, "cuda:0");
  expect_agreement(gpu, simulate(five_bar(), short_run("cpu", GetParam())));
}

TEST_P(Cuda, DifferentiatesAsTheHostDoes) {
  expect_agreement(gradient(five_bar(), short_run("cuda", GetParam())),
                   gradient(five_bar(), short_run("cpu", GetParam())));
}

TEST_P(Cuda, ASecondRunGivesTheSameBits) {
  expect_same_bits(gradient(five_bar(), short_run("cuda", GetParam())),
                   gradient(five_bar(), short_run("cuda", GetParam())));
}

INSTANTIATE_TEST_SUITE_P(BatchSizes, Cuda, testing::Values(1, 33, 1000));

using CudaDevice = Cuda;

TEST_P(CudaDevice, KeepsEveryByte) {
  const std::unique_ptr<Device> device = make_cuda_device(0);
  std::vector<double> sent(GetParam());
  for (std::size_t k = 0; k < sent.size(); ++k) sent[k] = 0.1 * static_cast<double>(k);
  const DeviceBuffer buffer(*device, sent.size() * sizeof(double));
  device->upload(buffer.data(), sent.data(), buffer.size());
  std::vector<double> received(sent.size());
  device->download(received.data(), buffer.data(), buffer.size());
  expect_same_bits(sent, received, "round trip");
}

TEST_P(CudaDevice, SaysWhatItIs) {
  const std::unique_ptr<Device> device = make_cuda_device(0);
  EXPECT_EQ(device->name().rfind("cuda:0 (", 0), 0U) << device->name();
  EXPECT_GT(device->free_memory(), std::size_t{1} << 20);
}

TEST_P(CudaDevice, RefusesWhatDoesNotFit) {
  const std::unique_ptr<Device> device = make_cuda_device(0);
  EXPECT_THROW(device->allocate(std::size_t{1} << 50), BackendError);
  EXPECT_NE(device->free_memory(), 0U);  // and goes on
}

TEST_P(CudaDevice, ThatDoesNotExistIsRefused) {
  EXPECT_NE(cuda_obstacle(255).find("device index out of range"), std::string::npos)
      << cuda_obstacle(255);
}

INSTANTIATE_TEST_SUITE_P(Transfers, CudaDevice, testing::Values(100'000));

TEST_P(Cuda, ChunksGiveTheSameBits) {
  const std::size_t designs = std::min<std::size_t>(GetParam(), 100);
  WatchedDevice whole(make_cuda_device(0));
  WatchedDevice chunked(make_cuda_device(0));
  chunked.room = 200'000;
  const MotionOutcome expected = run_on(whole, short_run("cuda", designs));
  const MotionOutcome outcome = run_on(chunked, short_run("cuda", designs));
  EXPECT_EQ(whole.uploads, 2);
  if (designs > 30) {
    EXPECT_GT(chunked.uploads, 2) << "not split into chunks";
  }
  expect_same_bits(outcome.objectives, expected.objectives, "objectives");
  expect_same_bits(outcome.gradient, expected.gradient, "gradient");
}

TEST_P(Cuda, AFailingDesignLeavesOthersAlone) {
  Options options = short_run("cuda", std::max<std::size_t>(GetParam(), 2));
  const Result without = gradient(five_bar(), options);
  options.designs.values = without.parameter_values;
  options.designs.values[5 + 4] = 10.0;  // L_A1 of design 1
  const Result with = gradient(five_bar(), options);
  EXPECT_FALSE(with.status[1].ok);
  EXPECT_NE(with.status[1].message.find("the loops cannot be closed"), std::string::npos)
      << with.status[1].message;
  for (const double value : row(with.gradient, 1, with.n_design)) EXPECT_TRUE(std::isnan(value));
  for (std::size_t d = 0; d < with.n_design; ++d)
    if (d != 1) expect_same_design(with, d, without, d);
}

}  // namespace
}  // namespace gradus::test
