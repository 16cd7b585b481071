// Memory of a run does not grow with its steps, and on a device grows by the same amount for every design.
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "tests/backend/watched_device.hpp"

namespace gradus::test {
namespace {

std::atomic<std::size_t> held{0};
std::atomic<std::size_t> most{0};

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t now = held += malloc_usable_size(memory);
  std::size_t before = most;
  while (now > before && !most.compare_exchange_weak(before, now)) {
  }
  return memory;
}

void uncounted(void* memory) noexcept {
  held -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace
}  // namespace gradus::test

// All memory of this program is counted.
void* operator new(std::size_t size) { return gradus::test::counted(std::malloc(size > 0 ? size : 1)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return gradus::test::counted(std::aligned_alloc(unit, (size / unit + 1) * unit));
}
void operator delete(void* memory) noexcept { gradus::test::uncounted(memory); }
void operator delete(void* memory, std::size_t) noexcept { gradus::test::uncounted(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { gradus::test::uncounted(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { gradus::test::uncounted(memory); }

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
    EXPECT_EQ(growth(steps("cpu:1", 2, 1000), with_columns), few);
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
  EXPECT_EQ(growth(steps("debug", 2, 1000), true), growth(steps("debug", 2, 10), true));
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

TEST(DeviceMemory, GrowsByTheSameForEveryDesign) {
  for (const bool with_columns : {false, true}) {
    const std::size_t one = device_peak(1, 2, with_columns);
    const std::size_t each = device_peak(2, 2, with_columns) - one;
    EXPECT_GT(each, 1000U);
    EXPECT_EQ(device_peak(33, 2, with_columns), one + 32 * each);
  }
}

TEST(DeviceMemory, IsLargerWithColumns) { EXPECT_GT(device_peak(4, 2, true), device_peak(4, 2, false)); }

}  // namespace
}  // namespace gradus::test
