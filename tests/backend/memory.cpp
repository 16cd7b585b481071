// Memory of a run does not grow with its steps, and on a device grows by the same amount for every
// design.
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "tests/backend/watched_device.hpp"

namespace gradus::test {
namespace {

std::atomic<std::size_t> held{0};
std::atomic<std::size_t> most{0};

// The size asked for stands in front of the memory, in as many bytes as keep it aligned.
constexpr std::size_t kPlain = alignof(std::max_align_t);

void* counted(std::size_t size, std::size_t alignment) {
  void* block = std::aligned_alloc(alignment, (size / alignment + 2) * alignment);
  if (block == nullptr) throw std::bad_alloc();
  *static_cast<std::size_t*>(block) = size;
  const std::size_t now = held += size;
  std::size_t before = most;
  while (now > before && !most.compare_exchange_weak(before, now)) {
  }
  return static_cast<char*>(block) + alignment;
}

void uncounted(void* memory, std::size_t alignment) noexcept {
  if (memory == nullptr) return;
  void* block = static_cast<char*>(memory) - alignment;
  held -= *static_cast<std::size_t*>(block);
  std::free(block);
}

std::size_t bytes(std::align_val_t alignment) {
  return static_cast<std::size_t>(alignment);
}

}  // namespace
}  // namespace gradus::test

// All memory of this program is counted.
using namespace gradus::test;
void* operator new(std::size_t size) {
  return counted(size, kPlain);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, bytes(alignment));
}
void operator delete(void* memory) noexcept {
  uncounted(memory, kPlain);
}
void operator delete(void* memory, std::size_t) noexcept {
  uncounted(memory, kPlain);
}
void operator delete(void* memory, std::align_val_t alignment) noexcept {
  uncounted(memory, bytes(alignment));
}
void operator delete(void* memory, std::size_t, std::align_val_t alignment) noexcept {
  uncounted(memory, bytes(alignment));
}

namespace gradus::test {
namespace {

Options steps(const std::string& backend, std::size_t designs, int count) {
  Options options = short_run(backend, designs);
  options.duration = 1e-3 * count;
  options.step = 1e-3;
  return options;
}

// Most memory held at once during a run, beyond what was held before it.
std::size_t growth(const Options& options, bool with_columns) {
  const std::size_t before = held;
  most = before;
  static_cast<void>(with_columns ? gradient(five_bar(), options) : simulate(five_bar(), options));
  return most - before;
}

TEST(HostMemory, DoesNotGrowWithSteps) {
  for (const bool with_columns : {false, true}) {
    growth(steps("cpu:1", 2, 10), with_columns);  // whatever is made once is made now
    const std::size_t few = growth(steps("cpu:1", 2, 10), with_columns);
    EXPECT_GT(few, 0U);
    EXPECT_EQ(growth(steps("cpu:1", 2, 4000), with_columns), few);
  }
}

TEST(HostMemory, IsCountedIfARunRecords) {
  Options options = steps("cpu:1", 1, 10);
  options.record = true;
  const std::size_t few = growth(options, false);
  options.duration = 1.0;
  EXPECT_GT(growth(options, false), few + 1000 * 8);
}

TEST(HostMemory, OfTheDebugBackendDoesNotGrowWithSteps) {
  growth(steps("debug", 2, 10), true);
  EXPECT_EQ(growth(steps("debug", 2, 4000), true), growth(steps("debug", 2, 10), true));
}

std::size_t device_peak(std::size_t designs, int count, bool with_columns) {
  WatchedDevice device;
  run_on(device, steps("debug", designs, count), with_columns);
  return device.peak;
}

TEST(DeviceMemory, DoesNotGrowWithSteps) {
  for (const bool with_columns : {false, true})
    EXPECT_EQ(device_peak(3, 10, with_columns), device_peak(3, 1000, with_columns));
}

TEST(DeviceMemory, GrowsByTheSameForEveryTileOfDesigns) {
  for (const bool with_columns : {false, true}) {
    const std::size_t one = device_peak(32, 2, with_columns);
    const std::size_t each = device_peak(64, 2, with_columns) - one;
    EXPECT_GT(each, 32 * 1000U);
    EXPECT_EQ(device_peak(1024, 2, with_columns), one + 31 * each);
    // One design takes a tile, and one of its slices of columns.
    EXPECT_GT(device_peak(1, 2, with_columns), with_columns ? one / 2 : one - 1000);
  }
}

TEST(DeviceMemory, IsLargerWithColumns) {
  EXPECT_GT(device_peak(4, 2, true), device_peak(4, 2, false));
}

}  // namespace
}  // namespace gradus::test
